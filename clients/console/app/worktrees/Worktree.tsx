/** A worktree and its queue: the waiting runs in their order, the reasons, the reservation, and the pause or drain that stops all runs. */

import { useEffect, useState } from 'preact/hooks'
import { ask } from '../data/ask.ts'
import { follow, returns } from '../data/live.ts'
import { useQuery } from '../data/useQuery.ts'
import { Asking } from '../parts/Asking.tsx'
import { counted } from '../parts/counted.ts'
import { Lamp } from '../parts/Lamp.tsx'
import { Missing, namesNothing } from '../parts/Missing.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Empty, Loading, Refused } from '../parts/Notice.tsx'
import { Reason, reasonIn } from '../parts/Reason.tsx'
import { useTitle } from '../parts/useTitle.ts'

interface WorktreeFacts {
  readonly id: string
  readonly path: string | null
  readonly branch: string | null
  readonly headSha: string | null
  readonly status: string
  readonly statusError: string | null
  readonly agent: { readonly id: string; readonly name: string }
  readonly codebase: { readonly id: string; readonly path: string }
  readonly runs: {
    readonly nodes: readonly {
      readonly id: string
      readonly title: string
      readonly status: string
      readonly createdAt: string
    }[]
  }
}
interface Queue {
  readonly worktreeQueue: {
    readonly id: string
    readonly paused: boolean
    readonly draining: boolean
    readonly reservedByRunId: string | null
    readonly queued: number
    readonly slotsHeld: number
  }
  readonly entries: readonly {
    readonly id: string
    readonly position: number
    readonly kind: string
    readonly displayNumber: number
    readonly queuedAt: string
    readonly exclusiveWorktree: boolean
    readonly worktreeConcurrencyLimit: number
    readonly blockedBy: { readonly message: string; readonly runIds: readonly string[] }
  }[]
}

const query = `query ($id: ID!) { worktree(id: $id) {
  id path branch headSha status statusError agent { id name } codebase { id path } runs { nodes { id title status createdAt } }
} }`
const queued = `subscription ($id: ID!) { worktreeRunQueueChanged(worktreeId: $id) {
  worktreeQueue { id paused draining reservedByRunId queued slotsHeld }
  entries { id position kind displayNumber queuedAt exclusiveWorktree worktreeConcurrencyLimit blockedBy { message runIds } }
} }`

