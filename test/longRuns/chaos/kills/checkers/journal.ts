/**
 * No transition is lost or applied twice: each actor's transitions are 1..n, each begins in the state in which the last ended,
 * and each message counts once.
 */
import type { Checker, SeenActor, Step, Violation } from '../seen.ts'

export const journalIsWhole: Checker = ({ actors, journal }) => {
  const violations: Violation[] = []
  for (const actor of actors.values()) violations.push(...ofActor(actor, journal.get(actor.id) ?? []))
  for (const [id, steps] of journal) violations.push(...inOrder(id, steps))
  violations.push(...appliedTwice(journal))
  return violations
}

/** The actor must be in the state to which its last transition led. */
function ofActor(actor: SeenActor, steps: readonly Step[]): Violation[] {
  const { id, seq, status, value } = actor
  const last = steps.at(-1)
  if (last?.seq !== seq)
    return [{ what: `${id} is at ${seq} and its last step is ${last?.seq ?? 'missing'}`, ids: [id] }]
  if (last.status !== status) return [{ what: `${id} is ${status} and its last step led to ${last.status}`, ids: [id] }]
  if (!same(last.to, value)) return [{ what: `${id} does not stand where its last step led`, ids: [id] }]
  return []
}

function inOrder(id: string, steps: readonly Step[]): Violation[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1]
    if (step.seq !== index + 1) return [{ what: `step ${index + 1} of ${id} has the sequence ${step.seq}`, ids: [id] }]
    if (step.event === 'migrated' || same(step.from, before?.to ?? null)) return []
    return [{ what: `step ${step.seq} of ${id} does not begin where step ${step.seq - 1} ended`, ids: [id] }]
  })
}

/**
 * A message from actor to actor carries the ID of its outbox row. The transition that it causes deletes that row. An operation that an
 * actor requests may send several messages, with one ID, but at most one to each actor.
 */
function appliedTwice(journal: ReadonlyMap<string, readonly Step[]>): Violation[] {
  const seen = new Map<string, string>()
  const violations: Violation[] = []
  for (const [id, steps] of journal) {
    for (const { cause, seq } of steps) {
      if (cause.id === undefined || !/:\d+:\d+$/.test(cause.id)) continue
      const message = cause.type === 'effect' ? `${cause.id} ${id}` : cause.id
      const before = seen.get(message)
      if (before !== undefined) {
        violations.push({ what: `${cause.id} was applied twice: ${before} and ${id} ${seq}`, ids: [id] })
      }
      seen.set(message, `${id} ${seq}`)
    }
  }
  return violations
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
