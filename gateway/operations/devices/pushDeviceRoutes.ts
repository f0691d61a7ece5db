/**
 * The two registries of devices: the public one, and that of signed-in sessions, whose devices get notifications. If several requests register
 * a device at once, one creates the registration and the others refresh it.
 */

import type { TypedRow } from '../../../machines/rows.ts'
import type { ActorEvent, Json } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { pushOrigins, registrationKey, tokenBytes, tokenInHex } from '../../../spec/devices/deviceTokens.ts'
import { pushDeviceRoutes } from '../../../spec/devices/pushDeviceRoutes.ts'
import { json } from '../../http/answer.ts'
import type { Answer } from '../../http/route.ts'
import type { Reply } from '../../messages.ts'
import type { GatewayOptions } from '../../options.ts'
import { requireSignedIn } from '../accounts/requireSignedIn.ts'
import { requireKind } from '../core/replies.ts'
import { originOf } from '../executeMutation.ts'
import { type InputOf, type RestCall, type ServedRoute, serve } from '../restHandler.ts'
import type { ContextOf } from '../worktrees/codebaseRoutes.ts'

type DeviceKind = 'apnsDevice' | 'notificationDevice'
type PushAddress = Pick<
  InputOf<typeof pushDeviceRoutes.registerApnsDevice>,
  'clientRegistrationId' | 'token' | 'tokenEncoding' | 'topic' | 'environment'
>

interface Registration {
  readonly kind: DeviceKind
  readonly address: PushAddress
  readonly details: Readonly<Record<string, Json | undefined>>
  /** Empty for an `apnsDevice`, which has no user. */
  readonly owner: { readonly userId?: string; readonly sessionId?: string }
}

/** An attempt fails only if another request has created or ended the registration in between. */
const tries = 10

export function servePushDevices(options: GatewayOptions, context: ContextOf): readonly ServedRoute[] {
  const registerAs = (call: RestCall, registration: Registration) => register(call, registration, options, context)
  return [
    serve(pushDeviceRoutes.registerApnsDevice, (call) => {
      const { displayName, supportedPushTypes, ...address } = call.input
      return registerAs(call, { kind: 'apnsDevice', address, details: { displayName, supportedPushTypes }, owner: {} })
    }),
    serve(pushDeviceRoutes.registerNotificationDevice, (call) => {
      const { clientRegistrationId, token, tokenEncoding, topic, environment, ...details } = call.input
      const address = { clientRegistrationId, token, tokenEncoding, topic, environment }
      const { userId, sessionId } = requireSignedIn(call.principal)
      return registerAs(call, { kind: 'notificationDevice', address, details, owner: { userId, sessionId } })
    }),
  ]
}

async function register(
  { request, principal }: RestCall,
  { kind, address, details, owner }: Registration,
  { system, views, ids, sealings }: GatewayOptions,
  context: ContextOf,
): Promise<Answer> {
  const { clientRegistrationId, topic, environment } = address
  const hex = parseToken(address)
  const requestContext = context(request, principal)
  const send = (id: string, event: ActorEvent, create?: Readonly<Record<string, Json>>): Promise<Reply> =>
    system.ask({ to: { kind, id }, event, ...(create ? { create } : {}) }, originOf(undefined, requestContext), {
      spentMs: requestContext.spentMs(),
    })
  for (let n = 0; n < tries; n++) {
    const known = await views.findByKey(kind, registrationKey(address))
    const id = known?.id ?? ids.next(kind)
    const token = sealings.deviceToken.seal(hex, { owner: id, origin: pushOrigins[environment] })
    const update = { token, details, ...owner }
    const init = { environment, topic, clientRegistrationId, ...update, createdAt: requestContext.now }
    const asked = known ? send(id, { type: 'register', ...update }) : send(id, { type: 'create' }, init)
    const reply = await asked.catch(ignoreConflict)
    if (reply) return answerRegistered(requireKind(kind, reply.row), known === undefined)
  }
  throw new Failure('UNAVAILABLE', 'Too many requests register this device at the same time. Try again.', {
    retryAfterMs: 1_000,
  })
}

function parseToken({ token, tokenEncoding }: PushAddress): string {
  const hex = tokenInHex(token, tokenEncoding)
  if (hex !== undefined) return hex
  const form = tokenEncoding === 'HEX' ? 'hexadecimal' : 'base64'
  const problem = `must be ${tokenBytes.min} to ${tokenBytes.max} bytes in ${form}, the encoding in tokenEncoding`
  throw new Failure('BAD_USER_INPUT', `token: ${problem}`, { details: { field: 'token', problem } })
}

/** The registration was created or has ended since it was read, so it is read again. */
function ignoreConflict(error: unknown): undefined {
  if (error instanceof Failure && (error.code === 'CONFLICT' || error.code === 'FAILED_PRECONDITION')) return
  throw error
}

function answerRegistered(row: TypedRow<DeviceKind>, created: boolean): Answer {
  const { registeredAt } = row.context
  const { id, columns } = row
  const lastRegisteredAt = toDateTime(registeredAt)
  return json(created ? 201 : 200, { id, created, status: columns.status, lastRegisteredAt })
}
