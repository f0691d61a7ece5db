/** What an operation that is served as a tool says of that. */
import type { ToolGroupId } from './groups.ts'

export interface ToolFacts {
  readonly group: ToolGroupId
  /** In snake case; the operation's own name where it is omitted. */
  readonly name?: string
  /** A few words for people: "Cancel a run". */
  readonly title: string
  /** Written for a model: what it gives or does, when to use it, and what to call next. The operation's own where it is omitted. */
  readonly description?: string
  /** Something can't be had back afterwards. */
  readonly destroys?: true
  /** A second call with the same arguments changes nothing more. Queries are it anyway. */
  readonly idempotent?: true
  /** It asks other servers, or starts what may do anything on a machine. */
  readonly openWorld?: true
}
