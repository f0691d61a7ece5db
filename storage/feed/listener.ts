import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Sql, type Target } from '../sql.ts'

export const channel = 'signalbox'

/** How often the connection is tried, milliseconds: one whose end nobody told us of is found by it. */
const tryEveryMs = 30_000

/**
 * A connection that listens and comes back after a loss.
 * @param heard each payload
 * @param began called at each beginning: what was said before it was not heard
 */
export class Listener {
  readonly #target: Target
  readonly #heard: (payload: string) => void
  readonly #began: () => void
  readonly #log: (line: string) => void
  #sql: Sql | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(
    target: Target,
    on: { heard: (payload: string) => void; began: () => void; log: (line: string) => void },
  ) {
    this.#target = target
    this.#heard = on.heard
    this.#began = on.began
    this.#log = on.log
  }

  /** Resolves when it listens. */
  async begin(): Promise<void> {
    const sql = connect(this.#target, {
      name: 'listen',
      max: 1,
      extra: {
        onnotify: (_channel: string, payload: string) => this.#heard(payload),
        onclose: () => this.#lost(sql),
      } as object,
    })
    this.#sql = sql
    await sql.unsafe(`listen ${channel}`)
    this.#timer = setInterval(() => {
      sql`select 1`.catch(() => this.#lost(sql))
    }, tryEveryMs)
    this.#timer.unref()
    this.#began()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#sql?.end({ timeout: 1 })
  }

  #lost(sql: Sql): void {
    if (this.#closed || this.#sql !== sql) return
    this.#sql = undefined
    clearInterval(this.#timer)
    void sql.end({ timeout: 0 })
    this.#log('The connection that listens to other processes was lost.')
    void this.#again()
  }

  async #again(): Promise<void> {
    for (let wait = 100; !this.#closed; wait = Math.min(wait * 2, 5_000)) {
      await sleep(wait, undefined, { ref: false })
      const failed = await this.begin().then(
        () => false,
        () => true,
      )
      if (!failed) return
      const sql = this.#sql
      this.#sql = undefined
      void sql?.end({ timeout: 0 })
    }
  }
}
