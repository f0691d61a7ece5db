/** The stuck runs that wait for one worktree for one reason: what they wait for, and how to let them continue. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatParts, locale, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { getObjectPath } from '../router.ts'
import { useRequest } from '../state/requestStore.ts'
import type { WaitingGroup } from './inboxItems.ts'
import { MarkSeenButton } from './MarkSeenButton.tsx'

const texts = messages.inbox
const listFormat = new Intl.ListFormat(locale)

const holdersQuery = graphql(`query ($ids: [ID!]!) { nodes(ids: $ids) {
  ... on Run { id title } ... on Build { id name displayNumber }
} }`)
const resumeMutation = graphql(
  'mutation ($input: ResumeWorktreeQueueInput!) { resumeWorktreeQueue(input: $input) { worktreeQueue { id } } }',
)

interface WaitingCardProps {
  readonly group: WaitingGroup
  onDone(): void
}

export function WaitingCard({ group, onDone }: WaitingCardProps) {
  const { severity, worktree, isPaused, message, holderIds, items } = group
  const { status, error, send } = useRequest<void>()
  const [first] = items
  const unseenIds = items.filter(({ isSeen }) => !isSeen).map(({ id }) => id)
  const isSeen = unseenIds.length === 0
  return (
    <li data-severity={severity} data-seen={isSeen}>
      <span>
        <span class="reason">{texts.kinds.ACTOR_STUCK}</span>{' '}
        {formatParts(texts.waiting, {
          count: items.length,
          worktree: (
            <a class="item-name" href={`/worktrees/${worktree.id}`}>
              {worktree.branch ?? worktree.path}
            </a>
          ),
        })}
      </span>
      <span class="item-time">
        {isSeen && `${texts.seen} · `}
        {first && <RelativeTime at={first.since} />}
      </span>
      <p>{message}</p>
      {holderIds.length > 0 && <Holders ids={holderIds} />}
      <div class="inbox-actions">
        {isPaused && (
          <ActionButton
            isBusy={status === 'pending'}
            onClick={() =>
              void send(requestGraphql(resumeMutation, { input: { worktreeId: worktree.id } }).then(onDone))
            }
          >
            {texts.actions.resume}
          </ActionButton>
        )}
        {!isSeen && (
          <MarkSeenButton itemIds={unseenIds} title={worktree.branch ?? worktree.path ?? worktree.id} onDone={onDone} />
        )}
      </div>
      {error && <ErrorMessage error={error} />}
      <details>
        <summary>{format(texts.show, { count: items.length })}</summary>
        <ul>
          {items.map(({ actorId, title }) => (
            <li key={actorId}>
              <a href={`/runs/${actorId}`}>{title}</a>
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

/** Links to the runs and builds that hold the slot, by their titles. */
function Holders({ ids }: { readonly ids: readonly string[] }) {
  const { data } = useQuery(holdersQuery, { ids })
  const titles = new Map(
    (data?.nodes ?? []).flatMap((node) => {
      if (node === null || !('id' in node)) return []
      return [[node.id, 'title' in node ? node.title : `${node.name} ${node.displayNumber}`] as const]
    }),
  )
  const links = listFormat.formatToParts(ids).map(({ type, value }) =>
    type === 'element' ? (
      <a key={value} href={getObjectPath(value)}>
        {titles.get(value) ?? value}
      </a>
    ) : (
      value
    ),
  )
  return <p>{formatParts(texts.heldBy, { runs: links })}</p>
}
