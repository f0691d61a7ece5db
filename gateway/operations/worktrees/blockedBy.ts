import { toDateTime } from '../../../spec/core/types.ts'

export type RunKind = 'PLAN' | 'SESSION' | 'WORKFLOW'

export type BlockReason =
  | 'OVERLAP'
  | 'AGENT_REVOKED'
  | 'AGENT_DRAINING'
  | 'QUEUE_PAUSED'
  | 'RESERVED'
  | 'EXCLUSIVE_AHEAD'
  | 'EARLIER_RUNS'
  | 'WORKTREE_BUSY'
  | 'SAME_KIND_AHEAD'
  | 'CONCURRENCY_LIMIT'
  | 'STARTING'

export interface BlockedBy {
  readonly reason: BlockReason
  /** The IDs of the runs that the run waits for, at most 20. `runCount` is the number of all. */
  readonly runIds: readonly string[]
  readonly runCount: number
  /** Set if the reason is QUEUE_PAUSED. */
  readonly pause: Pause | null
  readonly message: string
}

export interface Pause {
  /** `principalName` of who paused the queue. */
  readonly by: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  readonly reason: string | null
}

export interface QueuePosition {
  readonly id: string
  readonly queuedAt: number
}

export interface SlotHolder {
  readonly id: string
  readonly kind: RunKind
  /** Whether the run shares the slot of another run and holds none. */
  readonly sharesSlot: boolean
}

export interface QueuePicture {
  /** Null if it is not paused. */
  readonly pause: Pause | null
  readonly draining: boolean
  readonly revoked: boolean
  readonly reservedBy: string | null
  readonly holders: readonly SlotHolder[]
  /** The first waiting run of each kind. While the queue is stopped, only child runs are considered. */
  readonly heads: Readonly<Partial<Record<RunKind, QueuePosition>>>
  readonly exclusive: QueuePosition | undefined
}

/** A queue that is paused, or whose agent drains, admits no top-level run. */
export const isStopped = ({ pause, draining }: Pick<QueuePicture, 'pause' | 'draining'>): boolean =>
  pause !== null || draining

export interface QueuedRun extends QueuePosition {
  readonly kind: RunKind
  readonly limit: number
  readonly exclusive: boolean
  /** Whether no overlap policy holds the run back. */
  readonly ready: boolean
  /** The runs that must end before the overlap policy admits the run. */
  readonly overlaps: readonly string[]
  /** Whether another run started it. Neither a drain nor a pause holds a child run back. */
  readonly child: boolean
}

const most = 20

const isBefore = (a: QueuePosition, b: QueuePosition): boolean =>
  a.queuedAt < b.queuedAt || (a.queuedAt === b.queuedAt && a.id < b.id)

export function blockedBy(run: QueuedRun, queue: QueuePicture): BlockedBy {
  const block = (reason: BlockReason, message: string, ids: readonly string[] = []): BlockedBy => ({
    reason,
    runIds: ids.slice(0, most),
    runCount: ids.length,
    message,
    pause: null,
  })
  if (!run.ready) {
    const message = 'The overlap policy of the workflow holds the run back until other runs have ended.'
    return block('OVERLAP', message, run.overlaps)
  }
  if (queue.revoked) return block('AGENT_REVOKED', 'The agent was revoked.')
  if (queue.draining && !run.child) return block('AGENT_DRAINING', 'The agent drains and starts no new runs.')
  const { pause } = queue
  if (pause !== null && !run.child) return { ...block('QUEUE_PAUSED', pausedMessage(pause)), pause }
  if (queue.reservedBy !== null) {
    return block('RESERVED', 'An exclusive run has reserved the worktree.', [queue.reservedBy])
  }
  const { exclusive } = queue
  if (exclusive !== undefined && isBefore(exclusive, run)) {
    return block('EXCLUSIVE_AHEAD', 'An earlier exclusive run waits for the worktree.', [exclusive.id])
  }
  const holders = queue.holders.filter((holder) => !holder.sharesSlot)
  if (run.exclusive) {
    const earlier = Object.values(queue.heads).filter((head) => isBefore(head, run))
    if (earlier.length > 0) {
      return block(
        'EARLIER_RUNS',
        'The run is exclusive and waits for all earlier runs.',
        earlier.map(({ id }) => id),
      )
    }
    if (holders.length > 0) {
      return block(
        'WORKTREE_BUSY',
        'The run is exclusive and waits until the worktree is empty.',
        holders.map(({ id }) => id),
      )
    }
  }
  const head = queue.heads[run.kind]
  if (head !== undefined && isBefore(head, run)) {
    return block('SAME_KIND_AHEAD', 'An earlier run of the same kind waits.', [head.id])
  }
  const same = holders.filter((holder) => holder.kind === run.kind)
  if (run.limit > 0 && same.length >= run.limit) {
    const message = `Slots held by runs of the same kind: ${same.length}. The limit of this run: ${run.limit}.`
    return block(
      'CONCURRENCY_LIMIT',
      message,
      same.map(({ id }) => id),
    )
  }
  return block('STARTING', 'Nothing holds the run back. It starts now.')
}

function pausedMessage(pause: Pause): string {
  const by = pause.by === null ? '' : ` by ${pause.by}`
  const why = pause.reason === null ? '.' : `: ${pause.reason}`
  return `The queue was paused${by} at ${toDateTime(pause.at)}${why}`
}

/** The phase of a queued run with this block reason. */
export function phaseOf(reason: BlockReason): string {
  switch (reason) {
    case 'OVERLAP':
      return 'WAITING_FOR_OVERLAP'
    case 'AGENT_DRAINING':
    case 'AGENT_REVOKED':
      return 'WAITING_FOR_AGENT'
    case 'SAME_KIND_AHEAD':
    case 'CONCURRENCY_LIMIT':
      return 'WAITING_FOR_CONCURRENCY'
    default:
      return 'WAITING_FOR_WORKTREE'
  }
}
