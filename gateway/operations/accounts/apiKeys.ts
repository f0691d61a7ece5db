/** The API keys of a user. The key itself is returned once, when it is created. */

import { apiKeyRoutes } from '../../../spec/accounts/apiKeyRoutes.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { kindOfId } from '../../../spec/core/ids.ts'
import { newSecret } from '../../auth/tokens.ts'
import { json } from '../../http/answer.ts'
import type { AskOptions } from '../../messages.ts'
import { everyRow } from '../core/everyRow.ts'
import { idempotencyOf } from '../idempotency.ts'
import { apiKeyBody } from './account.ts'
import { ask } from './ask.ts'
import { type AuthCall, authOperation } from './operation.ts'
import { requireSignedIn } from './requireSignedIn.ts'
import type { AuthServices } from './services.ts'

export const apiKeyOperations = [
  authOperation(apiKeyRoutes.createApiKey, async (call) => {
    const { request, principal, services, input } = call
    const { userId } = requireSignedIn(principal)
    const { token, hash } = newSecret('svc_')
    const expiresAt = input.expiresIn == null ? null : request.receivedAt + input.expiresIn * 1_000
    const idempotencyKey = request.headers.get('idempotency-key')
    const idempotency = idempotencyOf(principal, 'createApiKey', { ...input, idempotencyKey })
    const name = input.name ?? 'API key'
    const create = { userId, name, tokenHash: hash, createdAt: request.receivedAt, expiresAt }
    const to = { kind: 'apiKey', id: services.options.ids.next('apiKey') } as const
    const options = idempotency ? { idempotency } : {}
    const { row, repeated } = await services.apiKeyCreations.run(userId, async () => {
      await requireRoomForOne(userId, services, idempotency)
      return await ask(call, { to, event: { type: 'create' }, create }, options)
    })
    return json(200, { ...apiKeyBody(row), ...(repeated ? {} : { key: token, start: token.slice(0, 8) }) })
  }),
  authOperation(apiKeyRoutes.listApiKeys, async ({ principal, services }) => {
    const { userId } = requireSignedIn(principal)
    const rows = await everyRow(services.options.views, { kind: 'apiKey', where: { scopeId: userId }, terminal: false })
    return json(200, rows.map(apiKeyBody))
  }),
  authOperation(apiKeyRoutes.deleteApiKey, async (call) => {
    await sendToKey(call, call.input.keyId, 'delete')
    return json(200, { success: true })
  }),
  authOperation(apiKeyRoutes.updateApiKey, async (call) => {
    const row = await sendToKey(call, call.input.keyId, call.input.enabled ? 'enable' : 'disable')
    return json(200, apiKeyBody(row))
  }),
]

/**
 * A process creates one key of a user at a time. If several processes do so at the same moment, each of the others can add one key above the
 * limit. A repeat of a creation is not refused: it returns the first key.
 * @throws Failure FAILED_PRECONDITION
 */
async function requireRoomForOne(
  userId: string,
  { options: { views, system }, limits }: AuthServices,
  idempotency: AskOptions['idempotency'],
): Promise<void> {
  const most = limits.apiKeysPerUser
  const count = await views.count({ kind: 'apiKey', where: { scopeId: userId }, terminal: false })
  if (count < most || (idempotency && (await system.repeated(idempotency)))) return
  throw new Failure(
    'FAILED_PRECONDITION',
    `You have ${count} API keys. A user has at most ${most}. Delete one that is no longer used.`,
    { details: { limit: most } },
  )
}

async function sendToKey(call: AuthCall, keyId: string, type: string) {
  const { userId } = requireSignedIn(call.principal)
  if (kindOfId(keyId) !== 'apiKey')
    throw new Failure('BAD_USER_INPUT', 'keyId must be the ID of an API key.', { details: { field: 'keyId' } })
  const known = await call.services.options.views.get('apiKey', keyId)
  if (known?.columns.scopeId !== userId) throw new Failure('NOT_FOUND', 'You have no API key with this ID.')
  const { row } = await ask(call, { to: { kind: 'apiKey', id: keyId }, event: { type } })
  return row
}
