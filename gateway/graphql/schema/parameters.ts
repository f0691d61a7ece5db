/** The parameters of a GraphQL request, from a body, a query string or a message of a socket. */
import { Failure } from '../../../spec/core/failure.ts'

export interface Parameters {
  readonly query: string | undefined
  readonly documentId: string | undefined
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>> | undefined
}

const wrong = (name: string, what: string): Failure =>
  new Failure('BAD_USER_INPUT', `"${name}" must be ${what}.`, { details: { field: name } })

export function parametersFrom(value: unknown): Parameters {
  if (Array.isArray(value)) throw new Failure('BAD_USER_INPUT', 'Batches are not taken: send one operation a request.')
  if (!isMap(value)) throw new Failure('BAD_USER_INPUT', 'A request is a JSON object with "query".')
  map(value, 'extensions')
  return {
    query: text(value, 'query'),
    documentId: text(value, 'documentId'),
    operationName: text(value, 'operationName'),
    variables: map(value, 'variables'),
  }
}

export function parametersFromQuery(query: string): Parameters {
  const search = new URLSearchParams(query)
  const given: Record<string, unknown> = {}
  for (const name of ['query', 'documentId', 'operationName']) given[name] = search.get(name) ?? undefined
  for (const name of ['variables', 'extensions']) {
    const json = search.get(name)
    if (json) given[name] = parsed(json, name)
  }
  return parametersFrom(given)
}

function parsed(json: string, name: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw wrong(name, 'JSON')
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function text(from: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = from[name] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw wrong(name, 'a string')
  return value
}

function map(from: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> | undefined {
  const value = from[name] ?? undefined
  if (value !== undefined && !isMap(value)) throw wrong(name, 'an object')
  return value
}
