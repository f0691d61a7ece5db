/** Converts valibot's schemas to JSON schemas, draft 2020-12, with the keywords of our metadata. */
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import { idPattern, idPrefixes } from '../../../spec/core/ids.ts'
import type { Schema, TypeMetadata } from '../../../spec/core/types.ts'

/** `input` is the form of a request, `output` that of an answer. */
export type Side = 'input' | 'output'

interface Metadata {
  readonly metadata?: TypeMetadata
}

interface Wishes extends ConversionConfig {
  /** Describes each ID without a description by the kind that it names. */
  readonly explainIds?: boolean
  /** Adds the pattern of each ID. */
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
    // A check is a function. Metadata (`jsonSchema`) has the keywords that express it, and its message describes the rest.
    ignoreActions: ['check'],
    overrideAction: ({ valibotAction, jsonSchema }) => {
      if (valibotAction.type !== 'metadata') return undefined
      // The metadata is for other printers, except these keywords.
      const { scalar, jsonTypes, idOf, jsonSchema: enforced } = (valibotAction as Metadata).metadata ?? {}
      const {
        typeName: _,
        scalar: __,
        jsonTypes: ___,
        idOf: ____,
        jsonSchema: _____,
        most: ______,
        isOneOf: _______,
        ...described
      } = jsonSchema as Record<string, unknown>
      // GraphQL shows the reason of a deprecation. JSON schema has only the flag.
      const own = typeof described.deprecated === 'string' ? { ...described, deprecated: true } : described
      const pattern = idPatterns && idOf ? { pattern: idPattern(idOf) } : {}
      const rest: Record<string, unknown> = { ...own, ...enforced, ...pattern }
      if (explainIds && idOf) return { ...rest, description: `The ID of the ${idOf}: \`${idPrefixes[idOf]}_…\`.` }
      if (jsonTypes) return { ...rest, type: jsonTypes.length === 1 ? jsonTypes[0] : jsonTypes }
      return scalar === 'DateTime' ? { ...rest, format: 'date-time' } : rest
    },
  })
  return own
}
