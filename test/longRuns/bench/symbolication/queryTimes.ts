/** Requests of people and agents at fixed times, and how long each kind of them takes. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface TimedQuery {
  readonly name: string
  ask(): Promise<unknown>
}

/** Milliseconds of each request, by the name of its kind. */
export type QueryTimes = ReadonlyMap<string, readonly number[]>

export interface QueryPlan {
  readonly queries: readonly TimedQuery[]
  /** A request begins whenever this time has passed, ms. The kinds take turns. */
  readonly everyMs: number
}

/**
 * Each request begins at its time, whether those before it are answered or not. So a server that is slow for a second makes all requests of
 * that second slow, and not only one.
 * @throws the first error of a request
 */
export async function timeQueries({ queries, everyMs }: QueryPlan, until: AbortSignal): Promise<QueryTimes> {
  const times = new Map<string, number[]>(queries.map(({ name }) => [name, []]))
  const inFlight = new Set<Promise<void>>()
  let failure: unknown
  const begin = async ({ name, ask }: TimedQuery, plannedAt: number): Promise<void> => {
    try {
      await ask()
      times.get(name)?.push(performance.now() - plannedAt)
    } catch (error) {
      failure ??= error
    }
  }
  const startedAt = performance.now()
  for (let count = 0; !until.aborted && failure === undefined; count++) {
    const plannedAt = startedAt + count * everyMs
    // A timer may fire a fraction of a millisecond early.
    for (let waitMs = plannedAt - performance.now(); waitMs > 0; waitMs = plannedAt - performance.now())
      await sleep(Math.ceil(waitMs))
    const query = queries[count % queries.length]
    if (query === undefined) throw new Error('There are no queries.')
    const asked = begin(query, plannedAt).finally(() => inFlight.delete(asked))
    inFlight.add(asked)
  }
  await Promise.all(inFlight)
  if (failure !== undefined) throw failure
  return times
}

/** The times of both, as if they had been measured at once. */
export function joinTimes(one: QueryTimes, other: QueryTimes): QueryTimes {
  return new Map([...one].map(([name, times]) => [name, [...times, ...(other.get(name) ?? [])]]))
}
