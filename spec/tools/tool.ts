/**
 * A tool is an operation for an AI client. `tool` in an operation's declaration makes it one. MCP and Tools REST serve the same
 * tools.
 */
import type { ToolGroupId } from './groups.ts'

export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  /** The tool has effects beyond this service. */
  readonly openWorldHint: boolean
}

export type JsonSchema = Readonly<Record<string, unknown>>

/** The definition of a tool that clients receive. */
export interface ToolDefinition {
  /** The advertised name: `^[a-zA-Z0-9_-]{1,64}$`. */
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

/** The built-in tools by name, sorted by name. */
export type BuiltinTools = ReadonlyMap<string, BuiltinTool>

/**
 * The reference to a tool in a preset. A built-in tool has its name. A tool of an external server has that server's ID and the
 * name that the server gives it. The alias under which a tool is advertised is never used.
 */
export type ToolSelection =
  | { readonly source: 'BUILTIN'; readonly name: string }
  | { readonly source: 'EXTERNAL'; readonly serverId: string; readonly name: string }
