/** The session that a caller is signed in with. */
import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { clearedCookies } from '../../auth/cookies.ts'
import { json } from '../../http/answer.ts'
import { fieldOf, sessionBody, userBody } from './account.ts'
import { ask } from './ask.ts'
import { endDevicesOf } from './credentials.ts'
import { authOperation } from './operation.ts'
import { signedIn } from './signedIn.ts'

export const sessionOperations = [
  authOperation(accountRoutes.getSession, async ({ principal, services }) => {
    if (principal.kind !== 'user') return json(200, null)
    const rows = await services.options.views.getMany([principal.sessionId, principal.userId])
    const session = rows.get(principal.sessionId)
    const user = rows.get(principal.userId)
    return json(200, session && user ? { session: sessionBody(session), user: userBody(user) } : null)
  }),
  authOperation(accountRoutes.listAccounts, async ({ principal, services }) => {
    const { userId } = signedIn(principal)
    const user = await services.options.views.get(userId)
    const password = user && fieldOf(user, 'passwordHash') !== undefined
    const identity = user?.columns.otherKey
    return json(200, [
      ...(password ? [{ providerId: 'credential', accountId: userId }] : []),
      ...(identity === undefined ? [] : [accountOf(identity)]),
    ])
  }),
  authOperation(accountRoutes.signOut, async (call) => {
    const { request, principal, services } = call
    if (principal.kind === 'user') {
      await ask(call, { to: { kind: 'authSession', id: principal.sessionId }, event: { type: 'signOut' } })
      await endDevicesOf(call, principal)
    }
    return { ...json(200, { success: true }), cookies: clearedCookies(services.origins.secure(request)) }
  }),
]

/** @param identity `provider|subject` */
function accountOf(identity: string): { readonly providerId: string; readonly accountId: string } {
  const cut = identity.indexOf('|')
  return { providerId: identity.slice(0, cut), accountId: identity.slice(cut + 1) }
}
