/** Queries of a schema made up by chance: aliases, merged fields, fragments, conditions, arguments, variables. */
import {
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql'

/** A whole number from 0, less than `count`. */
export type Pick = (count: number) => number

export interface RandomDocument {
  readonly text: string
  readonly variables: Readonly<Record<string, unknown>>
}

const deepest = 5

export function randomDocument(schema: GraphQLSchema, pick: Pick): RandomDocument {
  const maker = new DocumentMaker(schema, pick)
  const root = schema.getQueryType()
  if (!root) throw new Error('the schema has no queries')
  const selection = maker.selection(root, 0)
  const definitions = [...maker.variables].map(([name, { type }]) => `$${name}: ${type}`)
  const head = definitions.length > 0 ? `query Q(${definitions.join(', ')})` : 'query Q'
  const values = [...maker.variables].flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]]))
  return { text: [`${head} ${selection}`, ...maker.fragments].join('\n'), variables: Object.fromEntries(values) }
}

/** Makes selections. `variables` and `fragments` collect the definitions that they need. */
export class DocumentMaker {
  readonly variables = new Map<string, { readonly type: string; readonly value: unknown }>()
  readonly fragments: string[] = []
  readonly #schema: GraphQLSchema
  readonly #pick: Pick
  #names = 0

  constructor(schema: GraphQLSchema, pick: Pick) {
    this.#schema = schema
    this.#pick = pick
  }

  #chance(inHundred: number): boolean {
    return this.#pick(100) < inHundred
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#pick(all.length)] as T
  }

  selection(type: GraphQLCompositeType, depth: number): string {
    const parts: string[] = []
    const count = 1 + this.#pick(depth === 0 ? 3 : 4)
    for (let n = 0; n < count; n++) parts.push(this.#part(type, depth))
    // Twice the same, with other fields below: they are to be merged.
    if (this.#chance(15)) parts.push(this.#one(parts).replace(/^(\w+): /, 'again: '))
    return `{ ${parts.join(' ')} }`
  }

  #part(type: GraphQLCompositeType, depth: number): string {
    if (depth > 0 && this.#chance(25)) return this.#fragment(type, depth)
    if (this.#chance(10)) return `${this.#alias()}__typename${this.#condition()}`
    return this.#field(type, depth)
  }

  #fragment(type: GraphQLCompositeType, depth: number): string {
    const on = isObjectType(type) ? this.#one([type, ...type.getInterfaces()]) : this.#one(this.#possible(type))
    const selection = this.selection(on, depth + 1)
    if (this.#chance(50)) return `... ${this.#chance(20) ? '' : `on ${on.name}`}${this.#condition()} ${selection}`
    const name = `F${this.#names++}`
    this.fragments.push(`fragment ${name} on ${on.name} ${selection}`)
    return `...${name}${this.#condition()}`
  }

  #possible(type: GraphQLCompositeType): readonly GraphQLCompositeType[] {
    return isObjectType(type) ? [type] : [type, ...this.#schema.getPossibleTypes(type)]
  }

  #field(type: GraphQLCompositeType, depth: number): string {
    const fields = 'getFields' in type ? Object.values(type.getFields()) : []
    const shallow = fields.filter((field) => !isCompositeType(getNamedType(field.type)))
    const usable = depth >= deepest ? shallow : fields
    if (usable.length === 0) return '__typename'
    const field = this.#one(usable)
    const named = getNamedType(field.type)
    const below = isCompositeType(named) ? ` ${this.selection(named, depth + 1)}` : ''
    return `${this.#alias()}${field.name}${this.#arguments(field.args)}${this.#condition()}${below}`
  }

  #alias(): string {
    return this.#chance(60) ? `a${this.#names++}: ` : ''
  }

  #condition(): string {
    if (this.#chance(85)) return ''
    const name = this.#one(['skip', 'include'])
    if (this.#chance(40)) return ` @${name}(if: ${this.#chance(50)})`
    const variable = this.#one(['c0', 'c1', 'c2'])
    const [type, value] = variable === 'c2' ? ['Boolean = true', undefined] : (['Boolean!', variable === 'c0'] as const)
    this.variables.set(variable, { type: String(type), value })
    return ` @${name}(if: $${variable})`
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const given = args.flatMap((arg) => {
      if (!isNonNullType(arg.type) && this.#chance(50)) return []
      return [`${arg.name}: ${this.#argument(arg)}`]
    })
    return given.length > 0 ? `(${given.join(', ')})` : ''
  }

  #argument(arg: GraphQLArgument): string {
    const value = this.#value(arg)
    if (this.#chance(50) || value === undefined) return value === undefined ? 'null' : JSON.stringify(value)
    const name = `v${this.#names++}`
    // Now and then one that does not fit.
    this.variables.set(name, { type: String(arg.type), value: this.#chance(4) ? { no: 'such thing' } : value })
    return `$${name}`
  }

  /** A value of the type, as a literal and as a variable. `undefined` if the type has no simple value. */
  #value({ name, type }: { readonly name: string; readonly type: GraphQLInputType }): unknown {
    // Others are refused as no page and no cursor of a list.
    if (name === 'first') return 1 + this.#pick(100)
    if (name === 'after') return undefined
    const inner = getNullableType(type)
    if (isEnumType(inner)) return undefined
    if (!isScalarType(inner)) return undefined
    if (inner.name === 'Int') return this.#pick(100)
    if (inner.name === 'Boolean') return this.#chance(50)
    return `text ${this.#pick(3)}`
  }
}
