/**
 * The bytes of one version of a skill. They are stored before the version. This actor, which the version creates, marks them as used. Bytes
 * without such an actor are deleted after a day.
 */
import { setup } from 'xstate'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type SkillContentInit = { readonly skillId: string; readonly createdAt: number }

export interface SkillContentContext extends MachineContext {
  readonly init: SkillContentInit
}

const machine = setup({ types: typesOf<SkillContentContext, { type: 'none'; at: number }>() }).createMachine({
  id: 'skillContent',
  context: ({ input: { init } }) => ({ init }),
  initial: 'STORED',
  states: {
    STORED: { meta: { label: 'Stored', unbounded: 'the versions of a skill have no end' } },
  },
})

export const skillContent = define({
  kind: 'skillContent',
  version: 1,
  machine,
  effects: [],
  columns: ({ context: { init } }) => ({ scopeId: init.skillId }),
  operable: true,
})
