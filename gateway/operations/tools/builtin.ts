import type { Schema } from '../../../spec/core/types.ts'
import type { BuiltinTool, JsonSchema, ToolAnnotations } from '../../../spec/tools/tool.ts'
import type { ToolFacts } from '../../../spec/tools/toolFacts.ts'
import { jsonSchemaOf } from '../core/jsonSchema.ts'
import type { Mutation, Operation, Query } from '../handler.ts'
import { adaptAnswer } from './answers.ts'

/** A tool and the operation that it calls. The operation's answer may differ from that of GraphQL (`answers.ts`). */
export interface OperationTool extends BuiltinTool {
  readonly operation: Query | Mutation
  /** The conversion of an answer to an object: the result of a tool must be an object. */
  readonly wrapping: Wrapping
}

/** The field that contains the answer: `items` for a list, `value` for a scalar. An answer that is null becomes a refusal. */
export type Wrapping = 'none' | 'items' | 'value'

/** The built-in tools by name. They are sorted by name, so all lists of tools have the same order. */
export function builtinTools(operations: readonly Operation[]): ReadonlyMap<string, OperationTool> {
  const tools = operations.flatMap((operation) =>
    (operation.kind === 'query' || operation.kind === 'mutation') && operation.tool !== undefined
      ? [makeTool(operation, operation.tool)]
      : [],
  )
  tools.sort((a, b) => (a.name < b.name ? -1 : 1))
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  if (byName.size < tools.length) throw new Error('two built-in tools have the same name')
  return byName
}

function makeTool(declared: Query | Mutation, facts: ToolFacts): OperationTool {
  const operation = declared.kind === 'query' ? adaptAnswer(declared) : declared
  const output = makeOutputSchema(operation.output)
  return Object.freeze({
    name: facts.name ?? snakeCase(operation.name),
    group: facts.group,
    title: facts.title,
    description: facts.description ?? operation.description,
    inputSchema: makeInputSchema(operation.input),
    outputSchema: output.schema,
    annotations: makeAnnotations(operation, facts),
    operation,
    wrapping: output.wrapping,
  })
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function makeAnnotations({ kind }: Query | Mutation, { destroys, idempotent, openWorld }: ToolFacts): ToolAnnotations {
  return {
    readOnlyHint: kind === 'query',
    destructiveHint: destroys === true,
    idempotentHint: kind === 'query' || idempotent === true,
    openWorldHint: openWorld === true,
  }
}

/**
 * Unknown fields are refused, as in GraphQL. Optional fields accept null, but the schema does not declare it: models and some clients
 * fail on `anyOf` with null.
 */
function makeInputSchema(input: Schema | undefined): JsonSchema {
  if (input === undefined) return { type: 'object', properties: {}, additionalProperties: false }
  return jsonSchemaOf(input, 'input', {
    explainIds: true,
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      switch (valibotSchema.type) {
        case 'loose_object':
          return { ...jsonSchema, additionalProperties: true }
        case 'object':
          return { ...jsonSchema, additionalProperties: false }
        case 'nullish':
          return withoutNull(jsonSchema as ConvertedSchema)
        default:
          return undefined
      }
    },
  })
}

type ConvertedSchema = ReturnType<typeof jsonSchemaOf>

function withoutNull({ anyOf, ...rest }: ConvertedSchema): ConvertedSchema {
  const [only, ...others] = ((anyOf ?? []) as readonly ConvertedSchema[]).filter(({ type }) => type !== 'null')
  if (only === undefined || others.length > 0)
    throw new Error('a nullish schema was not converted to one schema or null')
  return { ...only, ...rest }
}

function makeOutputSchema(schema: Schema): { schema: JsonSchema; wrapping: Wrapping } {
  const bare = schema.type === 'nullable' ? (schema as unknown as { readonly wrapped: Schema }).wrapped : schema
  const own = jsonSchemaOf(bare, 'input')
  if (own.type === 'object') return { schema: own, wrapping: 'none' }
  const wrapping = own.type === 'array' ? 'items' : 'value'
  return { schema: { type: 'object', properties: { [wrapping]: own }, required: [wrapping] }, wrapping }
}