export function Worktree({ id }: { readonly id: string }) {
  const { data, refusal, refresh } = useQuery<{ worktree: WorktreeFacts | null }>(query, { id }, { everyMs: 10_000 })
  const [queue, setQueue] = useState<Queue>()
  const returned = returns.value
  useEffect(
    () =>
      follow<{ worktreeRunQueueChanged: Queue }>(queued, { id }, ({ worktreeRunQueueChanged }) => {
        setQueue(worktreeRunQueueChanged)
        refresh()
      }),
    [id, returned],
  )
  const worktree = data?.worktree
  useTitle([worktree && (worktree.branch ?? worktree.path), 'Worktree'])
  if (worktree === null || namesNothing(refusal)) return <Missing what={`There is no worktree ${id}.`} />
  return (
    <section>
      <p class="crumbs">
        <a href="/codebases">Codebases</a>{' '}
        {worktree && <a href={`/actors/${worktree.codebase.id}`}>{worktree.codebase.path}</a>}
      </p>
      {refusal && <Refused refusal={refusal} byItself />}
      {worktree === undefined && !refusal && <Loading what={id} />}
      {worktree && (
        <>
          <h1>{worktree.branch ?? worktree.path}</h1>
          <p class="lead">
            <Lamp status={worktree.status} />
            <span>
              on <a href={`/actors/${worktree.agent.id}`}>{worktree.agent.name}</a>
            </span>
            <span class="path">{worktree.path}</span>
            {worktree.headSha && <span class="path">{worktree.headSha.slice(0, 12)}</span>}
            <a href={`/actors/${id}`}>its lifecycle</a>
          </p>
          {worktree.statusError && <p class="message">{worktree.statusError}</p>}
        </>
      )}
      {queue && <Waiting worktreeId={id} queue={queue} />}
      {worktree && (
        <>
          <h2>
            Latest runs{' '}
            <a class="more" href={`/runs?worktree=${id}`}>
              all
            </a>
          </h2>
          {worktree.runs.nodes.length === 0 && <Empty title="None yet" />}
          <ul class="rows">
            {worktree.runs.nodes.map((run) => (
              <li key={run.id}>
                <a href={`/runs/${run.id}`}>{run.title}</a>
                <Lamp status={run.status} />
                <span />
                <Moment at={run.createdAt} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const steering = {
  pause: {
    title: 'Pause the queue',
    says: 'Nobody new is let in. What runs goes on, and so does what that starts.',
    mutation:
      'mutation ($id: ID!, $reason: String) { pauseWorktreeQueue(input: { worktreeId: $id, reason: $reason }) { worktreeQueue { id } } }',
  },
  resume: {
    title: 'Resume the queue',
    says: 'Runs are let in again.',
    mutation:
      'mutation ($id: ID!, $reason: String) { resumeWorktreeQueue(input: { worktreeId: $id, reason: $reason }) { worktreeQueue { id } } }',
  },
  release: {
    title: 'Release the reservation',
    says: 'The worktree is given free though nobody confirmed that the exclusive run left nothing behind. Only where you know that nothing of it runs any more.',
    mutation:
      'mutation ($id: ID!, $reason: String) { releaseWorktreeReservation(input: { worktreeId: $id, reason: $reason }) { worktreeQueue { id } } }',
  },
} as const

function Waiting({ worktreeId, queue }: { readonly worktreeId: string; readonly queue: Queue }) {
  const [steered, setSteered] = useState<keyof typeof steering>()
  const { worktreeQueue, entries } = queue
  const { paused, draining, reservedByRunId, queued: count, slotsHeld } = worktreeQueue
  return (
    <section aria-labelledby="queue">
      <div class="top">
        <h2 id="queue">
          Queue <span class="count">{count.toLocaleString()}</span>
        </h2>
        <button type="button" class="quiet" onClick={() => setSteered(paused ? 'resume' : 'pause')}>
          {paused ? 'Resume' : 'Pause'}
        </button>
      </div>
      <p class="note">
        {slotsHeld === 0 ? 'Nobody runs here' : `${counted(slotsHeld, 'run holds', 'runs hold')} a slot`}
        {paused && ' · a person has paused it'}
        {draining && ' · its agent drains'} · <a href={`/actors/${worktreeQueue.id}`}>its lifecycle</a>
      </p>
      {reservedByRunId && (
        <p class="note">
          Reserved for <a href={`/runs/${reservedByRunId}`}>an exclusive run</a>{' '}
          <button type="button" class="quiet" onClick={() => setSteered('release')}>
            Release
          </button>
        </p>
      )}
      {entries.length === 0 && <p class="hint">Nobody waits.</p>}
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
              <Limit runId={id} limit={worktreeConcurrencyLimit} />
              <Moment at={queuedAt} />
            </li>
          ),
        )}
      </ol>
      {count > entries.length && <p class="hint">The first {entries.length} are shown.</p>}
      {steered && (
        <Asking
          title={steering[steered].title}
          yes={steering[steered].title}
          close={() => setSteered(undefined)}
          doIt={async (given) => {
            await ask(steering[steered].mutation, { id: worktreeId, reason: reasonIn(given) })
          }}
        >
          <p>{steering[steered].says}</p>
          <Reason />
        </Asking>
      )}
    </section>
  )
}

const limited = `mutation ($runId: ID!, $limit: Int!) {
  updateRunConfiguration(input: { runId: $runId, configuration: { worktreeConcurrencyLimit: $limit } }) { run { id } }
}`

function Limit({ runId, limit }: { readonly runId: string; readonly limit: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="quiet" aria-label="Change its limit" onClick={() => setOpen(true)}>
        Limit
      </button>
      {open && (
        <Asking
          title="How many of its kind may run beside it"
          yes="Change it"
          close={() => setOpen(false)}
          doIt={async (given) => {
            await ask(limited, { runId, limit: Number(given.get('limit')) })
          }}
        >
          <div class="field">
            <label for="limit">
              At most <span class="hint">0 is no limit</span>
            </label>
            <input id="limit" name="limit" type="number" min={0} max={32} required defaultValue={String(limit)} />
          </div>
        </Asking>
      )}
    </>
  )
}
