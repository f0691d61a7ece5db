import type { EntryKind } from '../../../machines/worktrees/admission.ts'
import { toDateTime } from '../../../spec/core/types.ts'

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
  /** The IDs of the runs and builds for which it waits. */
  readonly ids: readonly string[]
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
  readonly kind: EntryKind
  /** Whether it shares the slot of another run and holds none. */
  readonly sharesSlot: boolean
}

export interface QueuePicture {
  /** Null if it is not paused. */
  readonly pause: Pause | null
  readonly draining: boolean
  readonly revoked: boolean
  readonly reservedBy: string | null
  readonly holders: readonly SlotHolder[]
  /** The first waiting entry of each kind. While the queue is stopped, only child runs are considered. */
  readonly heads: Readonly<Partial<Record<EntryKind, QueuePosition>>>
  readonly exclusive: QueuePosition | undefined
}

/** A queue that is paused, or whose agent drains, admits nothing that is top-level. */
export const isStopped = ({ pause, draining }: Pick<QueuePicture, 'pause' | 'draining'>): boolean =>
  pause !== null || draining

/** A queued run or build. */
export interface QueuedEntry extends QueuePosition {
  readonly kind: EntryKind
  readonly limit: number
  readonly exclusive: boolean
  /** Whether no overlap policy holds it back. */
  readonly ready: boolean
  /** The runs that must end before the overlap policy admits it. */
  readonly overlaps: readonly string[]
  /** Whether a run started it. Then neither a drain nor a pause holds it back. */
  readonly child: boolean
}

const isBefore = (a: QueuePosition, b: QueuePosition): boolean =>
  a.queuedAt < b.queuedAt || (a.queuedAt === b.queuedAt && a.id < b.id)

export function blockedBy(entry: QueuedEntry, queue: QueuePicture): BlockedBy {
  const block = (reason: BlockReason, message: string, ids: readonly string[] = []): BlockedBy => ({
    reason,
    ids,
    message,
    pause: null,
  })
  const what = entry.kind === 'BUILD' ? 'build' : 'run'
  const peer = entry.kind === 'BUILD' ? 'build' : 'run of the same kind'
  const peers = entry.kind === 'BUILD' ? 'builds' : 'runs of the same kind'
  if (!entry.ready) {
    const message = 'The overlap policy of the workflow holds the run back until other runs have ended.'
    return block('OVERLAP', message, entry.overlaps)
  }
  if (queue.revoked) return block('AGENT_REVOKED', 'The agent was revoked.')
  if (queue.draining && !entry.child) return block('AGENT_DRAINING', 'The agent drains and starts no new work.')
  const { pause } = queue
  if (pause !== null && !entry.child) return { ...block('QUEUE_PAUSED', pausedMessage(pause)), pause }
  if (queue.reservedBy !== null) {
    return block('RESERVED', 'Another one is exclusive and has reserved the worktree.', [queue.reservedBy])
  }
  const { exclusive } = queue
  if (exclusive !== undefined && isBefore(exclusive, entry)) {
    return block('EXCLUSIVE_AHEAD', 'An earlier one is exclusive and waits for the worktree.', [exclusive.id])
  }
  const holders = queue.holders.filter((holder) => !holder.sharesSlot)
  if (entry.exclusive) {
    const earlier = Object.values(queue.heads).filter((head) => isBefore(head, entry))
    if (earlier.length > 0) {
      return block(
        'EARLIER_RUNS',
        `The ${what} is exclusive and waits for everything that was queued earlier.`,
        earlier.map(({ id }) => id),
      )
    }
    if (holders.length > 0) {
      return block(
        'WORKTREE_BUSY',
        `The ${what} is exclusive and waits until nothing uses the worktree.`,
        holders.map(({ id }) => id),
      )
    }
  }
  const head = queue.heads[entry.kind]
  if (head !== undefined && isBefore(head, entry)) {
    return block('SAME_KIND_AHEAD', `An earlier ${peer} waits.`, [head.id])
  }
  const same = holders.filter((holder) => holder.kind === entry.kind)
  if (entry.limit > 0 && same.length >= entry.limit) {
    const message = `Slots held by ${peers}: ${same.length}. The limit of this ${what}: ${entry.limit}.`
    return block(
      'CONCURRENCY_LIMIT',
      message,
      same.map(({ id }) => id),
    )
  }
  return block('STARTING', `Nothing holds the ${what} back. It starts now.`)
}

function pausedMessage(pause: Pause): string {
  const by = pause.by === null ? '' : ` by ${pause.by}`
  const why = pause.reason === null ? '.' : `: ${pause.reason}`
  return `The queue was paused${by} at ${toDateTime(pause.at)}${why}`
}

/** The phase of a queued run or build with this block reason. */
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
