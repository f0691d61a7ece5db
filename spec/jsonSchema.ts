/** Valibot's schemas as JSON schemas, draft 2020-12, with what our metadata says. */
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { Schema, TypeMetadata } from './types.ts'

/** `input` is how it is sent, `output` how it is answered. */
export type Side = 'input' | 'output'

export function jsonSchemaOf(schema: Schema, typeMode: Side, more: ConversionConfig = {}): Record<string, unknown> {
  const {
    $schema: _,
    $defs: __,
    ...own
  } = toJsonSchema(schema, {
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'loose_object' ? { ...jsonSchema, additionalProperties: true } : undefined,
    ...more,
    target: 'draft-2020-12',
    typeMode,
    // A check is a function: its message tells what a caller must know, and no JSON schema can.
    ignoreActions: ['check'],
    overrideAction: ({ valibotAction, jsonSchema }) => {
      if (valibotAction.type !== 'metadata') return undefined
      // What stands there is for other printers, but for this.
      const { scalar, jsonTypes } = (valibotAction as { readonly metadata?: TypeMetadata }).metadata ?? {}
      const { typeName: _, scalar: __, jsonTypes: ___, ...rest } = jsonSchema as Record<string, unknown>
      if (jsonTypes) return { ...rest, type: jsonTypes.length === 1 ? jsonTypes[0] : jsonTypes }
      return scalar === 'DateTime' ? { ...rest, format: 'date-time' } : rest
    },
  })
  return own
}
