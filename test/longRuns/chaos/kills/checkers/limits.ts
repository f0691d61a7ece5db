/** Limits and reservations, by the queues' journals and by the records of the commands. */
import { kindOfId } from '../../../../../spec/core/ids.ts'
import { jobOf, readJobWork } from '../jobWork.ts'
import { type Replayed, type ReplayedEntry, replayQueues } from '../queueReplay.ts'
import type { Checker, Seen, Violation } from '../seen.ts'

export const limitsHold: Checker = (seen) => {
  const replayed = replayQueues(seen)
  return [...byJournal(seen, replayed), ...byCommands(seen, replayed)]
}

function byJournal(seen: Seen, { admissions, holding, strangers }: Replayed): Violation[] {
  const violations: Violation[] = []
  for (const { queueId, seq, entry, holders, paused } of admissions) {
    const ids = [entry.id, queueId]
    const say = (what: string) =>
      violations.push({ what: `${entry.id} was admitted by transition ${seq} of ${queueId} ${what}`, ids })
    if (!entry.ready) say('while its overlap policy delayed it')
    // It shares the slot of a run above it, so it takes none of its own.
    if (entry.rides !== null) continue
    if (kindOfId(entry.id) === 'workflowStep') say('while its run held no slot')
    const same = holders.filter(({ kind }) => kind === entry.kind)
    if (entry.limit > 0 && same.length >= entry.limit)
      say(`beside ${same.length} others of its kind; its limit is ${entry.limit}`)
    const reserver = holders.find(({ exclusive }) => exclusive)
    if (reserver !== undefined) say(`while ${reserver.id} had reserved the worktree`)
    else if (entry.exclusive && holders.length > 0)
      say(`although it is exclusive and ${holders.length} others held slots`)
    if (paused && entry.above.length === 0) say('while the queue was paused')
  }
  for (const { queueId, id } of strangers)
    violations.push({ what: `${queueId} admitted ${id}, which is not in it`, ids: [queueId, id] })
  for (const { queueId, id } of holding) {
    if (seen.actors.get(id)?.terminal !== true) continue
    violations.push({ what: `${id} is terminal and still holds a slot of ${queueId}`, ids: [id, queueId] })
  }
  return violations
}

/** A job of a run, of a build or of a step, and the slot under which it ran. */
interface Execution {
  readonly entryId: string
  /** The entry whose slot it used: its own, or the one that it shared. */
  readonly slot: Slot | undefined
  began: number
  ended: number
}

interface Slot extends ReplayedEntry {
  readonly queueId: string
  /** The position in the order of admission. */
  readonly place: number
}

/** Commands that certainly ran at the same time. One that recorded no end counts only for the moment of its beginning. */
function byCommands(seen: Seen, { admissions }: Replayed): Violation[] {
  const admitted = new Map(admissions.map(({ entry, queueId }, place) => [entry.id, { ...entry, queueId, place }]))
  const violations: Violation[] = []
  const all = executionsOf(seen, admitted)
  for (const one of all) {
    const { entryId, slot } = one
    if (slot === undefined) {
      violations.push({ what: `the command of ${entryId} ran although no queue admitted it`, ids: [entryId] })
      continue
    }
    const beside = all.filter((other) => other.slot !== undefined && sharesTime(one, other))
    const slots = [
      ...new Map(beside.flatMap((other) => (other.slot === undefined ? [] : [[other.slot.id, other.slot]]))),
    ]
    const ids = [entryId, ...beside.map((other) => other.entryId)]
    if (slot.exclusive && slots.length > 0) {
      const what = `the command of ${entryId} ran beside ${slots.length} others; ${slot.id} is exclusive`
      violations.push({ what, ids })
    }
    // A run's limit is compared when the run is admitted. Runs that were admitted later were compared with their own limit.
    const { limit, kind, place } = slot
    const earlier = slots.filter(([, other]) => other.kind === kind && other.place < place)
    if (limit > 0 && earlier.length >= limit) {
      const what = `the command of ${entryId} ran beside ${earlier.length} earlier runs of its kind; the limit of ${slot.id} is ${limit}`
      violations.push({ what, ids })
    }
  }
  return violations
}

function executionsOf(seen: Seen, admitted: ReadonlyMap<string, Slot>): readonly Execution[] {
  const works = readJobWork(seen)
  const executions = new Map<string, Execution>()
  for (const { mark, at } of seen.lines) {
    const work = works.get(jobOf(mark))
    // A build of a commit has a checkout of its own.
    if (work === undefined || (work.run.kind === 'build' && work.run.init.slot === undefined)) continue
    const { id: entryId } = work.step ?? work.run
    const one = executions.get(mark) ?? { entryId, slot: slotOf(entryId, admitted), began: at, ended: at }
    executions.set(mark, { ...one, began: Math.min(one.began, at), ended: Math.max(one.ended, at) })
  }
  return [...executions.values()]
}

function slotOf(entryId: string, admitted: ReadonlyMap<string, Slot>): Slot | undefined {
  let slot = admitted.get(entryId)
  while (slot !== undefined && slot.rides !== null) slot = admitted.get(slot.rides)
  return slot
}

/** Whether they have different slots of one worktree, and ran at the same time. */
const sharesTime = (a: Execution, b: Execution): boolean =>
  a.slot?.id !== b.slot?.id && a.slot?.queueId === b.slot?.queueId && a.began < b.ended && b.began < a.ended
