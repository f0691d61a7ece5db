import { Deadlines } from '../connections/deadlines.ts'
import { ConnectionLost, NoConnection } from '../connections/errors.ts'

interface CoalesceLimits {
  /** Keys of one query. */
  readonly keys: number
  /** Queries that are in flight at the same time. */
  readonly concurrent: number
  /** Milliseconds that a key waits for its query to begin. Default: 4,000. */
  readonly waitMs?: number
  /** Milliseconds in which a key that had to wait is answered. Default: 9,000. */
  readonly answerMs?: number
}

interface Waiting<V> extends PromiseWithResolvers<V | undefined> {
  readonly key: string
}

/**
 * Gathers the calls of one tick, and of the time while an earlier query is in flight, into one: a thousand requests that
 * each look up a token make a few queries, not a thousand.
 * @param many answers for each of the keys that it was given, each at most once; a key that it leaves out has no answer
 * @returns looks up a key. Rejects with `NoConnection` if its query could not begin in time, since those before it have no answer,
 * and with `ConnectionLost` if it began late and has no answer in time.
 */
export function coalesce<V>(
  many: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  { keys, concurrent, waitMs = 4_000, answerMs = 9_000 }: CoalesceLimits,
): (key: string) => Promise<V | undefined> {
  const waiting = new Map<string, Waiting<V>>()
  /** Keys of this tick. Most begin at once and need no deadline: the connection has one. */
  let fresh: Waiting<V>[] = []
  const unbegun = new Deadlines<Waiting<V>>(waitMs, (late) => {
    waiting.delete(late.key)
    refuse(late, new NoConnection(`the queries of ${concurrent} earlier look-ups have no answer after ${waitMs} ms`))
  })
  const unanswered = new Deadlines<Waiting<V>>(answerMs, (late) =>
    refuse(late, new ConnectionLost(`a look-up has no answer after ${answerMs} ms`)),
  )
  let running = 0

  const forget = (one: Waiting<V>): void => {
    unbegun.delete(one)
    unanswered.delete(one)
  }

  const refuse = (one: Waiting<V>, error: unknown): void => {
    forget(one)
    one.reject(error)
  }

  const flush = (): void => {
    while (waiting.size > 0 && running < concurrent) {
      const batch = [...waiting.values()].slice(0, keys)
      for (const one of batch) {
        waiting.delete(one.key)
        unbegun.delete(one)
      }
      running++
      many(batch.map(({ key }) => key))
        .then(
          (found) => {
            for (const one of batch) {
              forget(one)
              one.resolve(found.get(one.key))
            }
          },
          (error: unknown) => {
            for (const one of batch) refuse(one, error)
          },
        )
        .finally(() => {
          running--
          flush()
        })
    }
  }

  const begin = (): void => {
    const asked = fresh
    fresh = []
    flush()
    for (const one of asked) {
      if (waiting.get(one.key) !== one) continue
      unbegun.add(one)
      unanswered.add(one)
    }
  }

  return (key) => {
    let one = waiting.get(key)
    if (one === undefined) {
      one = { key, ...Promise.withResolvers<V | undefined>() }
      waiting.set(key, one)
      if (fresh.push(one) === 1) setImmediate(begin)
    }
    return one.promise
  }
}
