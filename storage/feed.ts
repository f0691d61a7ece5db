/**
 * What became durable, told in this process by a function call and to other processes on the same database as hints by NOTIFY.
 * A commit that notifies takes a lock of the whole server, so all that gathered while one was under way goes in the next,
 * and nothing is sent while no other process listens: each says `hello` when it begins, and is answered `here`.
 */
import type { Feed, FeedItem, StreamItem } from '../actors/ports.ts'
import { type ActorKind, kindOfId } from '../spec/ids.ts'
import { Hints, parsePayload, payloads, word } from './feed/hints.ts'
import { channel, Listener } from './feed/listener.ts'
import { LocalFeed } from './feed/localFeed.ts'
import { connect, type Sql, type Target, textArray } from './sql.ts'

export class PostgresFeed implements Feed {
  readonly #local = new LocalFeed()
  readonly #owner: string
  readonly #sql: Sql
  readonly #listener: Listener
  readonly #log: (line: string) => void
  readonly #others = new Set<string>()
  #hints = new Hints()
  #sending: Promise<void> | undefined

  constructor(options: { target: Target; owner: string; log: (line: string) => void }) {
    this.#owner = options.owner
    this.#log = options.log
    // A hint that a crash of the server loses is one that its listeners, cut off by it too, do not rely on.
    this.#sql = connect(options.target, { name: 'notify', max: 1, settings: { synchronous_commit: 'off' } })
    this.#listener = new Listener(options.target, {
      heard: (payload) => this.#heard(payload),
      began: () => {
        this.#say('hello')
        this.#local.gap()
      },
      log: options.log,
    })
  }

  begin(): Promise<void> {
    return this.#listener.begin()
  }

  publish(items: readonly FeedItem[]): void {
    this.#local.publish(items)
    if (this.#others.size === 0) return
    for (const { ref, seq } of items) this.#hints.actors.set(ref.id, seq)
    this.#send()
  }

  publishStream(item: StreamItem): void {
    this.#local.publishStream(item)
    if (this.#others.size === 0) return
    this.#hints.streams.set(item.stream, item.ended)
    this.#send()
  }

  onActor(id: string, listener: (item: FeedItem) => void): () => void {
    return this.#local.onActor(id, listener)
  }

  onKind(kind: ActorKind, listener: (item: FeedItem) => void): () => void {
    return this.#local.onKind(kind, listener)
  }

  onStream(stream: string, listener: (item: StreamItem) => void): () => void {
    return this.#local.onStream(stream, listener)
  }

  onGap(listener: () => void): () => void {
    return this.#local.onGap(listener)
  }

  async close(): Promise<void> {
    await this.#listener.close()
    await this.#sending
    await this.#notify([word(this.#owner, 'bye')])
    await this.#sql.end({ timeout: 1 })
  }

  #heard(text: string): void {
    const payload = parsePayload(text)
    if (payload === undefined || payload.from === this.#owner) return
    if ('word' in payload) {
      if (payload.word === 'bye') this.#others.delete(payload.from)
      else this.#others.add(payload.from)
      if (payload.word === 'hello') this.#say('here')
      // `here`: until now that process did not know of us. `more`: it had too much to tell.
      if (payload.word === 'here' || payload.word === 'more') this.#local.gap()
      return
    }
    this.#others.add(payload.from)
    this.#local.publish(
      payload.actors.flatMap(([id, seq]) => {
        const kind = kindOfId(id)
        return kind === undefined ? [] : [{ ref: { kind, id }, seq }]
      }),
    )
    for (const [stream, ended] of payload.streams) this.#local.publishStream({ stream, ended })
  }

  #say(what: 'hello' | 'here'): void {
    void this.#notify([word(this.#owner, what)])
  }

  #send(): void {
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = undefined
    })
  }

  async #drain(): Promise<void> {
    // What else is published in this tick goes along.
    await new Promise(setImmediate)
    while (!this.#hints.empty) {
      const hints = this.#hints
      this.#hints = new Hints()
      await this.#notify(payloads(this.#owner, hints))
    }
  }

  async #notify(texts: readonly string[]): Promise<void> {
    try {
      await this.#sql.unsafe('select pg_notify($1, x) from unnest($2::text[]) x', [channel, textArray(texts)], {
        prepare: true,
      })
    } catch (error) {
      this.#log(`Other processes could not be told: ${String(error)}`)
    }
  }
}
