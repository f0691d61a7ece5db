/** Builds objects of the schema from actors' rows: by name, by kind, and through relations. */
import type { ActorRow } from '../../../spec/core/actor.ts'
import { nestedPageArguments } from '../../../spec/core/connections.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import { directionOf, type PageArguments, pageOf } from '../../operations/core/connections.ts'
import { parseInput } from '../../operations/core/parseInput.ts'
import { requireKind } from '../../operations/core/replies.ts'
import type { AnyObjectType, CatalogType, GraphqlObject, ObjectType, Relation } from '../../operations/objectType.ts'
import type { RequestContext } from '../../operations/requestContext.ts'
import type { GraphqlContext } from '../contextValue.ts'

type Arguments = Readonly<Record<string, unknown>>
type Connected = Extract<Relation, { type: 'connection' }>
type FromRow = Pick<RequestContext, 'presence' | 'now' | 'baseUrl'>

export class Objects {
  readonly #byName = new Map<string, AnyObjectType[]>()
  readonly #byKind = new Map<ActorKind, AnyObjectType[]>()

  constructor(types: readonly CatalogType[]) {
    for (const type of types) {
      if (!('kind' in type)) continue
      push(this.#byName, type.name, type)
      if (type.implements !== undefined) push(this.#byName, type.implements, type)
      push(this.#byKind, type.kind, type)
    }
  }

  /** @param target the name of an object or of an interface */
  ofType(target: string, row: ActorRow, context: FromRow): GraphqlObject {
    return make(this.#byName.get(target) ?? [], row, context)
  }

  ofKind(row: ActorRow, context: FromRow): GraphqlObject | null {
    const types = this.#byKind.get(row.kind)
    return types ? make(types, row, context) : null
  }

  /** An ID may be one of several kinds, as that of a queue's entry, which has a relation for each of them. */
  #isOfType(target: string, row: ActorRow): boolean {
    return (this.#byName.get(target) ?? []).some(({ kind }) => kind === row.kind)
  }

  #isShown(row: ActorRow): boolean {
    return (this.#byKind.get(row.kind) ?? []).every((type) => isShownBy(type, row))
  }

  async related(relation: Relation, parent: GraphqlObject, args: Arguments, context: GraphqlContext): Promise<unknown> {
    const { loaders, request } = context
    if (relation.type === 'derived') {
      const given = relation.arguments === undefined ? args : parseInput(relation.arguments, args)
      return await loaders.derived(relation, parent, given as Arguments)
    }
    if (relation.type === 'list') {
      const ids = parent[relation.by] as readonly string[]
      const rows = await Promise.all(ids.slice(0, relation.most).map((id) => loaders.row(id)))
      return rows.flatMap((row) => (row === undefined ? [] : [this.ofType(relation.target, row, request)]))
    }
    if (relation.type === 'one' || relation.type === 'union') {
      const id = parent[relation.by]
      const row = typeof id === 'string' ? await loaders.row(id) : undefined
      if (row === undefined || !this.#isShown(row)) return null
      if (relation.type === 'one')
        return this.#isOfType(relation.target, row) ? this.ofType(relation.target, row, request) : null
      const made = this.ofKind(row, request)
      return made && relation.members.includes(String(made.__typename)) ? made : null
    }
    return await this.#connection(relation, parent, parseInput(nestedPageArguments, args) as PageArguments, context)
  }

  /** Counts all nodes only if the query asks for `totalCount`: that reads them all. */
  async #connection(
    relation: Connected,
    { id }: GraphqlObject,
    args: PageArguments,
    { loaders, request }: GraphqlContext,
  ) {
    if (typeof id !== 'string') throw new Failure('INTERNAL', 'A related object has no ID.')
    const direction = directionOf(args)
    const { limit, after } = direction
    const rows = await loaders.children(relation, id, { limit: limit + 1, after })
    return pageOf(
      rows,
      direction,
      (row) => row.id,
      (row) => this.ofType(relation.target, row, request),
      () => loaders.childCount(relation, id),
    )
  }
}

/** If several object types have one kind, each row's `__typename` selects the type. */
function make(types: readonly AnyObjectType[], row: ActorRow, context: FromRow): GraphqlObject {
  const [first] = types
  if (!first) throw new Error(`no object type for ${row.kind}`)
  const made = makeOne(first, row, context)
  const name = made.__typename
  if (typeof name !== 'string') return { __typename: first.name, ...made }
  const own = types.find((type) => type.name === name)
  return own && own !== first ? makeOne(own, row, context) : made
}

/** @throws if the row is of another kind than the type */
function makeOne<K extends ActorKind>(type: ObjectType<K>, row: ActorRow, context: FromRow): GraphqlObject {
  return type.fromRow(requireKind(type.kind, row), context) as GraphqlObject
}

function isShownBy<K extends ActorKind>(type: ObjectType<K>, row: ActorRow): boolean {
  return type.isShown === undefined || type.isShown(requireKind(type.kind, row))
}

function push<K, T>(index: Map<K, T[]>, key: K, value: T): void {
  const known = index.get(key)
  if (known) known.push(value)
  else index.set(key, [value])
}
