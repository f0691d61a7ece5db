import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresJournal } from '../journal/journal.ts'
import type { Sql } from '../sql/sql.ts'

/** A probe that takes longer counts as failed. Milliseconds. */
const answerWithinMs = 1_000

/**
 * Whether requests can be served: a transition can be committed and a view can be read, each in the same way as for requests.
 * Concurrent requests share one probe.
 */
export class HealthCheck {
  readonly #journal: PostgresJournal
  readonly #reads: Sql
  #probe: Promise<boolean> | undefined

  constructor(journal: PostgresJournal, reads: Sql) {
    this.#journal = journal
    this.#reads = reads
  }

  check(): Promise<boolean> {
    if (this.#journal.isFailing) return Promise.resolve(false)
    this.#probe ??= this.#run().finally(() => {
      this.#probe = undefined
    })
    return Promise.race([this.#probe, sleep(answerWithinMs, false, { ref: false })])
  }

  async #run(): Promise<boolean> {
    const results = await Promise.allSettled([this.#journal.probe(), this.#reads`select 1`])
    return results.every(({ status }) => status === 'fulfilled')
  }
}
