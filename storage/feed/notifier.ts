/** The connection that sends. Late commits of a connection that was given up arrive with a lower number. */
import { connect, type Sql, type Target, textArray } from '../sql/sql.ts'
import { channel } from './listener.ts'

const answerWithinMs = 2_000

/**
 * A hint that a crash of the server loses is one that its listeners, cut off by it too, do not rely on. A commit that notifies
 * waits for a lock of the whole server: past this time it fails, so that its open transaction delays no other process.
 */
const settings = { synchronous_commit: 'off', lock_timeout: '1s' }

export class Notifier {
  readonly #log: (line: string) => void
  readonly #sql: Sql
  #failing = false
  #closed = false

  constructor(target: Target, log: (line: string) => void) {
    this.#log = log
    this.#sql = connect(target, { name: 'notify', max: 1, settings, answerWithinMs })
  }

  /** Sends the messages in their order, in one commit. Returns whether they were sent; never rejects. */
  async send(texts: readonly string[]): Promise<boolean> {
    const sent = await this.#attempt(
      this.#sql.unsafe('select pg_notify($1, x) from unnest($2::text[]) x', [channel, textArray(texts)], {
        prepare: true,
      }),
    )
    return sent !== undefined
  }

  /** The processes that wrote their beat less than `silentMs` ago; undefined if that can't be read. */
  async living(silentMs: number): Promise<ReadonlySet<string> | undefined> {
    const rows = await this.#attempt(
      this.#sql<{ owner: string }[]>`
        select owner from process
        where seen_at >= extract(epoch from clock_timestamp()) * 1000 - ${silentMs}`,
    )
    return rows && new Set(rows.map(({ owner }) => owner))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#sql.end({ timeout: 1 })
  }

  async #attempt<T>(query: Promise<T>): Promise<T | undefined> {
    try {
      const result = await query
      if (this.#failing) this.#log('Other processes are notified again.')
      this.#failing = false
      return result
    } catch (error) {
      if (!this.#failing && !this.#closed) {
        this.#log(`Other processes can't be notified, and this is tried again: ${String(error)}`)
      }
      this.#failing = true
      return undefined
    }
  }
}
