/** Converts the definition of a tool that a server sent to the definition that is advertised, or explains why clients would reject it. */
import { createHash } from 'node:crypto'
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'
import canonicalize from 'canonicalize'
import type { ExternalTool, LeftOut } from '../../../../spec/tools/external.ts'
import type { JsonSchema, ToolAnnotations } from '../../../../spec/tools/tool.ts'
import { externalAlias } from '../alias.ts'

export interface DefinitionRules {
  readonly serverId: string
  readonly maxBytes: number
  /** Compiles a schema as clients do. @throws if it is not a valid schema */
  getValidator(schema: JsonSchema): JsonSchemaValidator<unknown>
}

const longestName = 256

/** @param raw an element of `tools`, unchecked */
export function convertDefinition(raw: unknown, rules: DefinitionRules): ExternalTool | LeftOut {
  const rawName = readName(raw)
  if (rawName === null) return { rawName, reason: 'The tool has no name, or one of more than 256 characters.' }
  const refuse = (reason: string): LeftOut => ({ rawName, reason })
  const bytes = Buffer.byteLength(JSON.stringify(raw))
  if (bytes > rules.maxBytes)
    return refuse(`The definition of the tool has ${bytes} bytes, but at most ${rules.maxBytes} are accepted.`)
  const parsed = ToolSchema.safeParse(raw)
  if (!parsed.success) {
    const path = parsed.error.issues[0]?.path.map(String).join('.') ?? ''
    return refuse(`Clients do not accept the definition of the tool: ${path.slice(0, 100)} is invalid.`)
  }
  const tool = parsed.data
  if (tool.execution?.taskSupport === 'required')
    return refuse('The tool can be called only as a task, which Signalbox does not support.')
  const inputSchema = tool.inputSchema as JsonSchema
  const outputSchema = tool.outputSchema as JsonSchema | undefined
  const hash = definitionHash(rawName, inputSchema, outputSchema)
  if (hash === undefined) return refuse('The schemas of the tool cannot be written as canonical JSON.')
  if (outputSchema !== undefined && !canCompile(outputSchema, rules))
    return refuse('The outputSchema of the tool is not a valid JSON schema.')
  const title = tool.title ?? tool.annotations?.title
  return {
    serverId: rules.serverId,
    rawName,
    hash,
    definition: {
      name: externalAlias(rules.serverId, rawName),
      ...(title !== undefined && { title }),
      ...(tool.description !== undefined && { description: tool.description }),
      inputSchema,
      ...(outputSchema !== undefined && { outputSchema }),
      ...(tool.annotations && { annotations: pickHints(tool.annotations) }),
    },
  }
}

/** SHA-256 (hexadecimal) of the canonical JSON (RFC 8785) of the raw name and both schemas. */
export function definitionHash(
  name: string,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema | undefined,
): string | undefined {
  try {
    const text = canonicalize({ name, inputSchema, ...(outputSchema && { outputSchema }) })
    return text === undefined ? undefined : createHash('sha256').update(text).digest('hex')
  } catch {
    // It contains a lone surrogate, or is nested deeper than the stack permits.
    return undefined
  }
}

function readName(raw: unknown): string | null {
  const name = (raw as { readonly name?: unknown } | null)?.name
  return typeof name === 'string' && name !== '' && name.length <= longestName && name.isWellFormed() ? name : null
}

function canCompile(schema: JsonSchema, { getValidator }: DefinitionRules): boolean {
  try {
    getValidator(schema)
    return true
  } catch {
    return false
  }
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

function pickHints(annotations: { readonly [Hint in (typeof hints)[number]]?: boolean | undefined }) {
  const given = hints.flatMap((hint) => (annotations[hint] === undefined ? [] : [[hint, annotations[hint]] as const]))
  return Object.fromEntries(given) as Partial<ToolAnnotations>
}
