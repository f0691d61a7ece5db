/** Finds the account of the identity that signed in at the provider, or creates it if registration is open. */
import { registrationMembers } from '../../../../machines/accounts/registrationKeys.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { registrationId } from '../../../../spec/core/ids.ts'
import { appearance } from '../appearance.ts'
import { ask } from '../ask.ts'
import type { AuthCall } from '../operation.ts'
import type { Person } from './person.ts'
import { signInFailure } from './problems.ts'

/** @throws Failure REGISTRATION_CLOSED, CONFLICT, FORBIDDEN */
export async function identityUser(person: Person, call: AuthCall): Promise<TypedRow<'user'>> {
  const user =
    (await call.services.options.views.findByKey('user', person.identity)) ?? (await registered(person, call))
  if (user.columns.status !== 'ACTIVE') throw signInFailure('account_disabled')
  return user
}

async function registered(person: Person, call: AuthCall): Promise<TypedRow<'user'>> {
  const { options } = call.services
  const userId = options.ids.next('user')
  const event = { type: 'register', userId, ...person, passwordHash: null, bySignedInUser: false }
  const reply = await ask(call, { to: { kind: 'registration', id: registrationId }, event }).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'CONFLICT' ? signInFailure('account_exists') : error
  })
  // A concurrent sign-in of the same identity has created the account.
  const known = reply.repeated ? await knownId(person, call) : userId
  const user = known === undefined ? undefined : await appearance(known, options)
  if (user) return user
  if (await options.views.findByKey('user', person.email)) throw signInFailure('account_exists')
  throw new Failure('UNAVAILABLE', 'The account is being created. Sign in again in a few seconds.', {
    retryAfterMs: 1_000,
  })
}

async function knownId({ identity }: Person, { services }: AuthCall): Promise<string | undefined> {
  const key = registrationMembers.identity.toKey(identity)
  const [first] = await services.options.views.members(registrationId, key, 1)
  return first?.key === key && typeof first.value === 'string' ? first.value : undefined
}
