/** The state of a run beside its work: its status, why it waits, its actions, and its facts. */
import { useRef } from 'preact/hooks'
import { formatParts, messages } from '../../messages.ts'
import { OperatorActions } from '../../operators/OperatorActions.tsx'
import { formatName } from '../../parts/formatName.ts'
import { ActionButton } from '../../parts/forms/ActionButton.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { useDialog } from '../../state/dialogStore.ts'
import { PauseNotice } from '../../worktrees/PauseNotice.tsx'
import { type QueueAction, QueueActionDialog } from '../../worktrees/QueueActionDialog.tsx'
import type { QueuePause } from '../../worktrees/queueQuery.ts'
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
      {run.blockedBy?.pause && <PausedQueue worktreeId={run.worktree.id} pause={run.blockedBy.pause} />}
      {run.blockedBy && !run.blockedBy.pause && <Blockers blockedBy={run.blockedBy} />}
      <RunActions run={run} isPrompt={input.task?.prompt != null} />
      <RunFacts run={run} input={input} />
      <ChildRuns run={run} />
      <OperatorActions id={run.id} sequence={useUpdateCount(run)} />
    </aside>
  )
}

/** The run waits for a paused queue, which can be resumed in place. */
function PausedQueue({ worktreeId, pause }: { readonly worktreeId: string; readonly pause: QueuePause }) {
  const { dialog, open, close } = useDialog<QueueAction>()
  return (
    <>
      <PauseNotice pause={pause} />
      <ActionButton onClick={() => open({ type: 'resume' })}>{messages.worktrees.resume.title}</ActionButton>
      {dialog && <QueueActionDialog worktreeId={worktreeId} action={dialog} onClose={close} />}
    </>
  )
}

/** The number of blocking runs that have a link. */
const shownBlockers = 5

function Blockers({
  blockedBy: { message, runIds, runCount },
}: {
  readonly blockedBy: NonNullable<RunDetails['blockedBy']>
}) {
  const shown = runIds.slice(0, shownBlockers)
  return (
    <div class="note">
      <p>{formatParts(texts.waiting, { reason: message })}</p>
      {shown.length > 0 && (
        <ul class="blockers">
          {shown.map((id) => (
            <li key={id}>
              <a class="id" href={`/runs/${id}`}>
                {id}
              </a>
            </li>
          ))}
        </ul>
      )}
      {runCount > shown.length && <p>{formatParts(texts.moreRuns, { count: runCount - shown.length })}</p>}
    </div>
  )
}

/** Counts the updates of a run. Each one may change its operator actions. */
function useUpdateCount(run: RunDetails): number {
  const last = useRef({ run, count: 0 })
  if (last.current.run !== run) last.current = { run, count: last.current.count + 1 }
  return last.current.count
}
