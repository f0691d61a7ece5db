/**
 * No transition is lost or applied twice: each actor's transitions are 1..n, each begins in the state in which the last ended,
 * and each message counts once.
 */
import type { Checker, SeenActor, SeenTransition, Violation } from '../seen.ts'

export const journalIsWhole: Checker = ({ actors, journal }) => {
  const violations: Violation[] = []
  for (const actor of actors.values()) violations.push(...ofActor(actor, journal.get(actor.id) ?? []))
  for (const [id, transitions] of journal) violations.push(...inOrder(id, transitions))
  violations.push(...appliedTwice(journal))
  return violations
}

/** The actor must be in the state to which its last transition led. */
function ofActor(actor: SeenActor, transitions: readonly SeenTransition[]): Violation[] {
  const { id, seq, status, value } = actor
  const last = transitions.at(-1)
  if (last?.seq !== seq)
    return [{ what: `${id} is at ${seq} and its last transition is ${last?.seq ?? 'missing'}`, ids: [id] }]
  if (last.status !== status)
    return [{ what: `${id} is ${status} and its last transition led to ${last.status}`, ids: [id] }]
  if (!same(last.to, value)) return [{ what: `${id} is not in the state to which its last transition led`, ids: [id] }]
  return []
}

function inOrder(id: string, transitions: readonly SeenTransition[]): Violation[] {
  return transitions.flatMap((transition, index) => {
    const before = transitions[index - 1]
    if (transition.seq !== index + 1)
      return [{ what: `transition ${index + 1} of ${id} has the sequence ${transition.seq}`, ids: [id] }]
    if (transition.event === 'migrated' || same(transition.from, before?.to ?? null)) return []
    return [
      {
        what: `transition ${transition.seq} of ${id} does not begin in the state in which transition ${transition.seq - 1} ended`,
        ids: [id],
      },
    ]
  })
}

/**
 * A message from actor to actor carries the ID of its outbox row. The transition that it causes deletes that row. An operation that an
 * actor requests may send several messages, with one ID, but at most one to each actor.
 */
function appliedTwice(journal: ReadonlyMap<string, readonly SeenTransition[]>): Violation[] {
  const seen = new Map<string, string>()
  const violations: Violation[] = []
  for (const [id, transitions] of journal) {
    for (const { cause, seq } of transitions) {
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
