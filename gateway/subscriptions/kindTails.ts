/**
 * Reads the latest transitions of a kind once for all followers in this process. The feed only triggers reads. All items come from
 * storage in the order of positions, so missed or late hints change nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../actors/ports/clock.ts'
import { comparePositions, type HistoryPosition } from '../../spec/core/historyPosition.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Feed } from '../../storage/ports/feed.ts'
import type { KindHistoryPage } from '../../storage/ports/views.ts'
import type { TopicItem } from '../operations/handler.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import { both } from './following.ts'
import { kindPage } from './kindPage.ts'

/** Milliseconds for which hints are gathered before a read. */
const gatherMs = 20
/** Milliseconds to wait for a transaction that holds transitions back. */
const heldBackMs = 50
/** The interval of reads without a hint. It keeps the range of other kinds short that a read must skip. */
const idleMs = 1_000
/** The number of items that are delivered before sockets are flushed. A whole page at once would fill a fast reader's queue too. */
const portion = 32

export interface TailListener {
  transition(item: TopicItem): void
  /** The read failed. No items follow. */
  fail(error: unknown): void
}

interface TailSources {
  readonly feed: Feed
  readonly views: TypedViews
  readonly clock: Clock
}

export class KindTails {
  readonly #sources: TailSources
  readonly #tails = new Map<ActorKind, Tail>()

  constructor(sources: TailSources) {
    this.#sources = sources
  }

  /**
   * Delivers every transition after the position. Returns a function that stops it, or undefined if the tail is beyond the position.
   * In that case the caller must continue reading by itself.
   */
  join(kind: ActorKind, after: HistoryPosition, listener: TailListener): (() => void) | undefined {
    const known = this.#tails.get(kind)
    if (known) return known.add(after, listener)
    const made = new Tail(kind, after, this.#sources, () => this.#tails.delete(kind))
    this.#tails.set(kind, made)
    return made.add(after, listener)
  }
}

class Tail {
  readonly #kind: ActorKind
  readonly #sources: TailSources
  readonly #unlisten: () => void
  readonly #over: () => void
  /** Each listener, with the position after which it receives items. */
  readonly #listeners = new Map<TailListener, HistoryPosition>()
  #position: HistoryPosition
  #stopped = false
  #reading = false
  /** A hint arrived since the last read began. */
  #hinted = false
  #cancelNext = (): void => {}

  constructor(kind: ActorKind, from: HistoryPosition, sources: TailSources, over: () => void) {
    this.#kind = kind
    this.#position = from
    this.#sources = sources
    this.#over = over
    const { feed } = sources
    this.#unlisten = both(
      feed.onKind(kind, () => this.#wake()),
      feed.onGap(() => this.#wake()),
    )
    // For transitions between the position and the first hint.
    this.#wake()
  }

  add(after: HistoryPosition, listener: TailListener): (() => void) | undefined {
    if (comparePositions(after, this.#position) < 0) return undefined
    this.#listeners.set(listener, after)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  #wake(): void {
    if (this.#hinted) return
    this.#hinted = true
    if (!this.#reading) this.#readIn(gatherMs)
  }

  #readIn(ms: number): void {
    this.#cancelNext()
    this.#cancelNext = this.#sources.clock.after(ms, () => void this.#read())
  }

  async #read(): Promise<void> {
    this.#reading = true
    try {
      for (;;) {
        this.#hinted = false
        const page = await kindPage(this.#sources.views, this.#kind, this.#position)
        if (this.#stopped) return
        this.#position = page.position
        await this.#tell(page)
        if (this.#stopped) return
        if (page.more) continue
        this.#reading = false
        this.#readIn(this.#hinted ? gatherMs : page.heldBack ? heldBackMs : idleMs)
        return
      }
    } catch (error) {
      if (this.#stopped) return
      this.#stop()
      for (const listener of this.#listeners.keys()) listener.fail(error)
    }
  }

  /** A listener that joins during the delivery has a position after the whole page and receives none of it. */
  async #tell({ transitions }: KindHistoryPage): Promise<void> {
    for (const [index, { transition, position }] of transitions.entries()) {
      if (index > 0 && index % portion === 0) await nextTurn()
      const item: TopicItem = { type: 'transition', transition, position }
      for (const [listener, after] of this.#listeners)
        if (comparePositions(position, after) > 0) listener.transition(item)
    }
  }

  #stop(): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#cancelNext()
    this.#unlisten()
    this.#over()
  }
}
