/**
 * The tools of a run, frozen when the run was created. The actor has one state and never leaves it. The state of the run decides whether
 * the tools may still be called.
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
