import { deviceEnrollmentRoutes } from '../../../../spec/devices/deviceEnrollmentRoutes.ts'
import { negotiateLocale } from '../../../../spec/messages/negotiateLocale.ts'
import { type ServedRoute, served } from '../../restHandler.ts'
import { donePage } from './donePage.ts'
import { enrollmentOf, over } from './enrollment.ts'
import { exportRoute } from './exportDevices.ts'
import { profileRoute } from './sendProfile.ts'
import type { DeviceEnrollmentServices } from './services.ts'
import { startRoute } from './start.ts'
import { answerRoute } from './takeAnswer.ts'

/** In the order in which they follow one another. */
export function servedDeviceEnrollment(services: DeviceEnrollmentServices): readonly ServedRoute[] {
  return [
    startRoute(services),
    profileRoute(services),
    answerRoute(services),
    doneRoute(services),
    exportRoute(services),
  ]
}

const doneRoute = (services: DeviceEnrollmentServices) =>
  served(deviceEnrollmentRoutes.showDeviceEnrolled, async ({ request, params: { id } }) => {
    const { columns } = await enrollmentOf(id, services)
    if (columns.status !== 'ENROLLED') throw over(columns.status)
    return donePage(negotiateLocale(request.headers.get('accept-language')))
  })
