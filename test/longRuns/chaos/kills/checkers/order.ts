/**
 * No entry overtakes an earlier one of its kind, or an earlier exclusive one. An exclusive one waits for all earlier entries.
 * An entry that shares a slot waits for nothing.
 */
import { type ReplayedEntry, replayQueues } from '../queueReplay.ts'
import type { Checker } from '../seen.ts'

export const orderHolds: Checker = (seen) =>
  replayQueues(seen).admissions.flatMap(({ queueId, seq, entry, waiting }) => {
    if (entry.rides !== null) return []
    const passed = waiting.find(
      (other) => isBefore(other, entry) && (other.kind === entry.kind || other.exclusive || entry.exclusive),
    )
    if (passed === undefined) return []
    const what = `${entry.id} passed ${passed.id}, which was queued before it, in transition ${seq} of ${queueId}`
    return [{ what, ids: [entry.id, passed.id, queueId] }]
  })

const isBefore = (a: ReplayedEntry, b: ReplayedEntry): boolean =>
  a.queuedAt < b.queuedAt || (a.queuedAt === b.queuedAt && a.id < b.id)
