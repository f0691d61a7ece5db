/** Returns the profile, with the challenge, to a caller that has the link. */

import { Failure } from '../../../../spec/core/failure.ts'
import { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import { catalog } from '../../../../spec/messages/catalog.ts'
import { negotiateLocale } from '../../../../spec/messages/negotiateLocale.ts'
import { sha256Hex } from '../../../auth/tokens.ts'
import { isSameText } from '../../../secrets/sameText.ts'
import { ask } from '../../accounts/ask.ts'
import { serve } from '../../restHandler.ts'
import { decryptChallenge, enrollmentEnded, enrollmentPath, explainRefusal, requireEnrollment } from './enrollment.ts'
import { makeProfile } from './profile.ts'
import { refuseUnsigned } from './refuseUnsigned.ts'
import type { DeviceEnrollmentServices } from './services.ts'

export const profileRoute = (services: DeviceEnrollmentServices) =>
  serve(deviceEnrollmentRoutes.getDeviceProfile, async ({ request, principal, params: { id }, query }) => {
    const row = await requireEnrollment(id, services)
    const { tokenHash, origin } = row.init
    if (!isSameText(sha256Hex(query.token), tokenHash))
      throw new Failure('UNAUTHENTICATED', 'The link is invalid. Begin another enrollment.')
    refuseUnsigned(services)
    const challenge = decryptChallenge(row, services)
    if (request.method === 'GET')
      await explainRefusal(
        ask({ request, principal, services }, { to: { kind: 'deviceEnrollment', id }, event: { type: 'send' } }),
      )
    else if (row.columns.terminal) throw enrollmentEnded(row.columns.status)
    const { enrollment: messages } = catalog[negotiateLocale(request.headers.get('accept-language'))]
    const profile = Buffer.from(
      makeProfile({ enrollmentId: id, challenge, url: `${origin}${enrollmentPath(id)}`, messages }),
    )
    return {
      status: 200,
      headers: {
        'content-type': 'application/x-apple-aspen-config',
        'content-disposition': 'attachment; filename="signalbox.mobileconfig"',
      },
      body: services.sign ? await services.sign(profile, request.receivedAt) : profile,
    }
  })
