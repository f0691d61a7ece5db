/**
 * Replays the queue's journal with the rules of admission, independently of the code that decided. For every admission that was
 * sent: the waiting runs, the holders of slots, and the parameters of each. A step of a
 * workflow is an entry too, and shares the slot of its run.
 */
import type { Seen, SeenTransition } from './seen.ts'

export interface ReplayedEntry {
  readonly id: string
  readonly kind: string
  readonly exclusive: boolean
  readonly queuedAt: number
  limit: number
  ready: boolean
  revision: number
  /** The runs above it, the topmost first. */
  readonly above: readonly string[]
  held: boolean
  /** The run above it whose slot it shares. */
  rides: string | null
  ended: boolean
  /** How many of its jobs have settled, and how many it had. */
  settles: number
  jobs: number
}

export interface Admission {
  readonly queueId: string
  readonly seq: number
  readonly entry: ReplayedEntry
  readonly paused: boolean
  /** The runs that held a slot of their own just before. */
  readonly holders: readonly ReplayedEntry[]
  /** Other waiting runs that might have started instead. If the queue is paused, only those that other runs have started. */
  readonly waiting: readonly ReplayedEntry[]
}

export interface Replayed {
  readonly admissions: readonly Admission[]
  /** The runs that still hold a slot at the end. */
  readonly holding: readonly { readonly queueId: string; readonly id: string }[]
  /** Admissions of runs that were never queued. */
  readonly strangers: readonly { readonly queueId: string; readonly id: string }[]
}

/** The kinds that a queue admits. */
const queued: ReadonlySet<string> = new Set(['run', 'build', 'workflowStep'])

export function replayQueues(seen: Seen): Replayed {
  const replayed = {
    admissions: [] as Admission[],
    holding: [] as Replayed['holding'][number][],
    strangers: [] as Replayed['strangers'][number][],
  }
  const admitted = admissionsOf(seen)
  for (const { id, kind } of seen.actors.values()) {
    if (kind !== 'worktreeQueue') continue
    const entries = new Map<string, ReplayedEntry>()
    let paused = false
    let lastQueuedAt = 0
    for (const transition of seen.journal.get(id) ?? []) {
      if (transition.event === 'pause') paused = true
      if (transition.event === 'resume') paused = false
      lastQueuedAt = take(entries, transition, lastQueuedAt)
      for (const runId of admitted.get(`${id}:${transition.seq}`) ?? []) {
        const entry = entries.get(runId)
        if (entry === undefined) {
          replayed.strangers.push({ queueId: id, id: runId })
          continue
        }
        const others = [...entries.values()].filter((other) => other !== entry)
        const holders = others.filter(({ held, rides }) => held && rides === null)
        const waiting = others.filter(({ held, ready, above }) => !held && ready && (!paused || above.length > 0))
        entry.rides = slotAbove(entries, entry, transition)
        replayed.admissions.push({ queueId: id, seq: transition.seq, entry: { ...entry }, paused, holders, waiting })
        entry.held = true
        giveBack(entries, entry)
      }
    }
    for (const entry of entries.values()) if (entry.held) replayed.holding.push({ queueId: id, id: entry.id })
  }
  return replayed
}

/** Only an entry that has just become ready shares a slot. */
function slotAbove(
  entries: ReadonlyMap<string, ReplayedEntry>,
  { id, above }: ReplayedEntry,
  { event, payload }: SeenTransition,
): string | null {
  if ((event !== 'enqueue' && event !== 'configure') || payload.runId !== id) return null
  return above.findLast((one) => entries.get(one)?.held) ?? null
}

/**
 * By `queue:sequence`: the runs, builds and steps that the transition admitted, in order. Their journals name it as their cause, or a
 * refusal came back.
 */
function admissionsOf({ journal, actors }: Seen): Map<string, string[]> {
  const found = new Map<string, { readonly n: number; readonly id: string }[]>()
  const note = (effectId: string | undefined, id: string): void => {
    const match = /^(.*:\d+):(\d+)$/.exec(effectId ?? '')
    if (match?.[1] === undefined) return
    const list = found.get(match[1]) ?? []
    list.push({ n: Number(match[2]), id })
    found.set(match[1], list)
  }
  for (const { id, kind } of actors.values()) {
    for (const { event, cause, payload } of journal.get(id) ?? []) {
      if (queued.has(kind) && event === 'admit') note(cause.id, id)
      if (kind === 'worktreeQueue' && event === 'refused' && payload.sent === 'admit')
        note(cause.id, String(payload.echo))
    }
  }
  return new Map([...found].map(([at, list]) => [at, list.sort((a, b) => a.n - b.n).map(({ id }) => id)]))
}

function take(
  entries: Map<string, ReplayedEntry>,
  { event, payload, at }: SeenTransition,
  lastQueuedAt: number,
): number {
  const entry = entries.get(String(payload.holderId ?? payload.runId))
  switch (event) {
    case 'enqueue': {
      const queuedAt = Math.max(at, lastQueuedAt)
      entries.set(String(payload.runId), {
        id: String(payload.runId),
        kind: String(payload.kind),
        exclusive: payload.exclusive === true,
        queuedAt,
        limit: Number(payload.limit),
        ready: payload.ready === true,
        revision: Number(payload.revision),
        above: (payload.above ?? []) as readonly string[],
        held: false,
        rides: null,
        ended: false,
        settles: 0,
        jobs: 1,
      })
      return queuedAt
    }
    case 'configure':
      if (entry === undefined || entry.held || Number(payload.revision) <= entry.revision) break
      entry.limit = Number(payload.limit)
      entry.ready = payload.ready === true
      entry.revision = Number(payload.revision)
      break
    case 'withdraw':
      if (entry !== undefined) remove(entries, entry)
      break
    case 'refused': {
      const told = entries.get(String(payload.echo))
      if (told !== undefined && (payload.sent === 'admit' || !told.held)) remove(entries, told)
      break
    }
    case 'ended':
    case 'settled':
    case 'releaseSlot':
      if (entry === undefined) break
      if (event === 'ended') {
        entry.ended = true
        entry.jobs = Number(payload.jobs ?? 1)
      } else entry.settles = event === 'settled' ? entry.settles + 1 : Number.POSITIVE_INFINITY
      giveBack(entries, entry)
  }
  return lastQueuedAt
}

/** It never started, so it does not need its slot. */
function remove(entries: Map<string, ReplayedEntry>, entry: ReplayedEntry): void {
  if (!entry.held) {
    entries.delete(entry.id)
    return
  }
  entry.ended = true
  entry.settles = Number.POSITIVE_INFINITY
  giveBack(entries, entry)
}

/** A slot is given back when nothing uses it any more. The slot that was shared may then be free too. */
function giveBack(entries: Map<string, ReplayedEntry>, entry: ReplayedEntry): void {
  let current: ReplayedEntry | undefined = entry
  while (current?.held && current.ended && current.settles >= current.jobs) {
    const { id, rides }: ReplayedEntry = current
    if ([...entries.values()].some((other) => other.held && other.rides === id)) return
    entries.delete(id)
    current = rides === null ? undefined : entries.get(rides)
  }
}
