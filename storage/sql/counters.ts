import type { Counters } from '../storage.ts'
import type { Sql } from './sql.ts'

/** Display numbers. A number is given once; one that was given and not used is a gap. */
export class PostgresCounters implements Counters {
  readonly #sql: Sql
  /** Series by the calls that wait for it. */
  readonly #waiting = new Map<string, PromiseWithResolvers<number>[]>()
  #scheduled = false

  constructor(sql: Sql) {
    this.#sql = sql
  }

  nextNumber(series: string): Promise<number> {
    const one = Promise.withResolvers<number>()
    const waiting = this.#waiting.get(series)
    if (waiting === undefined) this.#waiting.set(series, [one])
    else waiting.push(one)
    if (!this.#scheduled) {
      this.#scheduled = true
      setImmediate(() => this.#flush())
    }
    return one.promise
  }

  /** One statement for each series that was asked for in this tick, for as many numbers as were asked for. */
  #flush(): void {
    this.#scheduled = false
    const all = [...this.#waiting]
    this.#waiting.clear()
    for (const [series, callers] of all) {
      this.#take(series, callers.length).then(
        (last) => {
          for (const [index, { resolve }] of callers.entries()) resolve(last - callers.length + 1 + index)
        },
        (error: unknown) => {
          for (const { reject } of callers) reject(error)
        },
      )
    }
  }

  async #take(series: string, count: number): Promise<number> {
    const [row] = await this.#sql<{ last: number }[]>`
      insert into counter (series, last) values (${series}, ${count})
      on conflict (series) do update set last = counter.last + excluded.last
      returning last`
    if (row === undefined) throw new Error('A counter gave no number.')
    return row.last
  }
}
