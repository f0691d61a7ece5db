/** A worktree and its queue: the waiting runs in their order, the reasons, the reservation, and the pause or drain that stops all runs. */

import { type GraphqlDocument, graphql, type ResultOf } from '../data/graphql.ts'
import { createQueryStore } from '../data/queryStore.ts'
import { requestGraphql } from '../data/request.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSubscription } from '../data/useSubscription.ts'
import { formatCount } from '../parts/formatCount.ts'
import { ConfirmDialog } from '../parts/forms/ConfirmDialog.tsx'
import { ReasonField, readReason } from '../parts/forms/ReasonField.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { isNotFound, NotFound } from '../parts/messages/NotFound.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { useDialog } from '../state/dialogStore.ts'
import { useLocalStore } from '../state/useLocalStore.ts'
import { ReservedSlot } from './ReservedSlot.tsx'

const worktreeQuery = graphql(`query ($id: ID!) { worktree(id: $id) {
  id path branch headSha status statusError agent { id name } codebase { id path } runs { nodes { id title status createdAt } }
} }`)
const queueSubscription = graphql(`subscription ($id: ID!) { worktreeRunQueueChanged(worktreeId: $id) {
  worktreeQueue { id paused draining reservedByRunId queued slotsHeld }
  entries { id position kind displayNumber queuedAt exclusiveWorktree worktreeConcurrencyLimit blockedBy { message runIds } }
} }`)

type QueueState = ResultOf<typeof queueSubscription>['worktreeRunQueueChanged']
type QueueAction = 'pause' | 'resume'

