/** Valibot's schemas as JSON schemas, draft 2020-12, with what our metadata says. */
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import { idPattern, idPrefixes } from '../../../spec/core/ids.ts'
import type { Schema, TypeMetadata } from '../../../spec/core/types.ts'

/** `input` is how it is sent, `output` how it is answered. */
export type Side = 'input' | 'output'

interface Metadata {
  readonly metadata?: TypeMetadata
}

interface Wishes extends ConversionConfig {
  /** Says of each ID what it names, where nothing better is said of it. */
  readonly explainIds?: boolean
  /** Gives each ID the pattern that it is checked by. */
  readonly idPatterns?: boolean
}

export function jsonSchemaOf(
  schema: Schema,
  typeMode: Side,
  { explainIds = false, idPatterns = false, ...more }: Wishes = {},
): Record<string, unknown> {
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
    // A check is a function. What can be said of it in JSON schema is metadata beside it (`jsonSchema`); the rest its message says.
    ignoreActions: ['check'],
    overrideAction: ({ valibotAction, jsonSchema }) => {
      if (valibotAction.type !== 'metadata') return undefined
      // What stands there is for other printers, but for this.
      const { scalar, jsonTypes, idOf, jsonSchema: enforced } = (valibotAction as Metadata).metadata ?? {}
      const {
        typeName: _,
        scalar: __,
        jsonTypes: ___,
        idOf: ____,
        jsonSchema: _____,
        most: ______,
        isOneOf: _______,
        ...said
      } = jsonSchema as Record<string, unknown>
      // GraphQL is told why, JSON schema knows only that.
      const own = typeof said.deprecated === 'string' ? { ...said, deprecated: true } : said
      const pattern = idPatterns && idOf ? { pattern: idPattern(idOf) } : {}
      const rest: Record<string, unknown> = { ...own, ...enforced, ...pattern }
      if (explainIds && idOf) return { ...rest, description: `The ID of the ${idOf}: \`${idPrefixes[idOf]}_…\`.` }
      if (jsonTypes) return { ...rest, type: jsonTypes.length === 1 ? jsonTypes[0] : jsonTypes }
      return scalar === 'DateTime' ? { ...rest, format: 'date-time' } : rest
    },
  })
  return own
}
