import { Failure } from '../../../spec/core/failure.ts'
import type { Principal } from '../../../spec/core/principal.ts'

/** The user and session of the caller. @throws Failure UNAUTHENTICATED if the caller is not a signed-in user */
export function requireSignedIn(principal: Principal): Extract<Principal, { kind: 'user' }> {
  if (principal.kind !== 'user') throw new Failure('UNAUTHENTICATED', 'This request needs a session. Sign in first.')
  return principal
}
