/** Making an account: the first one on an empty database, or one that a signed-in user makes, or while registration is open. */

import { Failure } from '../../../spec/failure.ts'
import { registrationId } from '../../../spec/ids.ts'
import { accountRoutes } from '../../../spec/rest/accountRoutes.ts'
import { addressGroup } from '../../addresses.ts'
import { json } from '../../answer.ts'
import { accountKey, userBody } from './account.ts'
import { appearance } from './appearance.ts'
import { ask } from './ask.ts'
import { passwordsAllowed } from './modes.ts'
import { sessionAnswer } from './newSession.ts'
import { authOperation } from './operation.ts'

export const signUpOperations = [
  authOperation(accountRoutes.signUp, async (call) => {
    const { request, principal, services, input } = call
    const { options } = services
    passwordsAllowed(options.settings)
    services.signInsByAddress.take(addressGroup(request.address), 1, 'sign-ups from this address')
    const email = accountKey(input.email)
    const bySignedInUser = principal.kind === 'user'
    // Whether an address has an account is told only to those who may make accounts.
    const registration = await options.views.get(registrationId)
    if (!bySignedInUser && registration && registration.columns.status !== 'OPEN')
      throw new Failure('REGISTRATION_CLOSED', 'Registration is closed; ask a user of this server for an account.')
    if (await options.views.findByKey('user', email)) throw taken()
    const userId = options.ids.next('user')
    const passwordHash = await services.passwords.hash(input.password)
    const event = { type: 'register', userId, email, name: input.name, passwordHash, bySignedInUser }
    await ask(call, { to: { kind: 'registration', id: registrationId }, event })
    const user = await appearance(userId, options)
    if (!user) {
      if (await options.views.findByKey('user', email)) throw taken()
      throw new Failure('UNAVAILABLE', 'The account is being made; sign in shortly.', { retryAfterMs: 1_000 })
    }
    return bySignedInUser ? json(200, { token: null, user: userBody(user) }) : await sessionAnswer(user, call, {})
  }),
]

function taken(): Failure {
  return new Failure('CONFLICT', 'There is an account with this email address.', { details: { field: 'email' } })
}
