/**
 * Reads the latest items of a source once for all followers in this process: the transitions of a kind, or records of telemetry. Hints only
 * trigger reads. All items come from storage in the order of positions, so missed or late hints change nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../actors/ports/clock.ts'
import type { TopicItem } from '../operations/handler.ts'

/** Milliseconds for which hints are gathered before a read. */
const gatherMs = 20
/** Milliseconds to wait for a transaction that holds items back. */
const heldBackMs = 50
/** The number of items that are delivered before sockets are flushed. A whole page at once would fill a fast reader's queue too. */
const portion = 32

export interface TailListener {
  item(item: TopicItem): void
  /** The read failed. No items follow. */
  fail(error: unknown): void
}

export interface TailPage<Position> {
  readonly items: readonly { readonly item: TopicItem; readonly position: Position }[]
  /** The beginning of the next page. No item will ever be added between the beginning of this page and this position. */
  readonly position: Position
  /** More items follow at once. */
  readonly more: boolean
  /** Items are stored after this page that an open transaction may still precede. */
  readonly heldBack: boolean
}

/** The items of several topics, each with an order of positions. */
export interface TailSource<Key, Position> {
  /** @throws Failure if items between would be missing */
  read(key: Key, after: Position): Promise<TailPage<Position>>
  /** The position after all items that can be read now. */
  end(): Promise<Position>
  /** Negative if `a` comes first. */
  compare(a: Position, b: Position): number
  /** Calls back when there may be new items. Returns a function that stops it. */
  onHint(key: Key, wake: () => void): () => void
  /** The interval of reads without a hint, in milliseconds. */
  readonly idleMs: number
}

export class Tails<Key, Position> {
  readonly source: TailSource<Key, Position>
  readonly #clock: Clock
  readonly #tails = new Map<Key, Tail<Key, Position>>()

  constructor(source: TailSource<Key, Position>, clock: Clock) {
    this.source = source
    this.#clock = clock
  }

  /**
   * Delivers every item after the position. Returns a function that stops it, or undefined if the tail is beyond the position.
   * In that case the caller must continue reading by itself.
   */
  join(key: Key, after: Position, listener: TailListener): (() => void) | undefined {
    const known = this.#tails.get(key)
    if (known) return known.add(after, listener)
    const made = new Tail(key, after, this.source, this.#clock, () => this.#tails.delete(key))
    this.#tails.set(key, made)
    return made.add(after, listener)
  }
}

class Tail<Key, Position> {
  readonly #key: Key
  readonly #source: TailSource<Key, Position>
  readonly #clock: Clock
  readonly #unlisten: () => void
  readonly #over: () => void
  /** Each listener, with the position after which it receives items. */
  readonly #listeners = new Map<TailListener, Position>()
  #position: Position
  #stopped = false
  #reading = false
  /** A hint arrived since the last read began. */
  #hinted = false
  #cancelNext = (): void => {}

  constructor(key: Key, from: Position, source: TailSource<Key, Position>, clock: Clock, over: () => void) {
    this.#key = key
    this.#position = from
    this.#source = source
    this.#clock = clock
    this.#over = over
    this.#unlisten = source.onHint(key, () => this.#wake())
    // For items between the position and the first hint.
    this.#wake()
  }

  add(after: Position, listener: TailListener): (() => void) | undefined {
    if (this.#source.compare(after, this.#position) < 0) return undefined
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
    this.#cancelNext = this.#clock.after(ms, () => void this.#read())
  }

  async #read(): Promise<void> {
    this.#reading = true
    try {
      for (;;) {
        this.#hinted = false
        const page = await this.#source.read(this.#key, this.#position)
        if (this.#stopped) return
        this.#position = page.position
        await this.#tell(page)
        if (this.#stopped) return
        if (page.more) continue
        this.#reading = false
        this.#readIn(this.#hinted ? gatherMs : page.heldBack ? heldBackMs : this.#source.idleMs)
        return
      }
    } catch (error) {
      if (this.#stopped) return
      this.#stop()
      for (const listener of this.#listeners.keys()) listener.fail(error)
    }
  }

  /** A listener that joins during the delivery has a position after the whole page and receives none of it. */
  async #tell({ items }: TailPage<Position>): Promise<void> {
    for (const [index, { item, position }] of items.entries()) {
      if (index > 0 && index % portion === 0) await nextTurn()
      for (const [listener, after] of this.#listeners)
        if (this.#source.compare(position, after) > 0) listener.item(item)
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
