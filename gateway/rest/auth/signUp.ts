/** Making an account: the first one on an empty database, or one that a signed-in user makes, or while registration is open. */
import * as v from 'valibot'
import { Failure } from '../../../spec/failure.ts'
import { registrationId } from '../../../spec/ids.ts'
import { text } from '../../../spec/types.ts'
import { addressGroup } from '../../addresses.ts'
import { json } from '../../answer.ts'
import { accountKey, userBody } from './account.ts'
import { appearance } from './appearance.ts'
import { ask } from './ask.ts'
import { passwordsAllowed } from './modes.ts'
import { sessionAnswer } from './newSession.ts'
import { authOperation } from './operation.ts'

const body = v.object({
  name: text({ min: 1, max: 200 }),
  email: v.pipe(text({ min: 3, max: 320 }), v.email('must be an email address')),
  password: v.pipe(
    v.string(),
    v.minLength(8, 'must have at least 8 characters'),
    v.maxLength(128, 'must have at most 128 characters'),
  ),
})

export const signUpOperations = [
  authOperation({
    method: 'POST',
    path: '/api/auth/sign-up/email',
    description: 'Makes an account with an email address and a password.',
    access: 'anyone',
    body,
    handle: async (call) => {
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
    },
  }),
]

function taken(): Failure {
  return new Failure('CONFLICT', 'There is an account with this email address.', { details: { field: 'email' } })
}
