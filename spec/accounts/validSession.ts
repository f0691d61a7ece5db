/** Whether a session still is one: its timer may be late, and it is worth nothing without the secret that it was made under. */
import type { ActorRow } from '../core/actor.ts'

export interface SessionRules {
  /** Key IDs of the secrets that count. */
  readonly acceptedKeyIds: readonly string[]
  /** Milliseconds since 1970. */
  readonly now: number
}

export function isValidSession({ columns, init, context }: ActorRow, { acceptedKeyIds, now }: SessionRules): boolean {
  const { expiresAt } = context
  const { secretKeyId } = init
  return (
    columns.status === 'ACTIVE' &&
    (typeof expiresAt !== 'number' || expiresAt > now) &&
    (typeof secretKeyId !== 'string' || acceptedKeyIds.includes(secretKeyId))
  )
}
