/** Reads the promises of the OpenAPI document: the codes, headers and body of each operation and status. */
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'

type Json = Record<string, unknown>

export interface Promised {
  readonly status: number
  /** Of a refusal; an answer has none. */
  readonly codes: readonly string[]
  readonly headers: readonly string[]
  /** Media types that the body may have. */
  readonly types: readonly string[]
  /** The problem of a body. Undefined if it is valid. */
  problem(body: unknown): string | undefined
}

export class Promises {
  readonly #byOperation = new Map<string, ReadonlyMap<number, Promised>>()

  constructor(document: Json) {
    for (const item of Object.values(document.paths as Record<string, Json>))
      for (const operation of Object.values(item) as { operationId: string; responses: Record<string, Json> }[]) {
        const all = Object.entries(operation.responses).map(([status, one]) => promised(Number(status), one, document))
        this.#byOperation.set(operation.operationId, new Map(all.map((one) => [one.status, one])))
      }
  }

  of(operation: string): ReadonlyMap<number, Promised> {
    return this.#byOperation.get(operation) ?? new Map()
  }

  get operations(): readonly string[] {
    return [...this.#byOperation.keys()]
  }
}

function promised(status: number, given: Json, document: Json): Promised {
  const response = resolved(given, document)
  const content = response.content as Record<string, { readonly schema?: Json }> | undefined
  const schema = content?.['application/json']?.schema
  const check = schema && validator(schema, document)
  return {
    status,
    codes: codesIn(schema),
    headers: Object.keys(response.headers as Json),
    types: Object.keys(content ?? {}),
    problem: (body) => {
      if (content && !schema) return typeof body === 'string' ? undefined : 'no file where one is promised'
      if (!check) return body === undefined ? undefined : 'a body where none is promised'
      return check(body)
    },
  }
}

function resolved(value: Json, document: Json): Json {
  if (typeof value.$ref !== 'string') return value
  const steps = value.$ref.slice(2).split('/')
  return steps.reduce<Json>((inner, step) => inner[step] as Json, document)
}

function codesIn(schema: Json | undefined): readonly string[] {
  const narrowed = (schema?.allOf as Json[] | undefined)?.[1] as
    | { properties: { error: { properties: { code: { enum: string[] } } } } }
    | undefined
  return narrowed?.properties.error.properties.code.enum ?? []
}

function validator(schema: Json, document: Json): (body: unknown) => string | undefined {
  const whole: Json = { ...closed(schema), components: closed(document.components as Json) }
  const check = new AjvJsonSchemaValidator().getValidator(whole)
  return (body) => check(body).errorMessage
}

/** Fields that are not promised are a mistake. Only the envelope, which each answer narrows, is open. */
function closed(schema: Json): Json {
  const inner = Object.entries(schema).map(([key, value]) => [key, key === 'allOf' ? value : within(key, value)])
  const own = Object.fromEntries(inner) as Json
  const object = schema.type === 'object' && schema.properties !== undefined
  return object && schema.additionalProperties === undefined ? { ...own, additionalProperties: false } : own
}

const envelopes = new Set(['Refusal', 'AccountRefusal'])

function within(key: string, value: unknown): unknown {
  if (envelopes.has(key)) return value
  if (Array.isArray(value)) return value.map((one) => within('', one))
  return typeof value === 'object' && value !== null ? closed(value as Json) : value
}
