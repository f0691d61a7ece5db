/** Why a queued run or build has not started, with links to what holds it back. A paused queue can be resumed in place. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { formatParts, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { getObjectPath } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { PauseNotice } from './PauseNotice.tsx'
import { type QueueAction, QueueActionDialog } from './QueueActionDialog.tsx'
import type { QueuePause } from './queueQuery.ts'

const { panel: texts } = messages.run

export const blockedByFragment = graphql(`fragment BlockedByFields on BlockedBy {
  message runs { id title } runCount builds { id name displayNumber } buildCount pause { since reason pausedBy {
    __typename ... on User { name } ... on ApiKey { name }
    ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title }
  } }
}`)

type BlockedBy = ResultOf<typeof blockedByFragment>

interface WaitReasonProps {
  readonly worktreeId: string
  readonly blockedBy: BlockedBy
}

export function WaitReason({ worktreeId, blockedBy }: WaitReasonProps) {
  const { pause } = blockedBy
  return pause === null ? <Blockers blockedBy={blockedBy} /> : <PausedQueue worktreeId={worktreeId} pause={pause} />
}

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

/** The number of blocking runs and builds that have a link. */
const shownBlockers = 5

function Blockers({ blockedBy }: { readonly blockedBy: BlockedBy }) {
  const { message, runs, runCount, builds, buildCount } = blockedBy
  const named = [
    ...runs.map(({ id, title }) => ({ id, title })),
    ...builds.map(({ id, name, displayNumber }) => ({ id, title: `${name} ${displayNumber}` })),
  ]
  const shown = named.slice(0, shownBlockers)
  const more = runCount + buildCount - shown.length
  return (
    <div class="note">
      <p>{formatParts(texts.waiting, { reason: message })}</p>
      {shown.length > 0 && (
        <ul class="blockers">
          {shown.map(({ id, title }) => (
            <li key={id}>
              <a href={getObjectPath(id)}>{title}</a>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p>{formatParts(texts.moreBlockers, { count: more })}</p>}
    </div>
  )
}
