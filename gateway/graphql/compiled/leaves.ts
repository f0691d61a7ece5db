/** Writers for scalars and enums. The usual JavaScript type of each is written directly. graphql-js coerces all others. */
import { type GraphQLEnumType, type GraphQLScalarType, isEnumType } from 'graphql'
import { quote } from '../quote.ts'
import { notCompiled, type Writer } from './writer.ts'

/** The writer is never called with null. */
export function leafWriter(type: GraphQLScalarType | GraphQLEnumType): Writer {
  if (isEnumType(type)) return enumWriter(type)
  const coerced = coercedWriter(type)
  switch (type.name) {
    case 'String':
    case 'ID':
    case 'DateTime':
      return (value) => (typeof value === 'string' ? quote(value) : coerced(value))
    case 'Boolean':
      return (value) => (value === true ? 'true' : value === false ? 'false' : coerced(value))
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? String(value) : coerced(value))
    default:
      return coerced
  }
}

function coercedWriter(type: GraphQLScalarType): (value: unknown) => string {
  return (value) => {
    if (value instanceof Error) throw notCompiled
    const coerced: unknown = type.coerceOutputValue(value)
    if (coerced === null || coerced === undefined) throw notCompiled
    // A value that JSON cannot express is left out of its object.
    const text = JSON.stringify(coerced) as string | undefined
    if (text === undefined) throw notCompiled
    return text
  }
}

function enumWriter(type: GraphQLEnumType): Writer {
  const names = new Map<unknown, string>(type.getValues().map(({ name, value }) => [value, quote(name)]))
  return (value) => {
    const name = names.get(value)
    if (name === undefined) throw notCompiled
    return name
  }
}
