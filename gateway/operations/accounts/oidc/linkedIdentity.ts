/** Links who signed in at the provider to the account of the user who began it. */
import { Failure } from '../../../../spec/core/failure.ts'
import { registrationId } from '../../../../spec/core/ids.ts'
import { untilRow } from '../appearance.ts'
import { ask } from '../ask.ts'
import type { AuthCall } from '../operation.ts'
import type { Person } from './person.ts'
import { isProblem, signInFailure } from './problems.ts'

/** @throws Failure UNAUTHENTICATED, CONFLICT, FORBIDDEN, UNAVAILABLE */
export async function linkIdentity({ identity }: Person, userId: string, call: AuthCall): Promise<void> {
  const { principal, services } = call
  // Another person may have signed in to this browser since: their account is not linked, nor is the first one's to their identity.
  if (principal.kind !== 'user' || principal.userId !== userId) throw signInFailure('link_signed_out')
  const event = { type: 'linkIdentity', userId, identity }
  await ask(call, { to: { kind: 'registration', id: registrationId }, event }).catch((error: unknown) => {
    const reason = error instanceof Failure ? error.details?.reason : undefined
    throw isProblem(reason) ? signInFailure(reason) : error
  })
  // `registration` has decided; the answer waits until the user is found by it.
  const linked = await untilRow(userId, ({ columns }) => columns.otherKey === identity, services.options)
  if (linked === undefined)
    throw new Failure('UNAVAILABLE', 'The identity is being linked. Try again in a few seconds.', {
      retryAfterMs: 1_000,
    })
}
