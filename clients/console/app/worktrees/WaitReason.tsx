/** Why a queued run or build has not started, with links to what holds it back. A paused queue can be resumed in place. */
import { graphql, type ResultOf } from '../data/graphql.ts'
import { formatParts, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { getObjectPath } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { BlockReason } from './BlockReason.tsx'
import { PauseNotice } from './PauseNotice.tsx'
import { type QueueAction, QueueActionDialog } from './QueueActionDialog.tsx'
import type { QueuePause } from './queueQuery.ts'

const { panel: texts } = messages.run

export const blockedByFragment = graphql(`fragment BlockedByFields on BlockedBy {
  reason runIds runs { id title } runCount buildIds builds { id name displayNumber } buildCount pause { since reason pausedBy {
    __typename ... on User { name } ... on ApiKey { name }
    ... on PlanRun { title } ... on SessionRun { title } ... on WorkflowRun { title }
  } }
}`)

type BlockedBy = ResultOf<typeof blockedByFragment>

interface WaitReasonProps {
  readonly worktreeId: string
  readonly blockedBy: BlockedBy
  /** `worktreeConcurrencyLimit` of the one that waits. */
  readonly limit: number
}

export function WaitReason({ worktreeId, blockedBy, limit }: WaitReasonProps) {
  const { pause } = blockedBy
  if (pause !== null) return <PausedQueue worktreeId={worktreeId} pause={pause} />
  return <Blockers blockedBy={blockedBy} limit={limit} />
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

function Blockers({ blockedBy, limit }: Pick<WaitReasonProps, 'blockedBy' | 'limit'>) {
  const { runs, runCount, builds, buildCount } = blockedBy
  const named = [
    ...runs.map(({ id, title }) => ({ id, title })),
    ...builds.map(({ id, name, displayNumber }) => ({ id, title: `${name} ${displayNumber}` })),
  ]
  const shown = named.slice(0, shownBlockers)
  const more = runCount + buildCount - shown.length
  return (
    <div class="note">
      <p>
        <BlockReason blockedBy={blockedBy} limit={limit} titles={new Map(named.map(({ id, title }) => [id, title]))} />
      </p>
      {shown.length > 1 && (
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
