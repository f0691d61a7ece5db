import { afterThisTurn, ReadBatcher } from '../../actors/flow/readBatcher.ts'
import { ConnectionLost, NoConnection } from '../connections/errors.ts'
import { connectionWithinMs } from '../connections/pool.ts'
import { readAnswerWithinMs } from './sql.ts'

interface LookupLimits {
  /** Keys of one query. */
  readonly keys: number
  /** Queries that are in flight at the same time. */
  readonly queries: number
  /** Milliseconds that a key waits for its query to begin. */
  readonly startWithinMs?: number
  /** Milliseconds in which a key that had to wait is answered. */
  readonly endWithinMs?: number
}

/**
 * Gathers the look-ups that are made at the same time, and of the time while earlier queries are in flight, into one query.
 * @param find answers for each of the keys that it was given, each at most once; a key that it leaves out has no answer
 * @returns looks up a key. Rejects with `NoConnection` if its query could not begin in time, since those before it have no answer,
 * and with `ConnectionLost` if it began late and has no answer in time.
 */
export function gatherLookups<V>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  { keys, queries, startWithinMs = connectionWithinMs, endWithinMs = readAnswerWithinMs }: LookupLimits,
): (key: string) => Promise<V | undefined> {
  const batcher = new ReadBatcher<string, V | undefined>({
    read: async (wanted) => {
      const found = await find(wanted)
      return wanted.map((key) => found.get(key))
    },
    schedule: afterThisTurn,
    keyLimit: keys,
    readLimit: queries,
    waiting: {
      startWithinMs,
      endWithinMs,
      late: (limit) =>
        limit === 'startWithinMs'
          ? new NoConnection(`the queries of ${queries} earlier look-ups have no answer after ${startWithinMs} ms`)
          : new ConnectionLost(`a look-up has no answer after ${endWithinMs} ms`),
    },
  })
  return (key) => batcher.load(key)
}
