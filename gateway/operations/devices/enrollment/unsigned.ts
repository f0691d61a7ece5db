import { Failure } from '../../../../spec/core/failure.ts'
import type { DeviceEnrollmentServices } from './services.ts'

/** People are told by their devices that an unsigned profile is not to be trusted, and should not learn to install one. @throws Failure */
export function refuseUnsigned({ sign, options }: Pick<DeviceEnrollmentServices, 'sign' | 'options'>): void {
  if (sign !== undefined || !options.settings.production) return
  throw new Failure(
    'FAILED_PRECONDITION',
    'Profiles are not sent unsigned in production: set DEVICE_PROFILE_CERT and DEVICE_PROFILE_KEY.',
  )
}
