/** The administration of all accounts, with the requests of Better Auth's admin plugin. Each signed-in user may use it. */

import { registrationMembers } from '../../../machines/accounts/registrationKeys.ts'
import type { TypedRow } from '../../../machines/rows.ts'
import { adminRoutes } from '../../../spec/accounts/adminRoutes.ts'
import type { ActorEvent } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { clearedCookies } from '../../auth/cookies.ts'
import { json } from '../../http/answer.ts'
import type { Answer } from '../../http/route.ts'
import type { TypedViews } from '../typedViews.ts'
import { adminUserBody, readPasswordHash } from './account.ts'
import { untilRow } from './appearance.ts'
import { ask } from './ask.ts'
import { noPassword, setPassword } from './changePassword.ts'
import { endCredentials, endSessions } from './credentials.ts'
import { passwordsAllowed } from './modes.ts'
import { newAccount } from './newAccount.ts'
import { type AuthCall, authOperation } from './operation.ts'
import { signedIn } from './signedIn.ts'
import { usersPage } from './usersPage.ts'

export const adminOperations = [
  authOperation(adminRoutes.listUsers, async ({ query, services }) => {
    const { rows, total } = await usersPage(services.options.views, query)
    return json(200, { users: rows.map(adminUserBody), total, ...query })
  }),
  authOperation(adminRoutes.createUser, async (call) => {
    passwordsAllowed(call.services.options.settings)
    return json(200, { user: adminUserBody(await newAccount(call)) })
  }),
  authOperation(adminRoutes.banUser, async (call) => {
    const { userId: id, banReason } = call.input
    const reason = banReason === undefined ? {} : { reason: banReason }
    const row = await decided(call, { type: 'disableUser', userId: id, ...reason })
    await endCredentials(call, id)
    return about(call, id, { user: adminUserBody(row) })
  }),
  authOperation(adminRoutes.unbanUser, async (call) => {
    const { userId: id } = call.input
    const known = await user(id, call.services.options.views)
    // If the server stopped after it disabled the account, some credentials may remain. Enabling would make them valid again.
    if (known.columns.status === 'DISABLED') await endCredentials(call, id)
    return json(200, { user: adminUserBody(await decided(call, { type: 'enableUser', userId: id })) })
  }),
  authOperation(adminRoutes.removeUser, async (call) => {
    const { userId: id } = call.input
    await decided(call, { type: 'removeUser', userId: id })
    await endCredentials(call, id)
    return about(call, id, { success: true })
  }),
  authOperation(adminRoutes.setUserPassword, async (call) => {
    const { options } = call.services
    passwordsAllowed(options.settings)
    const { userId: id, newPassword: password } = call.input
    if (id === signedIn(call.principal).userId)
      throw new Failure(
        'FAILED_PRECONDITION',
        'Your own password cannot be set here. Change it with /api/auth/change-password.',
      )
    const known = await user(id, options.views)
    if (readPasswordHash(known) === undefined) throw noPassword()
    await setPassword(call, known, password)
    await endSessions(call, id)
    return json(200, { status: true })
  }),
  authOperation(adminRoutes.revokeUserSessions, async (call) => {
    const { userId: id } = call.input
    await user(id, call.services.options.views)
    await endSessions(call, id)
    return about(call, id, { success: true })
  }),
]

async function user(id: string, views: TypedViews): Promise<TypedRow<'user'>> {
  const row = await views.get('user', id)
  if (!row || row.columns.terminal) throw new Failure('NOT_FOUND', `There is no user ${id}.`)
  return row
}

/**
 * Asks `registration`, which decides and sends a tell to the user. Waits until the user has processed that tell. Other requests may
 * have changed the account meanwhile, so it waits for the revision of the latest decision and not for its outcome.
 */
async function decided(call: AuthCall<{ readonly userId: string }>, event: ActorEvent): Promise<TypedRow<'user'>> {
  const { userId } = call.input
  const { options } = call.services
  await ask(call, { to: { kind: 'registration', id: registrationId }, event })
  const [account] = await options.views.members(registrationId, registrationMembers.user.toKey(userId), 1)
  const decision = (account?.value as { readonly revision: number } | undefined)?.revision ?? Number.POSITIVE_INFINITY
  const heard = ({ columns, context }: TypedRow<'user'>) => columns.terminal || context.revision >= decision
  const row = await untilRow(userId, heard, options)
  if (row) return row
  throw new Failure(
    'UNAVAILABLE',
    'The change is accepted and still in progress. Read the account again in a few seconds.',
    { retryAfterMs: 1_000 },
  )
}

/** Callers who changed their own account are signed out, so their cookies are cleared. */
function about({ request, principal, services }: AuthCall<unknown>, id: string, body: unknown): Answer {
  const answer = json(200, body)
  if (id !== signedIn(principal).userId) return answer
  return { ...answer, cookies: clearedCookies(services.origins.secure(request)) }
}
