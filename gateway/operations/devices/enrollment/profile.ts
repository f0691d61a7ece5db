/**
 * The profile with which a device enrolls: Apple's "Profile Service", which requests attributes of a device and changes nothing on
 * it.
 */
import { createHash } from 'node:crypto'
import type { EnrollmentMessages } from '../../../../spec/messages/messages.ts'
import { writePlist } from './writePlist.ts'

/** Only the attributes that are needed to sign a build for the device and to recognize it. */
const deviceAttributes = ['UDID', 'PRODUCT', 'VERSION', 'SERIAL', 'DEVICE_NAME']

export interface ProfileFacts {
  readonly enrollmentId: string
  readonly challenge: string
  /** The URL to which the device sends its answer. */
  readonly url: string
  readonly messages: EnrollmentMessages
}

export function makeProfile({ enrollmentId, challenge, url, messages }: ProfileFacts): string {
  return writePlist({
    PayloadContent: { URL: url, DeviceAttributes: deviceAttributes, Challenge: challenge },
    PayloadOrganization: 'Signalbox',
    PayloadDisplayName: messages.profileName,
    PayloadDescription: messages.profileDescription,
    PayloadVersion: 1,
    PayloadUUID: makeUuid(enrollmentId),
    PayloadIdentifier: `signalbox.device-enrollment.${enrollmentId}`,
    PayloadType: 'Profile Service',
  })
}

/** The same UUID for each fetch of an enrollment's profile. */
function makeUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
    .join('-')
    .toUpperCase()
}
