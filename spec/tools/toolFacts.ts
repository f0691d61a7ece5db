/** The properties of an operation that is served as a tool. */
import type { ToolGroupId } from './groups.ts'

export interface ToolFacts {
  readonly group: ToolGroupId
  /** In snake case; the operation's own name if it is omitted. */
  readonly name?: string
  /** A few words for users: "Cancel a run". */
  readonly title: string
  /**
   * Written for a model: what the tool returns or does, when to use it, and what to call next. The operation's own description if
   * it is omitted.
   */
  readonly description?: string
  /** The tool removes data that cannot be restored. */
  readonly destroys?: true
  /** A second call with the same arguments has no further effect. Queries are always idempotent. */
  readonly idempotent?: true
  /** The tool calls other servers, or starts programs that can have any effect on a machine. */
  readonly openWorld?: true
}
