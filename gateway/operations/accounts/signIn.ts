/** Signs a user in with email address and password. Its duration does not reveal whether the account exists. */

import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { accountKey, readPasswordHash } from './account.ts'
import { createSession, endPreviousSession, makeSessionAnswer } from './createSession.ts'
import { endSession } from './credentials.ts'
import { requirePasswordMode } from './modes.ts'
import { authOperation } from './operation.ts'

export const signInOperations = [
  authOperation(accountRoutes.signIn, async (call) => {
    const { request, services, input } = call
    const { attempts, options } = services
    requirePasswordMode(options.settings)
    const account = accountKey(input.email)
    const user = await options.views.findByKey('user', account)
    const hash = user?.columns.status === 'ACTIVE' ? readPasswordHash(user) : undefined
    const isCorrect = await attempts.checkPassword({
      account,
      address: request.address,
      hash,
      password: input.password,
    })
    if (!user || !isCorrect) throw wrongCredentials()
    const session = await createSession(user, call)
    // The password may have been changed, or the account disabled, while the password was checked. That request then revokes all
    // sessions that it finds. It may have missed this session, so the account is read again after the session was created.
    const userNow = await options.views.get('user', user.id)
    if (userNow?.columns.status !== 'ACTIVE' || readPasswordHash(userNow) !== hash) {
      await endSession(call, session.row.id)
      throw wrongCredentials()
    }
    await endPreviousSession(call)
    return makeSessionAnswer(session, { redirect: false })
  }),
]

function wrongCredentials(): Failure {
  return new Failure('UNAUTHENTICATED', 'The email address or the password is wrong.')
}
