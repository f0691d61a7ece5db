/** Loads related rows for one request. All lookups within one level of a query become one query to the views. */
import { afterSettledPromises, ReadBatcher } from '../../actors/flow/readBatcher.ts'
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
  readonly #rows: ReadBatcher<string, ActorRow | undefined>
  readonly #children = new Map<string, ReadBatcher<string, readonly ActorRow[]>>()
  readonly #childCounts = new Map<string, ReadBatcher<string, number>>()
  readonly #derived = new Map<Derived, Map<string, ReadBatcher<Parent, unknown>>>()

  constructor(context: RelationContext) {
    const { views } = context
    this.#context = context
    this.#views = views
    this.#rows = batchOf<string, ActorRow | undefined>(async (ids) => {
      const found = await views.findMany(ids)
      return ids.map((id) => found.get(id))
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
      return batchOf<string, readonly ActorRow[]>(async (ids) => {
        const found = await this.#views.listByScope(kind, by, ids, limit, which)
        return ids.map((id) => found.get(id) ?? [])
      })
    })
    return batch.load(parentId)
  }

  /** The number of all children of a parent. */
  childCount(relation: Connected, parentId: string): Promise<number> {
    const { kind, by, terminal } = relation
    const batch = getOrMake(this.#childCounts, `${kind} ${by} ${terminal}`, () =>
      batchOf(async (ids) => {
        const counts = await this.#views.countByScope(kind, by, ids, terminalOf(relation))
        return ids.map((id) => counts.get(id) ?? 0)
      }),
    )
    return batch.load(parentId)
  }

  derived(relation: Derived, parent: Parent, args: Arguments): Promise<unknown> {
    const batches = getOrMake(this.#derived, relation, () => new Map<string, ReadBatcher<Parent, unknown>>())
    const batch = getOrMake(batches, JSON.stringify(args), () =>
      batchOf((parents) => relation.load(parents, this.#context, args)),
    )
    return batch.load(parent)
  }
}

/** Keys that are requested before the executor has finished a level are read together, each once in a request. */
function batchOf<K, V>(read: (keys: readonly K[]) => Promise<readonly V[]>): ReadBatcher<K, V> {
  return new ReadBatcher({ read, schedule: afterSettledPromises, keepsValues: true })
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
