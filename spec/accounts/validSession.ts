/** Whether a session still is one: its timer may be late, and it is worth nothing without the secret that it was made under. */
import type { Columns } from '../core/actor.ts'

export interface SessionRules {
  /** Key IDs of the secrets that count. */
  readonly acceptedKeyIds: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A session's row, without the types of its machine. */
interface SessionRow {
  readonly columns: Pick<Columns, 'status'>
  readonly init: { readonly secretKeyId: string }
  readonly context: { readonly expiresAt: number }
}

export function isValidSession({ columns, init, context }: SessionRow, { acceptedKeyIds, now }: SessionRules): boolean {
  return columns.status === 'ACTIVE' && context.expiresAt > now && acceptedKeyIds.includes(init.secretKeyId)
}
