import { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import { negotiateLocale } from '../../../../spec/messages/negotiateLocale.ts'
import { type ServedRoute, serve } from '../../restHandler.ts'
import { donePage } from './donePage.ts'
import { enrollmentEnded, requireEnrollment } from './enrollment.ts'
import { exportRoute } from './exportDevices.ts'
import { profileRoute } from './sendProfile.ts'
import type { DeviceEnrollmentServices } from './services.ts'
import { startRoute } from './start.ts'
import { answerRoute } from './takeAnswer.ts'

/** The routes of device enrollment, in the order in which a device calls them. */
export function serveDeviceEnrollment(services: DeviceEnrollmentServices): readonly ServedRoute[] {
  return [
    startRoute(services),
    profileRoute(services),
    answerRoute(services),
    doneRoute(services),
    exportRoute(services),
  ]
}

const doneRoute = (services: DeviceEnrollmentServices) =>
  serve(deviceEnrollmentRoutes.showDeviceEnrolled, async ({ request, params: { id } }) => {
    const { columns } = await requireEnrollment(id, services)
    if (columns.status !== 'ENROLLED') throw enrollmentEnded(columns.status)
    return donePage(negotiateLocale(request.headers.get('accept-language')))
  })
