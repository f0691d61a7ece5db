import { setTimeout as sleep } from 'node:timers/promises'
import { type BackOffPolicy, backOffMs } from '../../spec/core/backOff.ts'
import { type Connection, openConnection } from '../connections/connection.ts'
import { type ResolvedTarget, resolveTarget } from '../connections/target.ts'
import type { Target } from '../sql/sql.ts'

export const channel = 'signalbox'

const answerWithinMs = 5_000
const reconnectPolicy: BackOffPolicy = { firstMs: 50, factor: 2, mostMs: 1_000, jitter: 0 }

interface ListenerEvents {
  received(payload: string): void
  /** Called each time that it begins to listen: what was sent before was not received. */
  began(): void
  log(line: string): void
}

/** A connection that listens and comes back after a loss. Whether it still receives anything is for its owner to watch. */
export class Listener {
  readonly #target: ResolvedTarget
  readonly #on: ListenerEvents
  #connection: Connection | undefined
  #isReturning = false
  #closed = false

  constructor(target: Target, on: ListenerEvents) {
    this.#target = resolveTarget(target)
    this.#on = on
  }

  /** Resolves when it listens. */
  async begin(): Promise<void> {
    let opened: Connection | undefined
    const connection = await openConnection(this.#target, {
      name: 'listen',
      answerWithinMs,
      onNotify: (payload) => {
        if (this.#connection === opened) this.#on.received(payload)
      },
      onLost: () => this.#lose(opened, 'it was closed'),
    })
    opened = connection
    this.#connection = connection
    try {
      await connection.unsafe(`listen ${channel}`)
    } catch (error) {
      if (this.#connection === connection) this.#connection = undefined
      connection.cut('it does not listen')
      throw error
    }
    if (this.#connection === connection) this.#on.began()
  }

  /** Takes another connection, since this one receives nothing. */
  replace(why: string): void {
    this.#lose(this.#connection, why)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#connection?.close()
  }

  #lose(connection: Connection | undefined, why: string): void {
    if (this.#closed || connection === undefined || this.#connection !== connection) return
    this.#connection = undefined
    connection.cut(why)
    if (this.#isReturning) return
    this.#on.log(`The connection that listens to other processes is replaced: ${why}.`)
    this.#isReturning = true
    void this.#again().finally(() => {
      this.#isReturning = false
    })
  }

  async #again(): Promise<void> {
    for (let tries = 1; !this.#closed; tries++) {
      await sleep(backOffMs(reconnectPolicy, tries), undefined, { ref: false })
      const failed = await this.begin().then(
        () => false,
        () => true,
      )
      if (!failed && this.#connection !== undefined) return
    }
  }
}
