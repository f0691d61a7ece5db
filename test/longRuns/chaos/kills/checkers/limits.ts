/** Limits and reservations, by the queues' journals and by the records of the commands. */
import { siblingId } from '../../../../../spec/core/ids.ts'
import { type Replayed, replayQueues } from '../queueReplay.ts'
import type { Checker, Seen, SeenActor, Violation } from '../seen.ts'

export const limitsHold: Checker = (seen) => {
  const replayed = replayQueues(seen)
  return [...byJournal(seen, replayed), ...byCommands(seen, replayed)]
}

function byJournal(seen: Seen, { admissions, holding, strangers }: Replayed): Violation[] {
  const violations: Violation[] = []
  for (const { queueId, seq, entry, holders, paused } of admissions) {
    const ids = [entry.id, queueId]
    const say = (what: string) =>
      violations.push({ what: `${entry.id} was admitted by step ${seq} of ${queueId} ${what}`, ids })
    const same = holders.filter(({ kind }) => kind === entry.kind)
    if (entry.limit > 0 && same.length >= entry.limit)
      say(`beside ${same.length} of its kind; its limit is ${entry.limit}`)
    const reserver = holders.find(({ exclusive }) => exclusive)
    if (reserver !== undefined) say(`while ${reserver.id} had the worktree for itself`)
    else if (entry.exclusive && holders.length > 0) say(`for itself alone while ${holders.length} held slots`)
    if (paused) say('while the queue was paused')
    if (!entry.ready) say('while its overlap policy held it back')
  }
  for (const { queueId, id } of strangers)
    violations.push({ what: `${queueId} admitted ${id}, which is not in it`, ids: [queueId, id] })
  for (const { queueId, id } of holding) {
    if (seen.actors.get(id)?.terminal !== true) continue
    violations.push({ what: `${id} is over and still holds a slot of ${queueId}`, ids: [id, queueId] })
  }
  return violations
}

interface Execution {
  readonly run: SeenActor
  began: number
  ended: number
}

/** Commands that certainly ran at the same time. One that recorded no end counts only for the moment of its beginning. */
function byCommands({ lines, actors }: Seen, { admissions }: Replayed): Violation[] {
  // In the order of admission.
  const admitted = new Map(admissions.map(({ entry }, place) => [entry.id, { ...entry, place }]))
  const executions = new Map<string, Execution>()
  for (const { mark, at } of lines) {
    const run = actors.get(siblingId('run', mark.slice(0, mark.lastIndexOf('.'))))
    if (run === undefined) continue
    const one = executions.get(mark) ?? { run, began: at, ended: at }
    executions.set(mark, { run, began: Math.min(one.began, at), ended: Math.max(one.ended, at) })
  }
  const violations: Violation[] = []
  const all = [...executions.values()]
  for (const one of all) {
    const beside = all.filter((other) => other !== one && together(one, other))
    const ids = [one.run.id, ...beside.map(({ run }) => run.id)]
    if (one.run.init.exclusive === true && beside.length > 0) {
      const what = `the command of the exclusive ${one.run.id} ran beside ${beside.length} others`
      violations.push({ what, ids })
    }
    // A run's limit is compared when the run is admitted. Runs that were admitted later were compared with their own limit.
    const own = admitted.get(one.run.id)
    if (own === undefined) {
      violations.push({ what: `the command of ${one.run.id} ran though no queue admitted it`, ids: [one.run.id] })
      continue
    }
    const { limit, kind, place } = own
    const earlier = beside.filter(({ run }) => {
      const other = admitted.get(run.id)
      return other !== undefined && other.kind === kind && other.place < place
    })
    if (limit > 0 && earlier.length >= limit) {
      const what = `the command of ${one.run.id} ran beside ${earlier.length} earlier ones of its kind; its limit is ${limit}`
      violations.push({ what, ids })
    }
  }
  return violations
}

const together = (a: Execution, b: Execution): boolean =>
  a.run.init.worktreeId === b.run.init.worktreeId && a.began < b.ended && b.began < a.ended
