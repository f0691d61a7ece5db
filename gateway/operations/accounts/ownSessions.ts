/** Lists and revokes the sessions of the signed-in user. */

import type { TypedRow } from '../../../machines/rows.ts'
import { ownSessionRoutes } from '../../../spec/accounts/ownSessionRoutes.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { clearedCookies } from '../../auth/cookies.ts'
import { sha256Hex } from '../../auth/tokens.ts'
import { json } from '../../http/answer.ts'
import type { Answer } from '../../http/route.ts'
import type { TypedViews } from '../typedViews.ts'
import { listedSessionBody } from './account.ts'
import { endSession, endSessions, loadValidSessions } from './credentials.ts'
import { type AuthCall, authOperation } from './operation.ts'
import { requireSignedIn } from './requireSignedIn.ts'

export const ownSessionOperations = [
  authOperation(ownSessionRoutes.listSessions, async ({ principal, services }) => {
    const { userId, sessionId } = requireSignedIn(principal)
    const rows = await loadValidSessions(userId, services)
    return json(
      200,
      rows.map((row) => listedSessionBody(row, sessionId)),
    )
  }),
  authOperation(ownSessionRoutes.revokeSession, async (call) => {
    const { userId } = requireSignedIn(call.principal)
    const row = await findSession(call.input, call.services.options.views)
    if (row?.columns.scopeId !== userId) throw new Failure('NOT_FOUND', 'You have no session with this ID or token.')
    await endSession(call, row.id)
    return answerEnded(call, row.id)
  }),
  authOperation(ownSessionRoutes.revokeSessions, async (call) => {
    const { userId, sessionId } = requireSignedIn(call.principal)
    await endSessions(call, userId)
    return answerEnded(call, sessionId)
  }),
  authOperation(ownSessionRoutes.revokeOtherSessions, async (call) => {
    const { userId, sessionId } = requireSignedIn(call.principal)
    await endSessions(call, userId, sessionId)
    return answerEnded(call)
  }),
]

/** Better Auth's clients identify a session by its `token`. This server does not return tokens in lists, so `token` may be an ID. */
async function findSession(
  { id, token }: { readonly id?: string | undefined; readonly token?: string | undefined },
  views: TypedViews,
): Promise<TypedRow<'authSession'> | undefined> {
  const given = id ?? token
  if (given === undefined || (id !== undefined && token !== undefined))
    throw new Failure('BAD_USER_INPUT', 'Give either id or token of the session, and not both.', {
      details: { field: 'id' },
    })
  if (kindOfId(given) === 'authSession') return await views.get('authSession', given)
  if (id !== undefined)
    throw new Failure('BAD_USER_INPUT', 'id must be the ID of a session.', { details: { field: 'id' } })
  return await views.findByKey('authSession', sha256Hex(given))
}

/**
 * Answers a request that has ended sessions. If the session of the request is among them, the answer removes its cookies.
 * @param endedId the session that has ended. Of several, that of the request. Undefined if the session of the request has not ended
 */
function answerEnded({ request, principal, services }: AuthCall, endedId?: string): Answer {
  const answer = json(200, { status: true })
  if (endedId !== requireSignedIn(principal).sessionId) return answer
  return { ...answer, cookies: clearedCookies(services.origins.secure(request)) }
}
