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
import { ask } from './ask.ts'
import { noPasswordFailure, setPassword } from './changePassword.ts'
import { createAccount } from './createAccount.ts'
import { endSessions, revokeCredentials } from './credentials.ts'
import { requirePasswordMode } from './modes.ts'
import { type AuthCall, authOperation } from './operation.ts'
import { requireSignedIn } from './requireSignedIn.ts'
import { loadUsersPage } from './usersPage.ts'
import { waitForUserRow } from './waitForUser.ts'

export const adminOperations = [
  authOperation(adminRoutes.listUsers, async ({ query, services }) => {
    const { rows, total } = await loadUsersPage(services.options.views, query)
    return json(200, { users: rows.map(adminUserBody), total, ...query })
  }),
  authOperation(adminRoutes.createUser, async (call) => {
    requirePasswordMode(call.services.options.settings)
    return json(200, { user: adminUserBody(await createAccount(call)) })
  }),
  authOperation(adminRoutes.banUser, async (call) => {
    const { userId: id, banReason } = call.input
    const reason = banReason === undefined ? {} : { reason: banReason }
    const row = await changeAccount(call, { type: 'disableUser', userId: id, ...reason })
    await revokeCredentials(call, id)
    return answerAbout(call, id, { user: adminUserBody(row) })
  }),
  authOperation(adminRoutes.unbanUser, async (call) => {
    const { userId: id } = call.input
    const known = await requireUser(id, call.services.options.views)
    // If the server stopped after it disabled the account, some credentials may remain. Enabling would make them valid again.
    if (known.columns.status === 'DISABLED') await revokeCredentials(call, id)
    return json(200, { user: adminUserBody(await changeAccount(call, { type: 'enableUser', userId: id })) })
  }),
  authOperation(adminRoutes.removeUser, async (call) => {
    const { userId: id } = call.input
    await changeAccount(call, { type: 'removeUser', userId: id })
    await revokeCredentials(call, id)
    return answerAbout(call, id, { success: true })
  }),
  authOperation(adminRoutes.setUserPassword, async (call) => {
    const { options } = call.services
    requirePasswordMode(options.settings)
    const { userId: id, newPassword: password } = call.input
    if (id === requireSignedIn(call.principal).userId)
      throw new Failure(
        'FAILED_PRECONDITION',
        'Your own password cannot be set here. Change it with /api/auth/change-password.',
        { details: { id } },
      )
    const known = await requireUser(id, options.views)
    if (readPasswordHash(known) === undefined) throw noPasswordFailure(id)
    await setPassword(call, known, password)
    await endSessions(call, id)
    return json(200, { status: true })
  }),
  authOperation(adminRoutes.revokeUserSessions, async (call) => {
    const { userId: id } = call.input
    await requireUser(id, call.services.options.views)
    await endSessions(call, id)
    return answerAbout(call, id, { success: true })
  }),
]

async function requireUser(id: string, views: TypedViews): Promise<TypedRow<'user'>> {
  const row = await views.get('user', id)
  if (!row || row.columns.terminal) throw new Failure('NOT_FOUND', `There is no user ${id}.`)
  return row
}

/**
 * Asks `registration`, which decides and sends a tell to the user. Waits until the user has processed that tell. Other requests may
 * have changed the account meanwhile, so it waits for the revision of the latest decision and not for its outcome.
 */
async function changeAccount(
  call: AuthCall<{ readonly userId: string }>,
  event: ActorEvent,
): Promise<TypedRow<'user'>> {
  const { userId } = call.input
  const { options } = call.services
  await ask(call, { to: { kind: 'registration', id: registrationId }, event })
  const [account] = await options.views.members(registrationId, registrationMembers.user.toKey(userId), 1)
  const decision = (account?.value as { readonly revision: number } | undefined)?.revision ?? Number.POSITIVE_INFINITY
  const hasProcessed = ({ columns, context }: TypedRow<'user'>) => columns.terminal || context.revision >= decision
  const row = await waitForUserRow(userId, hasProcessed, options)
  if (row) return row
  throw new Failure(
    'UNAVAILABLE',
    'The change is accepted and still in progress. Read the account again in a few seconds.',
    { retryAfterMs: 1_000 },
  )
}

/** Callers who changed their own account are signed out, so their cookies are cleared. */
function answerAbout({ request, principal, services }: AuthCall<unknown>, id: string, body: unknown): Answer {
  const answer = json(200, body)
  if (id !== requireSignedIn(principal).userId) return answer
  return { ...answer, cookies: clearedCookies(services.origins.secure(request)) }
}
