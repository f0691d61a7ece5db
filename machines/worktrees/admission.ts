/**
 * Decides which runs may start on a worktree, as pure functions over the queue's book:
 *
 * - The order is (queuedAt, id). No entry passes an earlier one of its kind, or an earlier exclusive one.
 * - An entry starts if fewer runs of its kind hold a slot than its own limit (0: no limit).
 * - An exclusive entry waits for all earlier entries and until the worktree is empty. Then it reserves the worktree: until its slot is
 *   freed, no other entry starts, except runs that share its slot.
 * - An entry that waits for the overlap policy of its workflow blocks no other entry.
 * - A run shares the slot of the nearest run above it that holds one here, however many worktrees are between them. It waits for nothing,
 *   because the runs above it wait for it.
 * - A build of the files of the worktree is an entry as a run is, of a kind of its own.
 * - While the queue is paused or its agent drains, top-level runs are set aside. They do not start, and they do not delay the runs that
 *   active runs elsewhere have started. These follow the rules above among themselves, and count the slots that are held.
 * - A slot is freed when its run has ended, no process of it can change the worktree, and no run shares it any more.
 *
 * The members of the book: `run/<id>` is an entry, and `held/<id>` is a run that holds or shares a slot. Two indexes have the entries that
 * wait: `wait/<kind>/<queuedAt>/<id>` and `excl/<queuedAt>/<id>`. Entries with a run above them also have a copy of these keys under
 * `sub/`. Each decision reads only the first keys: O(log n).
 */
import { Members } from '../framework/members.ts'
import { queueMembers } from './queueKeys.ts'

const entryKinds = ['PLAN', 'SESSION', 'WORKFLOW', 'BUILD'] as const
export type EntryKind = (typeof entryKinds)[number]
export type RunKind = Exclude<EntryKind, 'BUILD'>

export type Entry = {
  readonly kind: EntryKind
  /** `worktreeConcurrencyLimit`. 0 is no limit. */
  readonly limit: number
  readonly exclusive: boolean
  /** Milliseconds since 1970. The queue sets it. */
  readonly queuedAt: number
  /** The revision of the configuration. An older one that arrives later is ignored. */
  readonly revision: number
  readonly state: 'OVERLAP' | 'WAITING' | 'HELD'
  /** Whether another run started it. */
  readonly child: boolean
  /** The run whose slot it shares. */
  readonly rides: string | null
  readonly ended: boolean
  /** Whether no process of its jobs can change the worktree. */
  readonly settled: boolean
  /** How many of its jobs have settled, and how many it had. Absent until the first one settles or the entry ends. */
  readonly settles?: number
  readonly jobs?: number
  /** The number of runs that share its slot. */
  readonly riders: number
}

/** Queues from before builds could hold slots have no number of them. */
export type Held = Readonly<Record<RunKind, number>> & { readonly BUILD?: number }

export interface Book {
  readonly members: Members
  /** Slots held, by kind. Runs that share a slot are not counted. */
  readonly held: Held
  /** The exclusive run that has reserved the worktree. */
  readonly reservedBy: string | null
  readonly lastQueuedAt: number
}

export const emptyBook: Book = Object.freeze({
  members: Members.empty,
  held: Object.freeze({ PLAN: 0, SESSION: 0, WORKFLOW: 0, BUILD: 0 }),
  reservedBy: null,
  lastQueuedAt: 0,
})

const stamp = (queuedAt: number): string => String(queuedAt).padStart(13, '0')

/** The keys of a waiting entry in the indexes. */
function waitKeys(id: string, { kind, queuedAt, exclusive, child }: Entry): readonly string[] {
  const rank = `${stamp(queuedAt)}/${id}`
  const indexes = child ? [queueMembers.all, queueMembers.children] : [queueMembers.all]
  return indexes.flatMap((index) => [
    index.waiting(kind).toKey(rank),
    ...(exclusive ? [index.exclusive.toKey(rank)] : []),
  ])
}

