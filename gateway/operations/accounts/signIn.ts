/** Signs a user in with email address and password. Its duration does not reveal whether the account exists. */

import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { accountKey, readPasswordHash } from './account.ts'
import { endSession } from './credentials.ts'
import { passwordsAllowed } from './modes.ts'
import { endFormer, handedOut, newSession } from './newSession.ts'
import { authOperation } from './operation.ts'

export const signInOperations = [
  authOperation(accountRoutes.signIn, async (call) => {
    const { request, services, input } = call
    const { attempts, options } = services
    passwordsAllowed(options.settings)
    const account = accountKey(input.email)
    const user = await options.views.findByKey('user', account)
    const hash = user?.columns.status === 'ACTIVE' ? readPasswordHash(user) : undefined
    const right = await attempts.right({ account, address: request.address, hash, password: input.password })
    if (!user || !right) throw notRight()
    const session = await newSession(user, call)
    // The password may have been changed, or the account disabled, while the password was checked. That request then revokes all
    // sessions that it finds. It may have missed this session, so the account is read again after the session was created.
    const now = await options.views.get('user', user.id)
    if (now?.columns.status !== 'ACTIVE' || readPasswordHash(now) !== hash) {
      await endSession(call, session.row.id)
      throw notRight()
    }
    await endFormer(call)
    return handedOut(session, { redirect: false })
  }),
]

function notRight(): Failure {
  return new Failure('UNAUTHENTICATED', 'The email address or the password is wrong.')
}
