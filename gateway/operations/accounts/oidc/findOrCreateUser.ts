/** Finds the account of the identity that signed in at the provider, or creates it if registration is open. */
import { registrationMembers } from '../../../../machines/accounts/registrationKeys.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { registrationId } from '../../../../spec/core/ids.ts'
import { ask } from '../ask.ts'
import type { AuthCall } from '../operation.ts'
import { waitForUser } from '../waitForUser.ts'
import type { Person } from './person.ts'
import { signInFailure } from './problems.ts'

/** @throws Failure REGISTRATION_CLOSED, CONFLICT, FORBIDDEN */
export async function findOrCreateUser(person: Person, call: AuthCall): Promise<TypedRow<'user'>> {
  const user =
    (await call.services.options.views.findByKey('user', person.identity)) ?? (await registerPerson(person, call))
  if (user.columns.status !== 'ACTIVE') throw signInFailure('account_disabled')
  return user
}

async function registerPerson(person: Person, call: AuthCall): Promise<TypedRow<'user'>> {
  const { options } = call.services
  const userId = options.ids.next('user')
  const event = { type: 'register', userId, ...person, passwordHash: null, bySignedInUser: false }
  const reply = await ask(call, { to: { kind: 'registration', id: registrationId }, event }).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'CONFLICT' ? signInFailure('account_exists') : error
  })
  // A concurrent sign-in of the same identity has created the account.
  const known = reply.repeated ? await findUserId(person, call) : userId
  const user = known === undefined ? undefined : await waitForUser(known, options)
  if (user) return user
  if (await options.views.findByKey('user', person.email)) throw signInFailure('account_exists')
  throw new Failure('UNAVAILABLE', 'The account is being created. Sign in again in a few seconds.', {
    retryAfterMs: 1_000,
  })
}

async function findUserId({ identity }: Person, { services }: AuthCall): Promise<string | undefined> {
  const key = registrationMembers.identity.toKey(identity)
  const [first] = await services.options.views.members(registrationId, key, 1)
  return first?.key === key && typeof first.value === 'string' ? first.value : undefined
}
