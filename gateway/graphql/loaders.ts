/** Loads related rows for one request. All lookups within one level of a query become one query to the views. */
import type { ActorRow } from '../../spec/core/actor.ts'
import type { Relation, RelationContext } from '../operations/objectType.ts'
import type { TypedViews } from '../operations/typedViews.ts'

type Connected = Extract<Relation, { type: 'connection' }>
type Derived = Extract<Relation, { type: 'derived' }>
type Parent = Readonly<Record<string, unknown>>
type Arguments = Readonly<Record<string, unknown>>

export interface ChildPage {
  /** At most this many, newest first. */
  readonly limit: number
  /** The ID of the last child on the previous page. */
  readonly after: string | undefined
}

export class Loaders {
  readonly #views: TypedViews
  readonly #context: RelationContext
  readonly #rows: Batch<string, ActorRow | undefined>
  readonly #children = new Map<string, Batch<string, readonly ActorRow[]>>()
  readonly #childCounts = new Map<string, Batch<string, number>>()
  readonly #derived = new Map<Derived, Map<string, Batch<Parent, unknown>>>()

  constructor(context: RelationContext) {
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

  children(relation: Connected, parentId: string, page: ChildPage): Promise<readonly ActorRow[]> {
    const { kind, by, terminal } = relation
    const { limit, after } = page
    const batch = getOrMake(this.#children, `${kind} ${by} ${terminal} ${limit} ${after}`, () => {
      const which = { ...terminalOf(relation), ...(after === undefined ? {} : { after }) }
      return new Batch(async (ids) => {
        const found = await this.#views.listByScope(kind, by, ids, limit, which)
        return (id) => found.get(id) ?? []
      })
    })
    return batch.load(parentId)
  }

  /** The number of all children of a parent. */
  childCount(relation: Connected, parentId: string): Promise<number> {
    const { kind, by, terminal } = relation
    const batch = getOrMake(
      this.#childCounts,
      `${kind} ${by} ${terminal}`,
      () =>
        new Batch(async (ids) => {
          const counts = await this.#views.countByScope(kind, by, ids, terminalOf(relation))
          return (id) => counts.get(id) ?? 0
        }),
    )
    return batch.load(parentId)
  }

  derived(relation: Derived, parent: Parent, args: Arguments): Promise<unknown> {
    const batches = getOrMake(this.#derived, relation, () => new Map<string, Batch<Parent, unknown>>())
    const batch = getOrMake(
      batches,
      JSON.stringify(args),
      () =>
        new Batch(async (parents) => {
          const answers = await relation.load(parents, this.#context, args)
          const byParent = new Map(parents.map((one, index) => [one, answers[index]]))
          return (one) => byParent.get(one)
        }),
    )
    return batch.load(parent)
  }
}

const terminalOf = ({ terminal }: Connected): { readonly terminal?: boolean } =>
  terminal === undefined ? {} : { terminal }

function getOrMake<K, T>(known: Map<K, T>, key: K, make: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
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
