import type { X509Certificate } from 'node:crypto'
import type { Principal } from '../../../../spec/core/principal.ts'
import type { Origins } from '../../../http/origins.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { GatewayOptions } from '../../../options.ts'
import type { RequestContext } from '../../requestContext.ts'
import type { ProfileSigner } from './profileSigner.ts'

/** The services that the routes of device enrollment share. */
export interface DeviceEnrollmentServices {
  readonly options: GatewayOptions
  readonly origins: Origins
  /** The maximum size of a device's answer, in bytes. */
  readonly answerBytes: number
  /** Undefined without `DEVICE_PROFILE_CERT`. */
  readonly sign: ProfileSigner | undefined
  /** The authorities that issue devices' certificates; undefined without `DEVICE_CA_CERTS`. */
  readonly authorities: readonly X509Certificate[] | undefined
  context(request: HttpRequest, principal: Principal): RequestContext
}
