/** The tabs of a run's page. Each has its own address, and its data are loaded when it is open. */
import type { RunInput } from './runDetails.ts'

export type RunTab = 'transcript' | 'steps' | 'changes' | 'log' | 'timeline' | 'statechart' | 'history'

/** The first tab is open if the address names none. */
export function listTabs({ kind, task }: Pick<RunInput, 'kind' | 'task'>): readonly [RunTab, ...RunTab[]] {
  const general = ['timeline', 'statechart', 'history'] as const
  // The steps of a workflow have logs and changes of their own.
  if (kind === 'WORKFLOW') return ['steps', ...general]
  if (task?.command) return ['log', 'changes', ...general]
  return ['transcript', 'changes', 'log', ...general]
}
