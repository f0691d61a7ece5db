/** Making an account: the first one on an empty database, or one that a signed-in user makes, or while registration is open. */
import * as v from 'valibot'
import { text } from '../../../spec/types.ts'
import { addressGroup } from '../../addresses.ts'
import { json } from '../../answer.ts'
import { userBody } from './account.ts'
import { passwordsAllowed } from './modes.ts'
import { newAccount } from './newAccount.ts'
import { newPassword } from './newPassword.ts'
import { sessionAnswer } from './newSession.ts'
import { authOperation } from './operation.ts'

export const accountFields = {
  name: text({ min: 1, max: 200 }),
  email: v.pipe(text({ min: 3, max: 320 }), v.email('must be an email address')),
  password: newPassword,
}

export const signUpOperations = [
  authOperation({
    method: 'POST',
    path: '/api/auth/sign-up/email',
    description: 'Makes an account with an email address and a password.',
    access: 'anyone',
    body: v.object(accountFields),
    handle: async (call) => {
      const { request, principal, services } = call
      passwordsAllowed(services.options.settings)
      services.signUpsByAddress.take(addressGroup(request.address), 1, 'sign-ups from this address')
      const user = await newAccount(call)
      if (principal.kind === 'user') return json(200, { token: null, user: userBody(user) })
      return await sessionAnswer(user, call, {})
    },
  }),
]
