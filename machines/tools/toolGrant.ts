/**
 * The tools that a run was given, frozen with its making. It has one state and never leaves it: whether they may still be called
 * is the run's to say.
 */
import { setup } from 'xstate'
import type { ToolGrant } from '../../spec/tools/toolGrants.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'

export type ToolGrantInit = ToolGrant & MachineContext['init']

interface ToolGrantContext extends MachineContext {
  readonly init: ToolGrantInit
}

const machine = setup({ types: typesOf<ToolGrantContext, { type: 'none'; at: number }>() }).createMachine({
  id: 'toolGrant',
  context: ({ input: { init } }) => ({ init }),
  initial: 'FROZEN',
  states: { FROZEN: { tags: 'terminal', meta: { label: 'Frozen' } } },
})

export const toolGrant = define({ kind: 'toolGrant', version: 1, machine, effects: [], operable: false })
