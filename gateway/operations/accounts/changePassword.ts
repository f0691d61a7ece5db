/** Changes the caller's own password. The caller gives the current one. */

import type { TypedRow } from '../../../machines/rows.ts'
import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { json } from '../../http/answer.ts'
import { accountKey, readPasswordHash, userBody } from './account.ts'
import { ask } from './ask.ts'
import { createSession, makeSessionAnswer } from './createSession.ts'
import { endSessions } from './credentials.ts'
import { requirePasswordMode } from './modes.ts'
import { type AuthCall, authOperation } from './operation.ts'
import { checkNewPassword } from './passwordPolicy.ts'
import { requireSignedIn } from './requireSignedIn.ts'

export const changePasswordOperations = [
  authOperation(accountRoutes.changePassword, async (call) => {
    const { request, principal, services, input } = call
    const { attempts, options } = services
    requirePasswordMode(options.settings)
    const { userId } = requireSignedIn(principal)
    const user = await options.views.get('user', userId)
    const hash = user && readPasswordHash(user)
    if (!user || hash === undefined) throw noPasswordFailure(userId)
    const account = accountKey(user.init.email)
    const { address } = request
    if (!(await attempts.checkPassword({ account, address, hash, password: input.currentPassword })))
      throw new Failure('BAD_USER_INPUT', 'The current password is wrong.', {
        details: { field: 'currentPassword' },
      })
    const changed = await setPassword(call, user, input.newPassword)
    if (input.revokeOtherSessions !== true) return json(200, { token: null, user: userBody(changed) })
    // The caller receives a new session. All earlier sessions end, also the one of this request.
    const session = await createSession(changed, call)
    await endSessions(call, userId, session.row.id)
    return makeSessionAnswer(session, {})
  }),
]

/** @throws Failure BAD_USER_INPUT */
export async function setPassword(
  call: AuthCall<unknown>,
  user: TypedRow<'user'>,
  password: string,
): Promise<TypedRow<'user'>> {
  await checkNewPassword(password, 'newPassword', { email: user.init.email, name: user.context.name })
  const passwordHash = await call.services.passwords.hash(password)
  const { row } = await ask(call, {
    to: { kind: 'user', id: user.id },
    event: { type: 'changePassword', passwordHash },
  })
  return row
}

export function noPasswordFailure(userId: string): Failure {
  return new Failure(
    'FAILED_PRECONDITION',
    'The account has no password. Its user signs in at the identity provider. Change the password there.',
    { details: { id: userId } },
  )
}
