import type { MachineContext, StateView } from '../framework/define.ts'

interface OfWorktree extends MachineContext {
  readonly init: { readonly agentId: string; readonly worktreeId: string; readonly codebaseId: string }
}

/** The columns of actors that belong to a worktree. */
export const ofWorktree = ({ context: { init } }: StateView<OfWorktree, unknown>) => ({
  agentId: init.agentId,
  worktreeId: init.worktreeId,
  scopeId: init.codebaseId,
})
