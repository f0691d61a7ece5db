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
  type Execution,
  isPromiseLike,
  joinParts,
  notCompiled,
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
  if (type.isTypeOf) throw notCompiled
  const keys: string[] = []
  const writers: Writer[] = []
  for (const [name, nodes] of fields) {
    document.size.fields++
    if (document.size.fields > mostFields) throw notCompiled
    keys.push(`${keys.length === 0 ? '' : ','}${quote(name)}:`)
    writers.push(fieldWriter(type, nodes, document, root))
  }
  return (source, execution) => {
    if (!root && (typeof source !== 'object' || source instanceof Error)) throw notCompiled
    let text = '{'
    for (let at = 0; at < writers.length; at++) {
      const written = (writers[at] as Writer)(source, execution)
      text += keys[at]
      if (typeof written !== 'string') return laterFields(source, execution, [text, written], at + 1)
      text += written
    }
    return `${text}}`
  }

  /** Starts the fields after one that is pending, without waiting for it. */
  function laterFields(source: unknown, execution: Execution, parts: Written[], from: number): Promise<string> {
    try {
      for (let at = from; at < writers.length; at++)
        parts.push(keys[at] as string, (writers[at] as Writer)(source, execution))
    } catch (error) {
      abandon(parts)
      throw error
    }
    parts.push('}')
    return joinParts(parts)
  }
}

function fieldWriter(type: GraphQLObjectType, nodes: readonly FieldNode[], document: Document, root: boolean): Writer {
  const [node] = nodes
  const name = node?.name.value
  if (node === undefined || name === undefined) throw notCompiled
  if (name === '__typename') {
    const typename = quote(type.name)
    return () => typename
  }
  const field: Field | undefined = type.getFields()[name]
  if (field === undefined) throw notCompiled
  const write = valueWriter(field.type, nodes, document)
  if (field.resolve) return resolvedWriter(field, node, write)
  if (root) throw notCompiled
  return (source, execution) => {
    const value = (source as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'object' ? writeMaybeLater(value, write, execution) : write(value, execution)
  }
}

function resolvedWriter(field: Field, node: FieldNode, write: Writer): Writer {
  const resolve = field.resolve as Resolver
  if (resolve.length > 3) throw notCompiled
  if (field.args.length === 0)
    return (source, execution) => writeMaybeLater(resolve(source, noArguments, execution.context), write, execution)
  return (source, execution) => {
    const args = getArgumentValues(field, node, execution.variables)
    return writeMaybeLater(resolve(source, args, execution.context), write, execution)
  }
}

function valueWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], document: Document): Writer {
  if (isNonNullType(type)) {
    const write = presentWriter(type.ofType, nodes, document)
    return (value, execution) => {
      if (value === null || value === undefined) throw notCompiled
      return write(value, execution)
    }
  }
  const write = presentWriter(type, nodes, document)
  return (value, execution) => (value === null || value === undefined ? 'null' : write(value, execution))
}

/** The writer is never called with null. */
function presentWriter(type: GraphQLOutputType, nodes: readonly FieldNode[], document: Document): Writer {
  if (isLeafType(type)) return leafWriter(type)
  if (isListType(type)) return listWriter(valueWriter(type.ofType, nodes, document))
  const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  if (isObjectType(type)) return objectWriter(type, collectFields(sets, type, document), document)
  if (isNonNullType(type)) throw notCompiled
  return choiceWriter(type, document, (own) => objectWriter(own, collectFields(sets, own, document), document))
}

function listWriter(write: Writer): Writer {
  return (value, execution) => {
    if (!Array.isArray(value)) throw notCompiled
    let text = '['
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at]
      const written = isPromiseLike(item) ? writeMaybeLater(item, write, execution) : write(item, execution)
      if (at > 0) text += ','
      if (typeof written !== 'string') return laterItems(value, execution, [text, written], at + 1)
      text += written
    }
    return `${text}]`
  }

  function laterItems(
    items: readonly unknown[],
    execution: Execution,
    parts: Written[],
    from: number,
  ): Promise<string> {
    try {
      for (let at = from; at < items.length; at++) parts.push(',', writeMaybeLater(items[at], write, execution))
    } catch (error) {
      abandon(parts)
      throw error
    }
    parts.push(']')
    return joinParts(parts)
  }
}

/** Writes an object of an interface or a union. The selected fields depend on its type. */
function choiceWriter(
  type: GraphQLAbstractType,
  { schema }: Document,
  make: (type: GraphQLObjectType) => Writer,
): Writer {
  const resolveType = type.resolveType as ((value: unknown, context: GraphqlContext) => unknown) | undefined
  if (resolveType === undefined || resolveType.length > 2) throw notCompiled
  const writers = new Map<unknown, Writer>(schema.getPossibleTypes(type).map((own) => [own.name, make(own)]))
  return (value, execution) => {
    if (typeof value !== 'object') throw notCompiled
    const write = writers.get(resolveType(value, execution.context))
    if (write === undefined) throw notCompiled
    return write(value, execution)
  }
}
