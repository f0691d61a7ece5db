import type { X509Certificate } from 'node:crypto'
import type { MessageContext } from '../../../spec/operation.ts'
import type { Principal } from '../../../spec/principal.ts'
import type { GatewayOptions } from '../../options.ts'
import type { Origins } from '../../origins.ts'
import type { HttpRequest } from '../../request.ts'
import type { ProfileSigner } from './profileSigner.ts'

/** What the routes of device enrolment share. */
export interface DeviceEnrollmentServices {
  readonly options: GatewayOptions
  readonly origins: Origins
  /** Bytes that a device's answer may have. */
  readonly answerBytes: number
  /** Undefined without `DEVICE_PROFILE_CERT`. */
  readonly sign: ProfileSigner | undefined
  /** Who may have issued devices' certificates; undefined without `DEVICE_CA_CERTS`. */
  readonly authorities: readonly X509Certificate[] | undefined
  context(request: HttpRequest, principal: Principal): MessageContext
}
