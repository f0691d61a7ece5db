import { Failure } from '../../../spec/core/failure.ts'
import type { Principal } from '../../../spec/core/principal.ts'

/** The user and session of a caller whom the route let in. */
export function signedIn(principal: Principal): Extract<Principal, { kind: 'user' }> {
  if (principal.kind !== 'user') throw new Failure('UNAUTHENTICATED', 'This request needs a session. Sign in first.')
  return principal
}
