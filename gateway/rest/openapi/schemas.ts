/**
 * Converts Valibot's schemas to JSON schemas of the document. A named schema, or one that is used in many places, becomes a
 * component.
 */
import type { ReferenceObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import * as v from 'valibot'
import type { Schema, TypeMetadata } from '../../../spec/core/types.ts'
import { jsonSchemaOf, type Side } from '../../operations/core/jsonSchema.ts'

interface Parts {
  readonly wrapped?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
  readonly item?: Schema
  readonly options?: readonly unknown[]
}

export class Components {
  readonly schemas: Record<string, SchemaObject> = {}
  readonly responses: Record<string, ResponseObject> = {}
  readonly #named = new Map<string, Schema>()

  /**
   * Converts a schema and adds the named schemas in it to the components. `input` is the form in requests, `output` the form in
   * responses.
   */
  schema(schema: Schema, side: Side): SchemaObject {
    const found = new Map<string, Schema>()
    collect(schema, found)
    for (const [name, one] of found) this.#keep(name, one, side, found)
    return convert(schema, side, found)
  }

  /** A response that many operations share becomes a component. If another response has the name, the response is written inline. */
  response(name: string, response: ResponseObject): ReferenceObject | ResponseObject {
    const known = this.responses[name]
    if (known && JSON.stringify(known) !== JSON.stringify(response)) return response
    this.responses[name] = response
    return { $ref: `#/components/responses/${name}` }
  }

  #keep(name: string, schema: Schema, side: Side, found: ReadonlyMap<string, Schema>): void {
    if (same(name, schema, this.#named)) return
    this.#named.set(name, schema)
    // The component itself is written in full. A reference to itself would be empty.
    const others = new Map(found)
    others.delete(name)
    this.schemas[name] = convert(schema, side, others)
  }
}

function collect(schema: Schema, found: Map<string, Schema>): void {
  const { typeName } = v.getMetadata(schema) as TypeMetadata
  if (typeName !== undefined && !same(typeName, schema, found)) found.set(typeName, schema)
  const { wrapped, entries, item, options } = schema as unknown as Parts
  const inner = [wrapped, item, ...Object.values(entries ?? {}), ...(options ?? [])]
  for (const one of inner) if (isSchema(one)) collect(one, found)
}

function same(name: string, schema: Schema, known: ReadonlyMap<string, Schema>): boolean {
  const one = known.get(name)
  if (one !== undefined && one !== schema) throw new Error(`two schemas are named ${name}`)
  return one === schema
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'schema'
}

function convert(schema: Schema, side: Side, named: ReadonlyMap<string, Schema>): SchemaObject {
  const converted = jsonSchemaOf(schema, side, {
    idPatterns: true,
    definitions: Object.fromEntries(named),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  })
  return withoutEmptyChoices(converted) as SchemaObject
}

/** A choice of which one option is any value is any value: the schema of any value or null. */
function withoutEmptyChoices(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyChoices)
  if (value === null || typeof value !== 'object') return value
  const { anyOf, ...rest } = value as Readonly<Record<string, unknown>>
  const isAny = Array.isArray(anyOf) && anyOf.some((option) => Object.keys(option as object).length === 0)
  return Object.fromEntries(Object.entries(isAny ? rest : value).map(([key, one]) => [key, withoutEmptyChoices(one)]))
}
