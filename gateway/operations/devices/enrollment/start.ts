/** Begins the enrollment of a device for a signed-in user. The link is returned once. */
import { randomBytes } from 'node:crypto'
import { Failure } from '../../../../spec/core/failure.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import { sha256Hex } from '../../../auth/tokens.ts'
import { json } from '../../../http/answer.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { ask } from '../../accounts/ask.ts'
import { requireSignedIn } from '../../accounts/requireSignedIn.ts'
import { idempotencyOf } from '../../idempotency.ts'
import { serve } from '../../restHandler.ts'
import { enrollmentPath } from './enrollment.ts'
import { refuseUnsigned } from './refuseUnsigned.ts'
import type { DeviceEnrollmentServices } from './services.ts'

/** Long enough to find the profile in the device's settings, where it waits to be installed. */
const lifetimeMs = 15 * 60_000

const makeSecret = () => randomBytes(32).toString('base64url')

export const startRoute = (services: DeviceEnrollmentServices) =>
  serve(deviceEnrollmentRoutes.startDeviceEnrollment, async ({ request, principal, input }) => {
    refuseUnsigned(services)
    const { ids, sealings } = services.options
    const origin = readOrigin(request, services)
    const id = ids.next('deviceEnrollment')
    const token = makeSecret()
    const create = {
      tokenHash: sha256Hex(token),
      challenge: sealings.deviceChallenge.seal(makeSecret(), { owner: id, origin }),
      origin,
      displayName: input.displayName ?? null,
      startedBy: requireSignedIn(principal).userId,
      createdAt: request.receivedAt,
      expiresAt: request.receivedAt + lifetimeMs,
    }
    const idempotencyKey = request.headers.get('idempotency-key')
    const idempotency = idempotencyOf(principal, 'startDeviceEnrollment', { ...input, idempotencyKey })
    const { row, repeated } = await ask(
      { request, principal, services },
      { to: { kind: 'deviceEnrollment', id }, event: { type: 'create' }, create },
      idempotency ? { idempotency } : {},
    )
    return json(201, {
      id: row.id,
      profileUrl: repeated ? null : `${origin}${enrollmentPath(id)}/profile?token=${token}`,
      expiresAt: toDateTime(row.init.expiresAt),
    })
  })

function readOrigin(request: HttpRequest, { origins }: DeviceEnrollmentServices): string {
  const base = origins.baseUrl(request)
  if (!URL.canParse(base)) throw new Failure('BAD_USER_INPUT', 'The Host header must be a host name.')
  return new URL(base).origin
}
