/** At rest every run is terminal, or shows what it waits for, or has a lease or deadline. No actor is stuck. */
import { siblingId } from '../../../../../spec/core/ids.ts'
import type { Checker, Seen, SeenActor } from '../seen.ts'

/** States in which a run waits for a report of its agent. A lease or a deadline ends the wait. */
const watched = new Set(['WAITING_FOR_INPUT', 'PAUSED'])

export const comesToRest: Checker = (seen) =>
  [...seen.actors.values()].flatMap((actor) => {
    const what = actor.kind === 'run' ? (unended(actor, seen) ?? stuck(actor, seen)) : stuck(actor, seen)
    return what === undefined ? [] : [{ what: `${actor.id} ${what}`, ids: [actor.id] }]
  })

function unended(run: SeenActor, { blocked, actors }: Seen): string | undefined {
  if (run.terminal || run.timed || watched.has(run.status)) return undefined
  const reason = blocked.get(run.id)
  if (run.status === 'QUEUED') {
    if (reason === undefined) return 'is QUEUED, and no reason shows what it waits for'
    return reason === 'STARTING' ? 'waits for nothing and does not start' : undefined
  }
  const [name, kind] =
    run.init.jobKind === 'STEPS' ? (['execution', 'workflowExecution'] as const) : (['job', 'job'] as const)
  const worker = actors.get(siblingId(kind, run.id))
  if (worker !== undefined && !worker.terminal && (worker.status === 'RUNNING' || worker.timed)) return undefined
  return `is ${run.status} with its ${name} ${worker === undefined ? 'missing' : worker.status}, and no timer or lease will move it`
}

/** The same rule as in `stuckActors`: longer in its state than expected, with an incident, or without timer and lease. */
function stuck(actor: SeenActor, { outbox, at }: Seen): string | undefined {
  const owed = outbox.filter(({ id }) => id.startsWith(`${actor.id}:`))
  if (actor.incidents > 0 || owed.some(({ failed }) => failed)) return 'has a failed effect'
  if (actor.terminal) return undefined
  if (actor.stuckAt !== null && actor.stuckAt <= at) return `has been ${actor.status} longer than expected`
  return actor.unwatched && owed.length === 0 ? `is ${actor.status}, and no timer or lease will move it` : undefined
}
