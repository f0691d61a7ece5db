/**
 * Publishes what became durable: in this process by a function call, to other processes on the same database as hints by NOTIFY.
 *
 * A commit that notifies takes a lock of the whole server, so all that gathered while one was in flight goes in the next. Hints
 * are sent only while another process is known.
 *
 * NOTIFY does not confirm delivery. So each process sends at least one message every 250 ms, each with a number, and
 * receives its own messages too. Its own message proves that all messages before it have been received. A number that is
 * skipped, or a second of silence, means that a message may have been lost.
 */
import { silentMs } from '../../actors/ports/outbox.ts'
import { type ActorKind, kindOfId } from '../../spec/core/ids.ts'
import type { Feed, FeedItem, StreamItem } from '../ports/feed.ts'
import type { Target } from '../sql/sql.ts'
import { Hints, type Message, type MessageBody, parseMessage } from './hints.ts'
import { Listener } from './listener.ts'
import { LocalFeed } from './localFeed.ts'
import { Notifier } from './notifier.ts'
import { Senders } from './senders.ts'

const heartbeatMs = 250
/** After this much silence something may have been missed. */
const silenceMs = 1_000
/** While the silence lasts, subscribers read again this often. */
const gapAgainMs = 5_000

export class PostgresFeed implements Feed {
  readonly #local: LocalFeed
  readonly #owner: string
  readonly #notifier: Notifier
  readonly #listener: Listener
  readonly #log: (line: string) => void
  readonly #senders = new Senders()
  #hints = new Hints()
  #sending: Promise<void> | undefined
  #skipped = false
  #n = 0
  #sentAt = Number.NEGATIVE_INFINITY
  /** When the latest of our own messages that came back was sent. */
  #echoedAt = Number.NEGATIVE_INFINITY
  /** When the earliest of our own messages was sent that should have come back and has not. */
  #missingSince: number | undefined
  #listeningSince = Number.NEGATIVE_INFINITY
  #tickedAt = 0
  #gapAt = Number.NEGATIVE_INFINITY
  #isSilent = false
  #asking = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: { target: Target; owner: string; log: (line: string) => void }) {
    this.#owner = options.owner
    this.#log = options.log
    this.#local = new LocalFeed((error) => options.log(`A listener of the feed failed: ${describe(error)}`))
    this.#notifier = new Notifier(options.target, options.log)
    this.#listener = new Listener(options.target, {
      received: (text) => this.#receive(text),
      began: () => this.#began(),
      log: options.log,
    })
  }

  /** Resolves when it listens. */
  async begin(): Promise<void> {
    await this.#listener.begin()
    this.#tickedAt = performance.now()
    this.#timer = setInterval(() => this.#tick(), heartbeatMs)
    this.#timer.unref()
  }

  publish(items: readonly FeedItem[]): void {
    this.#local.publish(items)
    if (this.#skips()) return
    for (const { ref, seq } of items) this.#hints.addActor(ref.id, seq)
    this.#send()
  }

  publishStream(item: StreamItem): void {
    this.#local.publishStream(item)
    if (this.#skips()) return
    this.#hints.addStream(item.stream, item.ended)
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

  confirmedUntil(): number {
    return Math.min(this.#echoedAt, this.#senders.confirmedUntil())
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#listener.close()
    await this.#sending
    await this.#notifier.send([this.#frame({ word: 'bye' })])
    await this.#notifier.close()
  }

  /** No other process receives hints. If one begins to, the next message states that there were some. */
  #skips(): boolean {
    if (this.#senders.size > 0) return false
    this.#skipped = true
    return true
  }

  #began(): void {
    this.#listeningSince = performance.now()
    this.#missingSince = undefined
    this.#senders.restartNumbers()
    this.#send()
    this.#gap()
  }

  #gap(): void {
    this.#gapAt = performance.now()
    this.#local.gap()
  }

  #receive(text: string): void {
    const message = parseMessage(text)
    if (message === undefined) return
    if (message.from === this.#owner) {
      this.#echoedAt = Math.max(this.#echoedAt, message.sentAt)
      this.#missingSince = undefined
      return
    }
    if (message.word === 'bye') {
      this.#senders.remove(message.from)
      return
    }
    const isNew = this.#senders.receive(message, performance.now())
    this.#publishHints(message)
    if (isNew || message.word === 'more') this.#gap()
  }

  #publishHints({ actors = [], streams = [] }: Message): void {
    this.#local.publish(
      actors.flatMap(([id, seq]) => {
        const kind = kindOfId(id)
        return kind === undefined ? [] : [{ ref: { kind, id }, seq }]
      }),
    )
    for (const [stream, ended] of streams) this.#local.publishStream({ stream, ended })
  }

  #tick(): void {
    const now = performance.now()
    const late = now - this.#tickedAt - heartbeatMs
    this.#tickedAt = now
    if (now - this.#sentAt >= heartbeatMs - 10) this.#send()
    // This process was held up or suspended: what was sent meanwhile may still wait to be read from the connections.
    if (late < heartbeatMs) this.#watchSilence(now)
  }

  #watchSilence(now: number): void {
    if (this.#missingSince !== undefined && now - this.#missingSince >= silenceMs) {
      this.#missingSince = undefined
      this.#listener.replace(`a message that was sent ${silenceMs} ms ago has not come back`)
    }
    const isSilent = now - Math.max(this.confirmedUntil(), this.#listeningSince) >= silenceMs
    if (isSilent) {
      if (!this.#isSilent || now - this.#gapAt >= gapAgainMs) this.#gap()
      void this.#removeDead(now - silenceMs)
    } else if (this.#isSilent) this.#gap()
    if (isSilent !== this.#isSilent) {
      this.#log(
        isSilent
          ? 'No message arrives from other processes. Cached rows are read again every second.'
          : 'Messages from other processes arrive again.',
      )
    }
    this.#isSilent = isSilent
  }

  /** The last commits of a dead process were perhaps never announced. */
  async #removeDead(since: number): Promise<void> {
    if (this.#asking) return
    this.#asking = true
    try {
      // After its last heartbeat a process counts as living for a while, so this read is behind what it has committed.
      const living = await this.#notifier.living(silentMs)
      if (living !== undefined && this.#senders.removeDead(since, living)) this.#gap()
    } finally {
      this.#asking = false
    }
  }

  #send(): void {
    this.#sending ??= this.#drain().finally(() => {
      this.#sending = undefined
    })
  }

  /** Sends what has gathered, or a heartbeat if nothing has. */
  async #drain(): Promise<void> {
    // Other hints of this tick are sent with it.
    await new Promise(setImmediate)
    do {
      const bodies = this.#hints.bodies()
      this.#hints = new Hints()
      // Not repeated if it fails: the next message shows by its number that this one was lost.
      const sent = await this.#notifier.send((bodies.length > 0 ? bodies : [{}]).map((body) => this.#frame(body)))
      if (sent && this.#sentAt > this.#echoedAt) this.#missingSince ??= performance.now()
    } while (!this.#hints.isEmpty)
  }

  #frame(body: MessageBody): string {
    this.#sentAt = performance.now()
    const quiet = this.#senders.size === 0 || undefined
    const skipped = (this.#skipped && !quiet) || undefined
    if (skipped) this.#skipped = false
    const message: Message = { from: this.#owner, n: ++this.#n, sentAt: this.#sentAt, quiet, skipped, ...body }
    return JSON.stringify(message)
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
