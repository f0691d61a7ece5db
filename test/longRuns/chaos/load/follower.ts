/** Subscriptions that resume from their position after any loss, and record what arrived and when. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import type { LoadContext } from './load.ts'

/** The subject: the transitions of an actor, or the chunks of a job's log. */
export interface Followed {
  readonly type: 'actor' | 'log'
  readonly id: string
}

const documents = {
  actor:
    'subscription ($id: ID!, $after: Int) { actorTransitioned(of: { actor: { id: $id, afterSequence: $after } }) { sequence } }',
  log: 'subscription ($id: ID!, $after: Int) { jobLogChunkAdded(jobId: $id, afterSequence: $after) { sequence } }',
}

export class Follower {
  readonly followed: Followed
  readonly instance: number
  /** Sequences in the order of arrival, and the time at which each last arrived, `performance.now()`. */
  readonly sequences: number[] = []
  readonly arrivals: number[] = []
  /** The number of times that the subscription was opened. */
  openings = 0
  readonly #context: LoadContext

  constructor(context: LoadContext, followed: Followed, instance: number) {
    this.#context = context
    this.followed = followed
    this.instance = instance
  }

  get last(): number {
    return this.sequences.at(-1) ?? (this.followed.type === 'log' ? -1 : 0)
  }

  async follow(done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      await this.#once(done).catch(() => undefined)
      await sleep(150)
    }
  }

  async #once(done: AbortSignal): Promise<void> {
    const client = createClient({
      url: `${this.#context.url(this.instance).replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'X-API-Key': this.#context.account.key },
      retryAttempts: 0,
      keepAlive: 5_000,
      connectionAckWaitTimeout: 5_000,
      onNonLazyError: () => {},
    })
    const end = (): void => void client.dispose()
    done.addEventListener('abort', end)
    const { type, id } = this.followed
    try {
      this.openings++
      const variables = { id, after: this.last }
      const items = client.iterate<Record<string, { sequence: number }>>({ query: documents[type], variables })
      for await (const { data, errors } of items) {
        if (errors !== undefined) return
        for (const { sequence } of Object.values(data ?? {})) {
          this.sequences.push(sequence)
          this.arrivals.push(performance.now())
        }
      }
    } finally {
      done.removeEventListener('abort', end)
      await client.dispose()
    }
  }
}
