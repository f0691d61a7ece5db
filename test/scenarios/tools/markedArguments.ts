/** Arguments for a tool, made from its input schema: valid as far as a schema can express it, with a mark in every text. */
import type { JsonSchema } from '../../../spec/tools/tool.ts'

interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly minimum?: number
  readonly maxLength?: number
  readonly format?: string
  readonly description?: string
}

export interface Marking {
  /** The mark for the next text: at most so long. */
  next(maxLength: number): string
  /** The ID of an actor of the kind with this prefix. Undefined if none exists. */
  known(prefix: string): string | undefined
}

/** @param withIds whether IDs name what there is; else they hold marks too */
export function markedArguments(schema: JsonSchema, marking: Marking, withIds: boolean): Record<string, unknown> {
  return valueFor(schema, marking, withIds) as Record<string, unknown>
}

function valueFor(given: JsonSchema, marking: Marking, withIds: boolean): unknown {
  const schema = given as Schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [first] = schema.anyOf ?? []
  if (first !== undefined) return valueFor(first, marking, withIds)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, own]) => [name, valueFor(own, marking, withIds)]),
      )
    case 'array':
      return schema.items === undefined ? [] : [valueFor(schema.items, marking, withIds)]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 1)
    case 'boolean':
      return false
    case 'string':
      return textOf(schema, marking, withIds)
    default:
      // Any JSON.
      return { note: marking.next(100) }
  }
}

function textOf({ description = '', maxLength = 200 }: Schema, marking: Marking, withIds: boolean): string {
  const prefix = /`([a-z]{2,8})_…`/.exec(description)?.[1]
  const id = withIds && prefix !== undefined ? marking.known(prefix) : undefined
  return id ?? marking.next(maxLength)
}
