/** Writers for objects and lists, built once for a selection. All decisions that do not depend on the execution are made here. */
import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getArgumentValues,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { GraphqlContext } from '../contextValue.ts'
import { quote } from '../quote.ts'
import { leafWriter } from './leaves.ts'
import { collectFields, type Document, type Fields } from './selections.ts'
import {
  abandon,
  isPromiseLike,
  joined,
  outside,
  type Run,
  type Writer,
  type Written,
  writeMaybeLater,
} from './writer.ts'

/** The signature of the attached resolvers: none of them uses graphql-js's `info`. */
type Resolver = (source: unknown, args: Readonly<Record<string, unknown>>, context: GraphqlContext) => unknown

type Field = GraphQLField<unknown, unknown>

/** The maximum number of fields. A short text can select very many fields by repeating one fragment. */
const mostFields = 2_000

const noArguments = Object.freeze({})

/** @param root whether it is the root, whose fields have no source object, so all must have resolvers */
export function objectWriter(type: GraphQLObjectType, fields: Fields, document: Document, root = false): Writer {
  if (type.isTypeOf) throw outside
  const keys: string[] = []
  const writers: Writer[] = []
  for (const [name, nodes] of fields) {
    document.size.fields++
    if (document.size.fields > mostFields) throw outside
    keys.push(`${keys.length === 0 ? '' : ','}${quote(name)}:`)
    writers.push(fieldWriter(type, nodes, document, root))
  }
  return (source, run) => {
    if (!root && (typeof source !== 'object' || source instanceof Error)) throw outside
    let text = '{'
    for (let at = 0; at < writers.length; at++) {
      const written = (writers[at] as Writer)(source, run)
      text += keys[at]
      if (typeof written !== 'string') return laterFields(source, run, [text, written], at + 1)
      text += written
    }
    return `${text}}`
  }

  /** Starts the fields after one that is pending, without waiting for it. */
  function laterFields(source: unknown, run: Run, parts: Written[], from: number): Promise<string> {
    try {
      for (let at = from; at < writers.length; at++)
        parts.push(keys[at] as string, (writers[at] as Writer)(source, run))
    } catch (error) {
      abandon(parts)
      throw error
    }
    parts.push('}')
    return joined(parts)
  }
}

function fieldWriter(type: GraphQLObjectType, nodes: readonly FieldNode[], document: Document, root: boolean): Writer {
  const [node] = nodes
  const name = node?.name.value
  if (node === undefined || name === undefined) throw outside
  if (name === '__typename') {
    const typename = quote(type.name)
    return () => typename
  }
  const field: Field | undefined = type.getFields()[name]
  if (field === undefined) throw outside
  const write = valueWriter(field.type, nodes, document)
  if (field.resolve) return resolvedWriter(field, node, write)
  if (root) throw outside
  return (source, run) => {
    const value = (source as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'object' ? writeMaybeLater(value, write, run) : write(value, run)
  }
}

function resolvedWriter(field: Field, node: FieldNode, write: Writer): Writer {
  const resolve = field.resolve as Resolver
  if (resolve.length > 3) throw outside
  if (field.args.length === 0)
    return (source, run) => writeMaybeLater(resolve(source, noArguments, run.context), write, run)
  return (source, run) => {
    const args = getArgumentValues(field, node, run.variables)
    return writeMaybeLater(resolve(source, args, run.context), write, run)
  }
}

function valueWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], document: Document): Writer {
  if (isNonNullType(type)) {
    const write = presentWriter(type.ofType, nodes, document)
    return (value, run) => {
      if (value === null || value === undefined) throw outside
      return write(value, run)
    }
  }
  const write = presentWriter(type, nodes, document)
  return (value, run) => (value === null || value === undefined ? 'null' : write(value, run))
}

/** The writer is never called with null. */
function presentWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], document: Document): Writer {
  if (isLeafType(type)) return leafWriter(type)
  if (isListType(type)) return listWriter(valueWriter(type.ofType, nodes, document))
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  if (isObjectType(type)) return objectWriter(type, collectFields(sets, type, document), document)
  if (isNonNullType(type)) throw outside
  return choiceWriter(type, document, (own) => objectWriter(own, collectFields(sets, own, document), document))
}

function listWriter(write: Writer): Writer {
  return (value, run) => {
    if (!Array.isArray(value)) throw outside
    let text = '['
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at]
      const written = isPromiseLike(item) ? writeMaybeLater(item, write, run) : write(item, run)
      if (at > 0) text += ','
      if (typeof written !== 'string') return laterItems(value, run, [text, written], at + 1)
      text += written
    }
    return `${text}]`
  }

  function laterItems(items: readonly unknown[], run: Run, parts: Written[], from: number): Promise<string> {
    try {
      for (let at = from; at < items.length; at++) parts.push(',', writeMaybeLater(items[at], write, run))
    } catch (error) {
      abandon(parts)
      throw error
    }
    parts.push(']')
    return joined(parts)
  }
}

/** Writes an object of an interface or a union. The selected fields depend on its type. */
function choiceWriter(
  type: GraphQLAbstractType,
  { schema }: Document,
  make: (type: GraphQLObjectType) => Writer,
): Writer {
  const resolveType = type.resolveType as ((value: unknown, context: GraphqlContext) => unknown) | undefined
  if (resolveType === undefined || resolveType.length > 2) throw outside
  const writers = new Map<unknown, Writer>(schema.getPossibleTypes(type).map((own) => [own.name, make(own)]))
  return (value, run) => {
    if (typeof value !== 'object') throw outside
    const write = writers.get(resolveType(value, run.context))
    if (write === undefined) throw outside
    return write(value, run)
  }
}
