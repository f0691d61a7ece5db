import { Failure } from '../../../spec/core/failure.ts'
import type { Principal } from '../../../spec/core/principal.ts'
import { readUserId } from './readUserId.ts'

/**
 * The user of the request, or of its API key.
 * @param what in the plural, for the error message: "Notifications"
 * @throws Failure FORBIDDEN for a run, whose tool calls have no user
 */
export function requireUserId(principal: Principal, what: string): string {
  const userId = readUserId(principal)
  if (userId !== '') return userId
  throw new Failure(
    'FORBIDDEN',
    `${what} belong to a user, and a run has none. Call this with a session or an API key.`,
  )
}