export function WorktreePage({ id }: { readonly id: string }) {
  const { data, error, refresh } = useQuery(worktreeQuery, { id }, { everyMs: 10_000 })
  const [{ data: queue }, { trigger }] = useLocalStore(createQueryStore<QueueState>)
  useSubscription(
    queueSubscription,
    { id },
    {
      onData: ({ worktreeRunQueueChanged }) => {
        trigger.responded({ key: id, data: worktreeRunQueueChanged })
        refresh()
      },
    },
  )
  const worktree = data?.worktree
  useDocumentTitle([worktree && (worktree.branch ?? worktree.path), 'Worktree'])
  if (worktree === null || isNotFound(error)) return <NotFound message={`There is no worktree ${id}.`} />
  return (
    <section>
      <p class="crumbs">
        <a href="/repositories">Repositories</a>{' '}
        {worktree && <a href={`/actors/${worktree.codebase.id}`}>{worktree.codebase.path}</a>}
      </p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {worktree === undefined && !error && <Loading what={id} />}
      {worktree && (
        <>
          <h1>{worktree.branch ?? worktree.path}</h1>
          <p class="lead">
            <StatusBadge status={worktree.status} />
            <span>
              on <a href={`/actors/${worktree.agent.id}`}>{worktree.agent.name}</a>
            </span>
            <span class="path">{worktree.path}</span>
            {worktree.headSha && <span class="path">{worktree.headSha.slice(0, 12)}</span>}
            <a href={`/actors/${id}`}>Lifecycle</a>
          </p>
          {worktree.statusError && <p class="message">{worktree.statusError}</p>}
        </>
      )}
      {queue && <WorktreeQueue worktreeId={id} queue={queue} />}
      {worktree && (
        <>
          <h2>
            Latest runs{' '}
            <a class="heading-link" href={`/runs?worktree=${id}`}>
              All runs
            </a>
          </h2>
          {worktree.runs.nodes.length === 0 && <EmptyState title="No runs yet" />}
          <ul class="rows">
            {worktree.runs.nodes.map((run) => (
              <li key={run.id}>
                <a href={`/runs/${run.id}`}>{run.title}</a>
                <StatusBadge status={run.status} />
                <span />
                <RelativeTime at={run.createdAt} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

interface QueueActionTexts {
  readonly title: string
  readonly description: string
  readonly mutation: GraphqlDocument<unknown, { id: string; reason?: string | null }>
}

const queueActions: Readonly<Record<QueueAction, QueueActionTexts>> = {
  pause: {
    title: 'Pause queue',
    description: 'No new runs start. Active runs and their child runs continue.',
    mutation: graphql(
      'mutation ($id: ID!, $reason: String) { pauseWorktreeQueue(input: { worktreeId: $id, reason: $reason }) { worktreeQueue { id } } }',
    ),
  },
  resume: {
    title: 'Resume queue',
    description: 'New runs start again.',
    mutation: graphql(
      'mutation ($id: ID!, $reason: String) { resumeWorktreeQueue(input: { worktreeId: $id, reason: $reason }) { worktreeQueue { id } } }',
    ),
  },
}

function WorktreeQueue({ worktreeId, queue }: { readonly worktreeId: string; readonly queue: QueueState }) {
  const { dialog: pendingAction, open, close } = useDialog<QueueAction>()
  const { worktreeQueue, entries } = queue
  const { paused, draining, reservedByRunId, queued, slotsHeld } = worktreeQueue
  return (
    <section aria-labelledby="queue">
      <div class="heading-row">
        <h2 id="queue">
          Queue <span class="count">{queued.toLocaleString()}</span>
        </h2>
        <button type="button" class="quiet" onClick={() => open(paused ? 'resume' : 'pause')}>
          {paused ? 'Resume' : 'Pause'}
        </button>
      </div>
      <p class="note">
        {slotsHeld === 0 ? 'No active runs' : `${formatCount(slotsHeld, 'run holds', 'runs hold')} a slot`}
        {paused && ' · paused'}
        {draining && ' · the agent drains'} · <a href={`/actors/${worktreeQueue.id}`}>Lifecycle</a>
      </p>
      {reservedByRunId && <ReservedSlot worktreeId={worktreeId} runId={reservedByRunId} />}
      {entries.length === 0 && <p class="hint">The queue is empty.</p>}
      <ol class="queue">
        {entries.map(
          ({ id, position, kind, displayNumber, queuedAt, exclusiveWorktree, worktreeConcurrencyLimit, blockedBy }) => (
            <li key={id}>
              <span class="number">{position}</span>
              <a href={`/runs/${id}`}>
                {kind.toLowerCase()} {displayNumber}
              </a>
              <span>{blockedBy.message}</span>
              <span class="hint">
                {exclusiveWorktree && 'exclusive'}
                {worktreeConcurrencyLimit > 0 && `at most ${worktreeConcurrencyLimit} at once`}
              </span>
              <ConcurrencyLimit runId={id} limit={worktreeConcurrencyLimit} />
              <RelativeTime at={queuedAt} />
            </li>
          ),
        )}
      </ol>
      {queued > entries.length && <p class="hint">The first {entries.length} runs are shown.</p>}
      {pendingAction && (
        <ConfirmDialog
          title={queueActions[pendingAction].title}
          confirmLabel={queueActions[pendingAction].title}
          onClose={close}
          onConfirm={async (formData) => {
            await requestGraphql(queueActions[pendingAction].mutation, { id: worktreeId, reason: readReason(formData) })
          }}
        >
          <p>{queueActions[pendingAction].description}</p>
          <ReasonField />
        </ConfirmDialog>
      )}
    </section>
  )
}

const limitMutation = graphql(`mutation ($runId: ID!, $limit: Int!) {
  updateRunConfiguration(input: { runId: $runId, configuration: { worktreeConcurrencyLimit: $limit } }) { run { id } }
}`)

function ConcurrencyLimit({ runId, limit }: { readonly runId: string; readonly limit: number }) {
  const { dialog, open, close } = useDialog<'limit'>()
  return (
    <>
      <button type="button" class="quiet" aria-label="Change limit" onClick={() => open('limit')}>
        Limit
      </button>
      {dialog && (
        <ConfirmDialog
          title="Change concurrency limit"
          confirmLabel="Change limit"
          onClose={close}
          onConfirm={async (formData) => {
            await requestGraphql(limitMutation, { runId, limit: Number(formData.get('limit')) })
          }}
        >
          <div class="field">
            <label for="limit">
              Maximum at once <span class="hint">0 means no limit</span>
            </label>
            <input id="limit" name="limit" type="number" min={0} max={32} required defaultValue={String(limit)} />
          </div>
        </ConfirmDialog>
      )}
    </>
  )
}
