/** Links an identity of the provider to the account of the user who began the flow. */
import { Failure } from '../../../../spec/core/failure.ts'
import { registrationId } from '../../../../spec/core/ids.ts'
import { ask } from '../ask.ts'
import type { AuthCall } from '../operation.ts'
import { waitForUserRow } from '../waitForUser.ts'
import type { Person } from './person.ts'
import { isSignInProblem, signInFailure } from './problems.ts'

/** @throws Failure UNAUTHENTICATED, CONFLICT, FORBIDDEN, UNAVAILABLE */
export async function linkIdentity({ identity }: Person, userId: string, call: AuthCall): Promise<void> {
  const { principal, services } = call
  // Another user may have signed in to this browser meanwhile. Then neither of the two accounts is linked.
  if (principal.kind !== 'user' || principal.userId !== userId) throw signInFailure('link_signed_out')
  const event = { type: 'linkIdentity', userId, identity }
  await ask(call, { to: { kind: 'registration', id: registrationId }, event }).catch((error: unknown) => {
    const reason = error instanceof Failure ? error.details?.reason : undefined
    throw isSignInProblem(reason) ? signInFailure(reason) : error
  })
  // `registration` has decided. The response waits until a search for the identity finds the user.
  const linked = await waitForUserRow(userId, ({ columns }) => columns.otherKey === identity, services.options)
  if (linked === undefined)
    throw new Failure('UNAVAILABLE', 'The identity is being linked. Try again in a few seconds.', {
      retryAfterMs: 1_000,
    })
}
