/** Loads related rows for one request. All lookups within one level of a query become one query to the views. */
import type { ActorRow } from '../../spec/core/actor.ts'
import type { ActorKind } from '../../spec/core/ids.ts'
import type { Relation } from '../operations/objectType.ts'
import type { RequestContext } from '../operations/requestContext.ts'
import type { TypedViews } from '../operations/typedViews.ts'

type Many = Extract<Relation, { type: 'many' }>
type Derived = Extract<Relation, { type: 'derived' }>
type Parent = Readonly<Record<string, unknown>>

export class Loaders {
  readonly #views: TypedViews
  readonly #context: Pick<RequestContext, 'views' | 'presence' | 'now'>
  readonly #rows: Batch<string, ActorRow | undefined>
  readonly #children = new Map<string, Batch<string, readonly ActorRow[]>>()
  readonly #derived = new Map<Derived, Batch<Parent, unknown>>()

  constructor(context: Pick<RequestContext, 'views' | 'presence' | 'now'>) {
    const { views } = context
    this.#context = context
    this.#views = views
    this.#rows = new Batch(async (ids) => {
      const found = await views.findMany(ids)
      return (id) => found.get(id)
    })
  }

  row(id: string): Promise<ActorRow | undefined> {
    return this.#rows.load(id)
  }

  /** Newest first. */
  children({ kind, by, limit, terminal }: Many, parentId: string): Promise<readonly ActorRow[]> {
    const name = `${kind} ${by} ${limit} ${terminal}`
    let batch = this.#children.get(name)
    if (!batch) {
      batch = this.#childBatch(kind, by, limit, terminal)
      this.#children.set(name, batch)
    }
    return batch.load(parentId)
  }

  derived(relation: Derived, parent: Parent): Promise<unknown> {
    let batch = this.#derived.get(relation)
    if (!batch) {
      batch = new Batch(async (parents) => {
        const answers = await relation.load(parents, this.#context)
        const byParent = new Map(parents.map((one, index) => [one, answers[index]]))
        return (one) => byParent.get(one)
      })
      this.#derived.set(relation, batch)
    }
    return batch.load(parent)
  }

  #childBatch(
    kind: ActorKind,
    by: Many['by'],
    limit: number,
    terminal: boolean | undefined,
  ): Batch<string, readonly ActorRow[]> {
    return new Batch(async (ids) => {
      const found = await this.#views.listByScope(kind, by, ids, limit, terminal === undefined ? {} : { terminal })
      return (id) => found.get(id) ?? []
    })
  }
}

type Fetch<K, T> = (keys: readonly K[]) => Promise<(key: K) => T>

/** Keys that are requested before the executor has finished a level are fetched together, each once. */
class Batch<K, T> {
  readonly #fetch: Fetch<K, T>
  readonly #known = new Map<K, Promise<T>>()
  #waiting: K[] = []
  #fetching: Promise<(key: K) => T> | undefined

  constructor(fetch: Fetch<K, T>) {
    this.#fetch = fetch
  }

  load(key: K): Promise<T> {
    const known = this.#known.get(key)
    if (known) return known
    this.#waiting.push(key)
    this.#fetching ??= this.#soon()
    const value = this.#fetching.then((pick) => pick(key))
    this.#known.set(key, value)
    return value
  }

  async #soon(): Promise<(key: K) => T> {
    // Wait until promises that are already settled have run: they belong to sibling fields, which request rows of the same level.
    await new Promise<void>((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)))
    const keys = this.#waiting
    this.#waiting = []
    this.#fetching = undefined
    return await this.#fetch(keys)
  }
}
