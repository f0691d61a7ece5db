/** Authorization codes of the native sign-in. One is issued after the provider's answer, and the app redeems it for a session. */
import { createHash, randomBytes } from 'node:crypto'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { sha256Hex } from '../../../auth/tokens.ts'
import { ask } from '../ask.ts'
import { type CreatedSession, createSession } from '../createSession.ts'
import type { AuthCall } from '../operation.ts'

/** @param challenge S256 of the app's verifier @returns the code. Only its hash is stored. */
export async function issueAuthCode(user: TypedRow<'user'>, challenge: string, call: AuthCall): Promise<string> {
  const { request, services } = call
  const code = randomBytes(32).toString('base64url')
  const create = { codeHash: sha256Hex(code), challenge, userId: user.id, createdAt: request.receivedAt }
  const to = { kind: 'authCode', id: services.options.ids.next('authCode') } as const
  await ask(call, { to, event: { type: 'create' }, create })
  return code
}

/** @throws Failure INVALID_AUTHORIZATION_CODE. It does not reveal the reason, which is only logged. */
export async function redeemAuthCode(
  { code, verifier }: { readonly code: string; readonly verifier: string },
  call: AuthCall<unknown>,
): Promise<CreatedSession & { readonly user: TypedRow<'user'> }> {
  const { services, request } = call
  const { views, ids, log } = services.options
  const known = await views.findByKey('authCode', sha256Hex(code))
  const user = known && (await views.get('user', known.init.userId))
  if (known === undefined || user?.columns.status !== 'ACTIVE') throw invalidCode()
  const sessionId = ids.next('authSession')
  const caller = { request, services, principal: { kind: 'user', userId: user.id, sessionId } } as const
  const to = { kind: 'authCode', id: known.id } as const
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const refuse = (event: string, reason: string): never => {
    log.warn({ requestId: request.requestId, authCode: known.id, userId: user.id, reason }, event)
    throw invalidCode()
  }
  const event = { type: 'redeem', challenge, sessionId }
  const { row } = await ask(caller, { to, event }).catch((error: unknown) => {
    const refused = error instanceof Failure && refusals.has(error.code)
    return refused ? refuse('authorization code rejected', error.message) : Promise.reject(error)
  })
  if (row.columns.status === 'REJECTED') return refuse('authorization code rejected', 'the verifier is wrong')
  // An earlier use stored the ID of its session. The code's actor revokes that session.
  if (row.context.sessionId !== sessionId) return refuse('authorization code reused', 'its session is revoked')
  const session = await createSession(user, call, sessionId)
  await ask(caller, { to, event: { type: 'sessionMade', sessionId } })
  return { ...session, user }
}

const refusals: ReadonlySet<string> = new Set(['INVALID_AUTHORIZATION_CODE', 'FAILED_PRECONDITION', 'NOT_FOUND'])

function invalidCode(): Failure {
  return new Failure(
    'INVALID_AUTHORIZATION_CODE',
    'The code is unknown, expired, already used, or does not match the verifier. Begin the sign-in again.',
  )
}
