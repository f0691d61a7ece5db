/**
 * One reader of the latest steps of a kind for all who follow it in this process. The feed only wakes it: what it tells
 * comes from storage, in the order of positions, so hints that are missed or come late change nothing.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../actors/ports/clock.ts'
import type { Feed } from '../../actors/ports/feed.ts'
import { comparePositions, type HistoryPosition } from '../../spec/core/historyPosition.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { KindHistoryPage } from '../../storage/ports/views.ts'
import type { TopicItem } from '../operations/handler.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import { both } from './following.ts'
import { kindPage } from './kindPage.ts'

/** Milliseconds for which hints gather before it reads. */
const gatherMs = 20
/** How long it waits for a transaction that holds steps back. */
const heldBackMs = 50
/** How often it reads without a hint, so that it has not much of other kinds to pass over when one comes. */
const idleMs = 1_000
/** So many are told at once, and then the sockets take their turn: a page at once would fill a quick reader's queue too. */
const portion = 32

export interface TailListener {
  step(item: TopicItem): void
  /** It could not be read; nothing comes after this. */
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
   * Tells of every step after the position. Returns the end; or nothing where the tail is beyond the position, and whoever
   * asks reads on by itself.
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
  /** Each with the position after which it is told. */
  readonly #listeners = new Map<TailListener, HistoryPosition>()
  #position: HistoryPosition
  #stopped = false
  #reading = false
  /** There was a hint since the last read began. */
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
    // For what came between the position and the first hint.
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

  /** Who joins meanwhile stands behind the whole page, and is told nothing of it. */
  async #tell({ steps }: KindHistoryPage): Promise<void> {
    for (const [index, { step, position }] of steps.entries()) {
      if (index > 0 && index % portion === 0) await nextTurn()
      const item: TopicItem = { type: 'step', step, position }
      for (const [listener, after] of this.#listeners) if (comparePositions(position, after) > 0) listener.step(item)
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