/** `<queuedAt>/<id>`. Entries of all kinds are compared by it. */
const rankOf = (key: string): string => key.slice(key.lastIndexOf('/', key.lastIndexOf('/') - 1) + 1)

/** The nearest run above that holds a slot here, or shares one. */
function slotAbove(book: Book, above: readonly string[]): string | null {
  return above.findLast((id) => entryOf(book, id)?.state === 'HELD') ?? null
}

export function entryOf(book: Book, id: string): Entry | undefined {
  return book.members.get(queueMembers.run.toKey(id)) as Entry | undefined
}

export function slotsHeld({ held }: Pick<Book, 'held'>): number {
  return entryKinds.reduce((sum, kind) => sum + heldOf(held, kind), 0)
}

const heldOf = (held: Held, kind: EntryKind): number => held[kind] ?? 0

/** Adds an entry at the end of the order. If a run above it holds a slot here, the entry shares it at once. */
export function place(
  book: Book,
  id: string,
  entry: Pick<Entry, 'kind' | 'limit' | 'exclusive' | 'revision'> & { readonly ready: boolean },
  above: readonly string[],
  at: number,
): { readonly book: Book; readonly entry: Entry } {
  const queuedAt = Math.max(at, book.lastQueuedAt)
  const { ready, ...asked } = entry
  const rides = ready ? slotAbove(book, above) : null
  const placed: Entry = {
    ...asked,
    queuedAt,
    state: rides !== null ? 'HELD' : ready ? 'WAITING' : 'OVERLAP',
    child: above.length > 0,
    rides,
    ended: false,
    settled: false,
    riders: 0,
  }
  const next = { ...book, lastQueuedAt: queuedAt, members: index(book.members, id, placed) }
  return { book: rides === null ? next : addSharer(next, rides, 1), entry: placed }
}

/** Applies a change of a queued entry's own limit or readiness. */
export function configure(
  book: Book,
  id: string,
  change: { readonly limit: number; readonly ready: boolean; readonly revision: number },
  above: readonly string[],
): Book {
  const entry = entryOf(book, id)
  if (entry === undefined || entry.state === 'HELD' || change.revision <= entry.revision) return book
  const rides = change.ready ? slotAbove(book, above) : null
  const next: Entry = {
    ...entry,
    limit: change.limit,
    revision: change.revision,
    rides,
    state: rides !== null ? 'HELD' : change.ready ? 'WAITING' : 'OVERLAP',
  }
  const changed = { ...book, members: index(unindex(book.members, id, entry), id, next) }
  return rides === null ? changed : addSharer(changed, rides, 1)
}

/**
 * The next entry that may start now, the earliest first. Undefined if none may, for example because an exclusive run has reserved the
 * worktree.
 * @param stopped top-level runs are set aside
 */
export function admissible(book: Book, stopped: boolean): string | undefined {
  if (book.reservedBy !== null) return undefined
  const heads = stopped ? queueMembers.children : queueMembers.all
  const exclusive = book.members.first(heads.exclusive.prefix)
  const exclusiveRank = exclusive && rankOf(exclusive[0])
  let earliest: { readonly rank: string; readonly id: string } | undefined
  let first: string | undefined
  for (const kind of entryKinds) {
    const head = book.members.first(heads.waiting(kind).prefix)
    if (head === undefined) continue
    const rank = rankOf(head[0])
    if (first === undefined || rank < first) first = rank
    if (exclusiveRank !== undefined && exclusiveRank <= rank) continue
    const id = rank.slice(rank.indexOf('/') + 1)
    const entry = entryOf(book, id)
    if (entry === undefined || (entry.limit > 0 && heldOf(book.held, kind) >= entry.limit)) continue
    if (earliest === undefined || rank < earliest.rank) earliest = { rank, id }
  }
  if (earliest !== undefined) return earliest.id
  if (exclusiveRank === undefined || exclusiveRank !== first || slotsHeld(book) > 0) return undefined
  return exclusiveRank.slice(exclusiveRank.indexOf('/') + 1)
}

