import { Deadlines } from './connections/deadlines.ts'
import { NoConnection } from './connections/errors.ts'

interface CoalesceLimits {
  /** Keys of one query. */
  readonly keys: number
  /** Queries that are under way at the same time. */
  readonly concurrent: number
  /** Milliseconds that a key waits for its query to begin, 4,000 where omitted. */
  readonly waitMs?: number
}

interface Waiting<V> extends PromiseWithResolvers<V | undefined> {
  readonly key: string
}

/**
 * Gathers the calls of one tick, and of the time while an earlier gathering is under way, into one: a thousand requests that
 * each look up a token make a few queries, not a thousand.
 * @param many answers for each of the keys that it was given, each at most once; a key that it leaves out has no answer
 * @returns looks up a key. Rejects with `NoConnection` if its query could not begin in time, since those before it have no answer.
 */
export function coalesce<V>(
  many: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  { keys, concurrent, waitMs = 4_000 }: CoalesceLimits,
): (key: string) => Promise<V | undefined> {
  const waiting = new Map<string, Waiting<V>>()
  const deadlines = new Deadlines<Waiting<V>>(waitMs, (late) => {
    remove(late)
    late.reject(new NoConnection(`the queries of ${concurrent} earlier look-ups have no answer after ${waitMs} ms`))
  })
  let scheduled = false
  let running = 0

  const remove = (one: Waiting<V>): void => {
    waiting.delete(one.key)
    deadlines.delete(one)
  }

  const flush = (): void => {
    scheduled = false
    while (waiting.size > 0 && running < concurrent) {
      const batch = [...waiting.values()].slice(0, keys)
      for (const one of batch) remove(one)
      running++
      many(batch.map(({ key }) => key))
        .then(
          (found) => {
            for (const { key, resolve } of batch) resolve(found.get(key))
          },
          (error: unknown) => {
            for (const { reject } of batch) reject(error)
          },
        )
        .finally(() => {
          running--
          flush()
        })
    }
  }

  return (key) => {
    let one = waiting.get(key)
    if (one === undefined) {
      one = { key, ...Promise.withResolvers<V | undefined>() }
      waiting.set(key, one)
      deadlines.add(one)
      if (!scheduled) {
        scheduled = true
        setImmediate(flush)
      }
    }
    return one.promise
  }
}
