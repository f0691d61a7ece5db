import { Failure } from '../../../../spec/core/failure.ts'
import type { DeviceEnrollmentServices } from './services.ts'

/** Devices warn of unsigned profiles, and users should not get used to installing them. @throws Failure */
export function refuseUnsigned({ sign, options }: Pick<DeviceEnrollmentServices, 'sign' | 'options'>): void {
  if (sign !== undefined || !options.settings.production) return
  throw new Failure(
    'FAILED_PRECONDITION',
    'Profiles must be signed in production. Set DEVICE_PROFILE_CERT and DEVICE_PROFILE_KEY.',
    { details: { settings: ['DEVICE_PROFILE_CERT', 'DEVICE_PROFILE_KEY'] } },
  )
}
