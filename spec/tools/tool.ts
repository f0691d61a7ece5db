/**
 * A tool is an operation as an AI client sees it. An operation says of itself that it is one (`tool` in its declaration);
 * MCP and Tools REST serve the same.
 */
import type { ToolGroupId } from './groups.ts'

export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** It reaches beyond this service. */
  readonly openWorldHint: boolean
}

export type JsonSchema = Readonly<Record<string, unknown>>

/** What clients are told of a tool. */
export interface ToolDefinition {
  /** As it is advertised: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** JSON schema 2020-12 of an object. */
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: Partial<ToolAnnotations>
}

export interface BuiltinTool extends ToolDefinition {
  readonly group: ToolGroupId
  readonly title: string
  readonly description: string
  readonly outputSchema: JsonSchema
  readonly annotations: ToolAnnotations
}

/** The built-in tools by their names, in the order of their names. */
export type BuiltinTools = ReadonlyMap<string, BuiltinTool>

/**
 * A tool as presets name it: a built-in one by its name, one of an external server by that server's ID and the name that the
 * server itself gives it. Never by an alias, which is how it is advertised.
 */
export type ToolSelection =
  | { readonly source: 'BUILTIN'; readonly name: string }
  | { readonly source: 'EXTERNAL'; readonly serverId: string; readonly name: string }
