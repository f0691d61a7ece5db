/**
 * A tool is an operation as an AI client sees it. An operation says of itself that it is one (`tool` in its declaration);
 * MCP and Tools REST serve the same.
 */
import type { MaybePromise, RequestContext } from '../operation.ts'
import type { Additions } from './answers.ts'
import type { ToolGroupId } from './groups.ts'

export interface ToolFacts<Input = unknown> {
  readonly group: ToolGroupId
  /** In snake case; the operation's own name where it is omitted. */
  readonly name?: string
  /** A few words for people: "Cancel a run". */
  readonly title: string
  /** Written for a model: what it gives or does, when to use it, and what to call next. The operation's own where it is omitted. */
  readonly description?: string
  /** Of a query: fields of its objects that GraphQL loads only when they are asked for, and a model would miss. */
  readonly additions?: Additions
  /** Something can't be had back afterwards. */
  readonly destroys?: true
  /** A second call with the same arguments changes nothing more. Queries are it anyway. */
  readonly idempotent?: true
  /** It asks other servers, or starts what may do anything on a machine. */
  readonly openWorld?: true
  /**
   * What the call would touch. A run that calls it may touch nothing but runs that it has started itself, and the repository
   * that it works on. Omitted where the tool touches neither.
   */
  touches?(input: Input, context: Pick<RequestContext, 'views'>): MaybePromise<Touched>
}

export interface Touched {
  /** Each must have been started by the run that calls, or by a run that it started. */
  readonly runIds?: readonly string[]
  /** The logical repository: must be that of the calling run's codebase. */
  readonly repositoryId?: string
}

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
