/** Creates sessions. The response contains the token in the cookie, in the body, and in the header that bearer clients read. */
import type { TypedRow } from '../../../machines/rows.ts'
import { sessionCookie } from '../../auth/cookies.ts'
import { newSecret } from '../../auth/tokens.ts'
import { json } from '../../http/answer.ts'
import type { Answer } from '../../http/route.ts'
import { userBody } from './account.ts'
import { ask } from './ask.ts'
import { endSession } from './credentials.ts'
import type { AuthCall } from './operation.ts'

export interface CreatedSession {
  readonly user: TypedRow<'user'>
  readonly row: TypedRow<'authSession'>
  readonly token: string
  /** The `set-cookie` line with the token. */
  readonly cookie: string
}

export async function answerWithNewSession(
  user: TypedRow<'user'>,
  call: AuthCall<unknown>,
  extra: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return makeSessionAnswer(await createSession(user, call), extra)
}

/** @param id the ID of the session, if another actor has already stored it */
export async function createSession(
  user: TypedRow<'user'>,
  call: AuthCall<unknown>,
  id?: string,
): Promise<CreatedSession> {
  const { request, services } = call
  const { secrets, ids } = services.options
  const sessionId = id ?? ids.next('authSession')
  const principal = { kind: 'user', userId: user.id, sessionId } as const
  const { token, hash } = newSecret('session_')
  const create = {
    userId: user.id,
    tokenHash: hash,
    secretKeyId: secrets.currentKeyId,
    createdAt: request.receivedAt,
    userAgent: request.headers.get('user-agent')?.slice(0, 256) ?? null,
  }
  const envelope = { to: { kind: 'authSession', id: sessionId }, event: { type: 'signIn' }, create } as const
  const { row } = await ask({ request, principal, services }, envelope)
  const maxAge = Math.floor((row.context.expiresAt - request.receivedAt) / 1000)
  return { user, row, token, cookie: sessionCookie(token, services.origins.secure(request), maxAge) }
}

/** Revokes the session with which the caller sent the sign-in. Source: OWASP ASVS 5.0, 7.2.4. */
export async function endPreviousSession(call: AuthCall<unknown>): Promise<void> {
  if (call.principal.kind === 'user') await endSession(call, call.principal.sessionId)
}

export function makeSessionAnswer(
  { user, token, cookie }: CreatedSession,
  extra: Readonly<Record<string, unknown>>,
): Answer {
  return { ...json(200, { ...extra, token, user: userBody(user) }, { 'set-auth-token': token }), cookies: [cookie] }
}
