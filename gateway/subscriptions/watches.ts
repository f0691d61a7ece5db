/**
 * Live queries: values that are computed from many rows and sent when they change. Each is read once for all followers in this
 * process. The feed only triggers reads, and hints are gathered, so that many changes cost no more than few.
 */
import type { Clock } from '../../actors/ports/clock.ts'
import type { Feed } from '../../storage/ports/feed.ts'
import type { Topic, TopicItem } from '../operations/handler.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import type { FollowSink } from './following.ts'

type WatchedTopic = Extract<Topic, { type: 'watched' }>

/** Milliseconds for which hints are gathered before a read. At most a tenth of the time is spent on reading. */
const gatherMs = 1_000
const share = 10

interface WatchSources {
  readonly feed: Feed
  readonly views: TypedViews
  readonly clock: Clock
}

export class Watches {
  readonly #sources: WatchSources
  readonly #byName = new Map<string, Watch>()

  constructor(sources: WatchSources) {
    this.#sources = sources
  }

  /** Delivers the current value, and then each changed value. Returns a function that stops it. */
  follow(topic: WatchedTopic, sink: FollowSink): () => void {
    let watch = this.#byName.get(topic.name)
    if (watch === undefined) {
      watch = new Watch(topic, this.#sources, () => this.#byName.delete(topic.name))
      this.#byName.set(topic.name, watch)
    }
    return watch.add(sink)
  }
}

class Watch {
  readonly #topic: WatchedTopic
  readonly #sources: WatchSources
  readonly #over: () => void
  readonly #unlisten: readonly (() => void)[]
  readonly #sinks = new Set<FollowSink>()
  #known: { readonly item: TopicItem; readonly text: string } | undefined
  #version = 0
  #stopped = false
  #reading = false
  #hinted = false
  /** When the next read may begin, on the monotonic clock. */
  #notBefore = 0
  #cancelNext = (): void => {}

  constructor(topic: WatchedTopic, sources: WatchSources, over: () => void) {
    this.#topic = topic
    this.#sources = sources
    this.#over = over
    const { feed } = sources
    const wake = () => this.#wake()
    this.#unlisten = [...topic.kinds.map((kind) => feed.onKind(kind, wake)), feed.onGap(wake)]
    void this.#read()
  }

  add(sink: FollowSink): () => void {
    this.#sinks.add(sink)
    // The value that was read last. Later changes follow after the time for which hints are gathered.
    if (this.#known !== undefined) void sink.item(this.#known.item, false)
    return () => {
      this.#sinks.delete(sink)
      if (this.#sinks.size === 0) this.#stop()
    }
  }

  #wake(): void {
    if (this.#hinted) return
    this.#hinted = true
    if (!this.#reading) this.#readIn(gatherMs)
  }

  #readIn(ms: number): void {
    this.#cancelNext()
    const { clock } = this.#sources
    this.#cancelNext = clock.after(Math.max(ms, this.#notBefore - clock.monotonic()), () => void this.#read())
  }

  async #read(): Promise<void> {
    const { views, clock } = this.#sources
    this.#reading = true
    this.#hinted = false
    const begun = clock.monotonic()
    try {
      const value = await this.#topic.read({ views, now: clock.now() })
      if (this.#stopped) return
      this.#tell(value)
    } catch (error) {
      if (this.#stopped) return
      this.#stop()
      for (const sink of [...this.#sinks]) sink.fail(error)
      return
    } finally {
      this.#reading = false
    }
    const ended = clock.monotonic()
    this.#notBefore = ended + (ended - begun) * share
    this.#readIn(this.#hinted ? gatherMs : this.#topic.everyMs)
  }

  #tell(value: object): void {
    const text = JSON.stringify(value)
    if (text === this.#known?.text) return
    const item: TopicItem = { type: 'value', value, version: ++this.#version }
    this.#known = { item, text }
    for (const sink of [...this.#sinks]) void sink.item(item, false)
  }

  #stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#cancelNext()
    for (const end of this.#unlisten) end()
    this.#over()
  }
}
