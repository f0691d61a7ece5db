/**
 * One feed listener for all followers of rows of a kind. Ten thousand agents each follow their own jobs. Followers are indexed by
 * what they follow, and a change of another process is read once for all of them.
 */
import type { ActorRow } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Feed, FeedItem } from '../../storage/ports/feed.ts'
import type { Topic } from '../operations/handler.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import { missed } from './following.ts'

type Where = Extract<Topic, { type: 'rows' }>['where']

export interface RowListener {
  changed(row: ActorRow): void
  /** Changes may have been missed. */
  broken(error: unknown): void
}

export class RowListeners {
  readonly #feed: Feed
  readonly #views: TypedViews
  readonly #byKind = new Map<ActorKind, KindListener>()

  constructor(feed: Feed, views: TypedViews) {
    this.#feed = feed
    this.#views = views
  }

  /** Reports changes of rows that may match. The listener checks the details. Returns a function that stops listening. */
  listen(kind: ActorKind, where: Where, listener: RowListener): () => void {
    let own = this.#byKind.get(kind)
    if (own === undefined) {
      own = new KindListener(kind, this.#feed, this.#views)
      this.#byKind.set(kind, own)
    }
    const ofKind = own
    const key = keyOf(where)
    ofKind.add(key, listener)
    return () => {
      if (ofKind.remove(key, listener)) this.#byKind.delete(kind)
    }
  }
}

const indexed = ['id', 'agentId', 'worktreeId', 'scopeId'] as const
const everything = ''

function keyOf(where: Where): string {
  const name = indexed.find((column) => where[column] !== undefined)
  return name === undefined ? everything : `${name} ${where[name]}`
}

class KindListener {
  readonly #views: TypedViews
  readonly #byKey = new Map<string, Set<RowListener>>()
  readonly #unlisten: readonly (() => void)[]
  /** Changes that arrived while rows were read: the latest of each actor. */
  readonly #waiting = new Map<string, FeedItem>()
  #reading = false

  constructor(kind: ActorKind, feed: Feed, views: TypedViews) {
    this.#views = views
    this.#unlisten = [feed.onKind(kind, (item) => this.#onItem(item)), feed.onGap(() => this.#break(missed()))]
  }

  add(key: string, listener: RowListener): void {
    const known = this.#byKey.get(key)
    if (known) known.add(listener)
    else this.#byKey.set(key, new Set([listener]))
  }

  /** Returns whether no listener is left. */
  remove(key: string, listener: RowListener): boolean {
    const listeners = this.#byKey.get(key)
    if (!listeners?.delete(listener) || listeners.size > 0) return false
    this.#byKey.delete(key)
    if (this.#byKey.size > 0) return false
    for (const end of this.#unlisten) end()
    return true
  }

  #onItem(item: FeedItem): void {
    if (item.row && !this.#reading) {
      this.#notify(item.row)
      return
    }
    this.#waiting.set(item.ref.id, item)
    if (!this.#reading) void this.#read()
  }

  async #read(): Promise<void> {
    this.#reading = true
    try {
      while (this.#waiting.size > 0) {
        const items = [...this.#waiting.values()]
        this.#waiting.clear()
        const unknown = items.filter(({ row }) => !row).map(({ ref }) => ref.id)
        const rows = unknown.length > 0 ? await this.#views.findMany(unknown) : undefined
        for (const { ref, row } of items) {
          const now = row ?? rows?.get(ref.id)
          if (now) this.#notify(now)
        }
      }
    } catch (error) {
      this.#waiting.clear()
      this.#break(error)
    } finally {
      this.#reading = false
    }
  }

  #notify(row: ActorRow): void {
    const { agentId, worktreeId, scopeId } = row.columns
    this.#notifyKey(everything, row)
    this.#notifyKey(`id ${row.id}`, row)
    if (agentId !== undefined) this.#notifyKey(`agentId ${agentId}`, row)
    if (worktreeId !== undefined) this.#notifyKey(`worktreeId ${worktreeId}`, row)
    if (scopeId !== undefined) this.#notifyKey(`scopeId ${scopeId}`, row)
  }

  #notifyKey(key: string, row: ActorRow): void {
    for (const listener of this.#byKey.get(key) ?? []) listener.changed(row)
  }

  #break(error: unknown): void {
    for (const listeners of [...this.#byKey.values()]) for (const listener of [...listeners]) listener.broken(error)
  }
}
