/** The session of the caller: reads it and ends it. */
import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { clearedCookies } from '../../auth/cookies.ts'
import { json } from '../../http/answer.ts'
import { readPasswordHash, sessionBody, userBody } from './account.ts'
import { ask } from './ask.ts'
import { removeSessionDevices } from './credentials.ts'
import { authOperation } from './operation.ts'
import { requireSignedIn } from './requireSignedIn.ts'

export const sessionOperations = [
  authOperation(accountRoutes.getSession, async ({ principal, services }) => {
    if (principal.kind !== 'user') return json(200, null)
    const { views } = services.options
    const [session, user] = await Promise.all([
      views.get('authSession', principal.sessionId),
      views.get('user', principal.userId),
    ])
    return json(200, session && user ? { session: sessionBody(session), user: userBody(user) } : null)
  }),
  authOperation(accountRoutes.listAccounts, async ({ principal, services }) => {
    const { userId } = requireSignedIn(principal)
    const user = await services.options.views.get('user', userId)
    const password = user && readPasswordHash(user) !== undefined
    const identity = user?.columns.otherKey
    return json(200, [
      ...(password ? [{ providerId: 'credential', accountId: userId }] : []),
      ...(identity === undefined ? [] : [parseIdentity(identity)]),
    ])
  }),
  authOperation(accountRoutes.signOut, async (call) => {
    const { request, principal, services } = call
    if (principal.kind === 'user') {
      await ask(call, { to: { kind: 'authSession', id: principal.sessionId }, event: { type: 'signOut' } })
      await removeSessionDevices(call, principal)
    }
    return { ...json(200, { success: true }), cookies: clearedCookies(services.origins.secure(request)) }
  }),
]

/** @param identity `provider|subject` */
function parseIdentity(identity: string): { readonly providerId: string; readonly accountId: string } {
  const cut = identity.indexOf('|')
  return { providerId: identity.slice(0, cut), accountId: identity.slice(cut + 1) }
}