/** Gives the entry its slot. If the entry is exclusive, it also reserves the worktree. */
export function admit(book: Book, id: string): Book {
  const entry = entryOf(book, id)
  if (entry === undefined || entry.state === 'HELD') return book
  return {
    ...book,
    members: index(unindex(book.members, id, entry), id, { ...entry, state: 'HELD' }),
    held: { ...book.held, [entry.kind]: heldOf(book.held, entry.kind) + 1 },
    reservedBy: entry.exclusive ? id : book.reservedBy,
  }
}

/** Either fact may be known first. `settled` is true if nothing of the entry can change the worktree, however many jobs it had. */
interface EntryFacts {
  readonly ended?: { readonly jobs: number }
  readonly jobSettled?: true
  readonly settled?: true
}

/** Marks a run that holds a slot as ended or settled, and frees the slots that are not used any more. */
export function mark(book: Book, id: string, known: EntryFacts): Book {
  const entry = entryOf(book, id)
  if (entry === undefined) return book
  const { ended, jobSettled = false, settled = false } = known
  const before = entry.settles ?? (entry.settled ? 1 : 0)
  const settles = settled ? Number.MAX_SAFE_INTEGER : before + (jobSettled ? 1 : 0)
  // The number of jobs is known at the end. Until then `settled` decides nothing.
  const jobs = ended?.jobs ?? entry.jobs ?? 1
  const isEnded = entry.ended || ended !== undefined
  return give(replace(book, id, { ...entry, ended: isEnded, settled: settles >= jobs, settles, jobs }), id)
}

/** Removes an entry and all that it holds: the run never started. */
export function remove(book: Book, id: string): Book {
  const entry = entryOf(book, id)
  if (entry === undefined) return book
  if (entry.state === 'HELD') return mark(book, id, { ended: { jobs: 0 }, settled: true })
  return { ...book, members: unindex(book.members, id, entry).without(queueMembers.run.toKey(id)) }
}

/** Frees the slot if its run has ended, no process can change the worktree, and nothing shares the slot. Then the slot that it shared, in the same way. */
function give(book: Book, id: string): Book {
  let next = book
  let current: string | null = id
  while (current !== null) {
    const entry = entryOf(next, current)
    if (entry === undefined || !entry.ended || !entry.settled || entry.riders > 0) return next
    const { rides } = entry
    next = {
      ...next,
      members: next.members.without(queueMembers.run.toKey(current)).without(queueMembers.held.toKey(current)),
      held: rides === null ? { ...next.held, [entry.kind]: heldOf(next.held, entry.kind) - 1 } : next.held,
      reservedBy: next.reservedBy === current ? null : next.reservedBy,
    }
    if (rides !== null) next = addSharer(next, rides, -1)
    current = rides
  }
  return next
}

function addSharer(book: Book, id: string, by: 1 | -1): Book {
  const entry = entryOf(book, id)
  return entry === undefined ? book : replace(book, id, { ...entry, riders: entry.riders + by })
}

function replace(book: Book, id: string, entry: Entry): Book {
  return { ...book, members: book.members.with(queueMembers.run.toKey(id), entry) }
}

function index(members: Members, id: string, entry: Entry): Members {
  let next = members.with(queueMembers.run.toKey(id), entry)
  if (entry.state === 'HELD') next = next.with(queueMembers.held.toKey(id), { kind: entry.kind, rides: entry.rides })
  if (entry.state === 'WAITING') for (const key of waitKeys(id, entry)) next = next.with(key, true)
  return next
}

function unindex(members: Members, id: string, entry: Entry): Members {
  if (entry.state !== 'WAITING') return members
  return waitKeys(id, entry).reduce((left, key) => left.without(key), members)
}
