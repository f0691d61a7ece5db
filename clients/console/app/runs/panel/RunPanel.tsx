/** The state of a run beside its work: its status, why it waits, its actions, and its facts. */
import { useRef } from 'preact/hooks'
import { messages } from '../../messages.ts'
import { OperatorActions } from '../../operators/OperatorActions.tsx'
import { formatName } from '../../parts/formatName.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { WaitReason } from '../../worktrees/WaitReason.tsx'
import type { RunDetails, RunInput } from '../runDetails.ts'
import { ChildRuns } from './ChildRuns.tsx'
import { RunActions } from './RunActions.tsx'
import { RunFacts } from './RunFacts.tsx'

const { panel: texts } = messages.run

interface RunPanelProps {
  readonly run: RunDetails
  readonly input: RunInput
}

export function RunPanel({ run, input }: RunPanelProps) {
  return (
    <aside class="run-panel" aria-label={texts.label}>
      <p class="run-status">
        <StatusBadge status={run.status} />
        {run.phase && <span class="hint">{formatName(run.phase)}</span>}
      </p>
      {run.problem && (
        <p class="message">
          {run.problem.message} <span class="hint">{run.problem.code}</span>
        </p>
      )}
      {run.blockedBy && (
        <WaitReason worktreeId={run.worktree.id} blockedBy={run.blockedBy} limit={run.worktreeConcurrencyLimit} />
      )}
      <RunActions run={run} isPrompt={input.task?.prompt != null} />
      <RunFacts run={run} input={input} />
      <ChildRuns run={run} />
      <OperatorActions id={run.id} sequence={useUpdateCount(run)} />
    </aside>
  )
}

/** Counts the updates of a run. Each one may change its operator actions. */
function useUpdateCount(run: RunDetails): number {
  const last = useRef({ run, count: 0 })
  if (last.current.run !== run) last.current = { run, count: last.current.count + 1 }
  return last.current.count
}
