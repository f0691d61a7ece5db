/** A GraphQL document for an operation: its input as variables or literals, and a random selection. */
import {
  astFromValue,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  print,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { RootType } from '../../../../gateway/graphql/schema/rootType.ts'
import { DocumentMaker } from '../../../gateway/graphql/randomDocument.ts'
import type { Random } from '../../soak/random.ts'

export interface Asking {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly document: DocumentNode | undefined
}

export interface Field {
  readonly kind: RootType
  readonly name: string
  readonly input: unknown
}

/** @param plain without an alias, a fragment or a directive, for callers that have no credential yet */
export function asking(schema: GraphQLSchema, field: Field, random: Random, plain: boolean): Asking {
  const again = plain ? undefined : askedAgain(schema, field, random)
  if (again) return again
  for (let tries = 0; ; tries++) {
    const made = onceAsking(schema, field, random, plain)
    const document = parsed(made.query)
    const fits = document !== undefined && validate(schema, document).length === 0
    if (fits && !plain) keep(schema, field, { ...made, document })
    // A random selection that is invalid is built again. An invalid input is intended.
    if (fits || tries > 4) return { ...made, document: fits ? document : undefined }
  }
}

/** Clients send few documents, each with many variables. The fuzzer does the same, so that the program's caches are used too. */
const kept = new WeakMap<GraphQLSchema, Map<string, Asking[]>>()
const mostKept = 12

/** The key of documents that have the same arguments. */
function keyOf(schema: GraphQLSchema, { kind, name, input }: Field): string {
  const args = schema.getRootType(kind as never)?.getFields()[name]?.args ?? []
  return `${kind} ${name} ${argumentsOf(args, kind, input).map((one) => one.name)}`
}

function askedAgain(schema: GraphQLSchema, field: Field, random: Random): Asking | undefined {
  const known = kept.get(schema)?.get(keyOf(schema, field)) ?? []
  if (known.length < mostKept && random.chance(0.5)) return undefined
  if (known.length === 0 || random.chance(0.3)) return undefined
  const { query, document, variables } = random.pick(known)
  const args = schema.getRootType(field.kind as never)?.getFields()[field.name]?.args ?? []
  const given = argumentsOf(args, field.kind, field.input).map(({ name, value }) => [name, value] as const)
  return { query, document, variables: { ...variables, ...Object.fromEntries(given) } }
}

function keep(schema: GraphQLSchema, field: Field, asking: Asking & { readonly literals: boolean }): void {
  if (asking.literals) return
  const documents = kept.get(schema) ?? new Map<string, Asking[]>()
  kept.set(schema, documents)
  const key = keyOf(schema, field)
  const known = documents.get(key) ?? []
  documents.set(key, [...known, asking].slice(-mostKept))
}

function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function onceAsking(schema: GraphQLSchema, { kind, name, input }: Field, random: Random, plain: boolean) {
  const root = schema.getRootType(kind as never)
  const own = root?.getFields()[name]
  if (!own) throw new Error(`the schema has no ${kind} ${name}`)
  const maker = new DocumentMaker(schema, (count) => random.below(count))
  const given = argumentsOf(own.args, kind, input)
  const variables: Record<string, unknown> = {}
  const definitions: string[] = []
  const args: string[] = []
  let literals = false
  for (const { name: argument, type, value } of given) {
    const literal = !plain && random.chance(0.3) ? literalOf(value, type) : undefined
    if (literal === undefined) {
      variables[argument] = value
      definitions.push(`$${argument}: ${type}`)
    } else literals = true
    args.push(`${argument}: ${literal ?? `$${argument}`}`)
  }
  const result = getNamedType(own.type)
  const selection = isCompositeType(result) ? (plain ? leaves(schema, result.name) : maker.selection(result, 3)) : ''
  for (const [variable, { type, value }] of maker.variables) {
    definitions.push(`$${variable}: ${type}`)
    if (value !== undefined) variables[variable] = value
  }
  const head = definitions.length > 0 ? `(${definitions.join(', ')})` : ''
  const alias = plain || random.chance(0.8) ? '' : 'aliased: '
  const text = `${kind} Fuzz${head} { ${alias}${name}${args.length > 0 ? `(${args.join(', ')})` : ''} ${selection} }`
  const whole = [text, ...maker.fragments].join('\n')
  const document = plain ? undefined : parsed(whole)
  return { query: document ? print(telling(schema, document)) : whole, variables, literals }
}

function argumentsOf(
  args: readonly { readonly name: string; readonly type: GraphQLInputType }[],
  kind: Field['kind'],
  input: unknown,
) {
  const [only] = args
  if (kind === 'mutation' && args.length === 1 && only?.name === 'input')
    return [{ name: 'input', type: only.type, value: input }]
  const values = (input ?? {}) as Readonly<Record<string, unknown>>
  return args.flatMap(({ name, type }) => (values[name] === undefined ? [] : [{ name, type, value: values[name] }]))
}

function literalOf(value: unknown, type: GraphQLInputType): string | undefined {
  try {
    const node = astFromValue(value, type)
    return node ? print(node) : undefined
  } catch {
    return undefined
  }
}

function leaves(schema: GraphQLSchema, name: string): string {
  const type = schema.getType(name)
  if (!isObjectType(type)) return '{ __typename }'
  const fields = Object.values(type.getFields()).filter((field) => isLeafType(getNamedType(field.type)))
  return `{ ${['__typename', ...fields.map((field) => field.name)].join(' ')} }`
}

/** Adds fields to every selection: IDs for later requests, and the type name of objects with an abstract type. */
function telling(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const types = new TypeInfo(schema)
  return visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet: {
        leave(node) {
          const parent = types.getParentType()
          if (!parent || parent === schema.getQueryType() || parent === schema.getSubscriptionType()) return undefined
          if (parent === schema.getMutationType()) return undefined
          const more: FieldNode[] = []
          if (isAbstractType(parent)) more.push(fieldNode('fzType', '__typename'))
          if (isObjectType(parent) || isInterfaceType(parent)) {
            const fields = parent.getFields()
            for (const name of told) if (fields[name]) more.push(fieldNode(`fz_${name}`, name))
          }
          return more.length > 0 ? { ...node, selections: [...node.selections, ...more] } : undefined
        },
      },
    }),
  )
}

/** The fields that are learned from answers. They have aliases of their own, so that they do not conflict with other fields. */
const told = [
  'id',
  'token',
  'credential',
  'epoch',
  'nextSequence',
  'runToken',
  'runId',
  'endCursor',
  'cursor',
  'previewToken',
]

function fieldNode(alias: string, name: string): FieldNode {
  return {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: alias },
    name: { kind: Kind.NAME, value: name },
  }
}
