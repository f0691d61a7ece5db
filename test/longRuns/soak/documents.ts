/** Random GraphQL documents, generated from the schema: mostly valid ones, with values that are often invalid. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { Random } from './random.ts'

export interface RandomOperation {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

type Field = GraphQLField<unknown, unknown>

/** @param ids of actors, used for arguments that are IDs */
export function randomOperation(schema: GraphQLSchema, random: Random, ids: readonly string[]): RandomOperation {
  const writer = new Writer(random, ids)
  const root = random.pick(
    [schema.getQueryType(), schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
      (type): type is GraphQLObjectType => type !== null && type !== undefined,
    ),
  )
  const kind =
    root === schema.getQueryType() ? 'query' : root === schema.getMutationType() ? 'mutation' : 'subscription'
  const fields = Object.values(root.getFields())
  const count = kind === 'query' ? random.pick([1, 1, 1, 2, 5]) : kind === 'mutation' ? random.pick([1, 1, 1, 2]) : 1
  const body = Array.from({ length: count }, (_, index) => writer.field(random.pick(fields), `f${index}`, 0)).join(' ')
  const declared = writer.definitions.length > 0 ? `(${writer.definitions.join(', ')})` : ''
  const text = `${kind} Random${declared} { ${body} }`
  return { query: random.chance(0.1) ? spoiled(text, random) : text, variables: writer.variables }
}

/** The text with some of it removed, duplicated or swapped. */
function spoiled(text: string, random: Random): string {
  let result = text
  for (let count = random.between(1, 4); count > 0; count--) {
    const at = random.below(result.length + 1)
    const end = Math.min(result.length, at + random.below(12))
    const put = random.pick([
      '',
      '{',
      '}',
      '(',
      '$',
      '...',
      '@include(if: true)',
      '"',
      '"""',
      random.text(),
      result.slice(at, end),
    ])
    result = result.slice(0, at) + put + result.slice(random.chance(0.5) ? at : end)
  }
  return result
}

class Writer {
  readonly definitions: string[] = []
  readonly variables: Record<string, unknown> = {}
  readonly #random: Random
  readonly #ids: readonly string[]

  constructor(random: Random, ids: readonly string[]) {
    this.#random = random
    this.#ids = ids
  }

  field(field: Field, alias: string, depth: number): string {
    const name = this.#random.chance(0.8) ? `${alias}: ${field.name}` : field.name
    return `${name}${this.#arguments(field.args)}${this.#selection(named(field.type as never), depth)}`
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    if (!isObjectType(type) && !isInterfaceType(type)) return ''
    const fields = Object.values(type.getFields() as Record<string, Field>)
    const leaves = fields.filter((one) => !isComposite(one))
    const chosen = fields.filter((one) =>
      isComposite(one) ? depth < 5 && this.#random.chance(0.3) : this.#random.chance(0.5),
    )
    const selected = chosen.map((one, index) => this.field(one, `a${depth}_${index}`, depth + 1))
    if (selected.length === 0) selected.push(leaves[0]?.name ?? '__typename')
    return ` { ${selected.join(' ')} }`
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const given = args.filter((one) => isNonNullType(one.type) || this.#random.chance(0.5))
    if (given.length === 0) return ''
    return `(${given.map((one) => `${one.name}: ${this.#argument(one)}`).join(', ')})`
  }

  #argument({ type }: GraphQLArgument): string {
    const name = `v${this.definitions.length}`
    this.definitions.push(`$${name}: ${String(type)}`)
    this.variables[name] = this.#value(type, 0)
    return `$${name}`
  }

  #value(type: GraphQLInputType, depth: number): unknown {
    const random = this.#random
    if (isNonNullType(type)) {
      // Sometimes null, which is not allowed.
      return random.chance(0.01) ? null : this.#value(type.ofType as GraphQLInputType, depth)
    }
    if (random.chance(0.02)) return random.pick<unknown>([null, {}, [], random.text(), -1, 1e308, true])
    if (isListType(type))
      return Array.from({ length: random.pick([0, 1, 1, 2, 30]) }, () =>
        this.#value(type.ofType as GraphQLInputType, depth),
      )
    if (isInputObjectType(type)) return this.#object(type.getFields(), depth)
    if (isEnumType(type)) return random.pick(type.getValues()).name
    return this.#scalar(type.name)
  }

  #object(
    fields: Readonly<Record<string, { readonly type: GraphQLInputType }>>,
    depth: number,
  ): Record<string, unknown> {
    const value: Record<string, unknown> = {}
    for (const [name, { type }] of Object.entries(fields))
      if (isNonNullType(type) || (depth < 4 && this.#random.chance(0.6))) value[name] = this.#value(type, depth + 1)
    return value
  }

  #scalar(name: string): unknown {
    const random = this.#random
    switch (name) {
      case 'Int':
        return random.pick([0, 1, 1, 2, 10, 100, -1, 2_147_483_647, -2_147_483_648])
      case 'Float':
        return random.pick([0, 0.5, -1, 1e300, 1e-300])
      case 'Boolean':
        return random.chance(0.5)
      case 'ID':
        return random.chance(0.8) ? random.pick(this.#ids) : random.text()
      case 'DateTime':
        return random.pick(['2026-01-01T00:00:00.000Z', 'yesterday', '9999-99-99T99:99:99Z'])
      case 'JSON':
        return random.pick<unknown>([null, 1, 'text', [], { a: [1, { b: null }] }, deep(40)])
      default:
        return random.pick([
          random.text(),
          random.text(),
          random.pick(this.#ids),
          'main',
          '/tmp/x',
          '../../etc',
          'MQ==',
        ])
    }
  }
}

function deep(levels: number): unknown {
  return levels === 0 ? 'end' : [deep(levels - 1)]
}

interface Wrapping {
  readonly ofType?: GraphQLNamedType | Wrapping
}

function named(type: GraphQLNamedType | Wrapping): GraphQLNamedType {
  const inner = (type as Wrapping).ofType
  return inner === undefined ? (type as GraphQLNamedType) : named(inner)
}

function isComposite(field: Field): boolean {
  const type = named(field.type as never)
  return isObjectType(type) || isInterfaceType(type)
}
