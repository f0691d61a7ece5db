/** The profile by which a device enrols: Apple's "Profile Service", which asks a device for attributes and changes nothing on it. */
import { createHash } from 'node:crypto'
import type { EnrollmentMessages } from '../../../../spec/messages/messages.ts'
import { writePlist } from './writePlist.ts'

/** No more than is needed to sign a build for it, and to know it again. */
const deviceAttributes = ['UDID', 'PRODUCT', 'VERSION', 'SERIAL', 'DEVICE_NAME']

export interface ProfileFacts {
  readonly enrollmentId: string
  readonly challenge: string
  /** Where the device sends its answer. */
  readonly url: string
  readonly messages: EnrollmentMessages
}

export function profileOf({ enrollmentId, challenge, url, messages }: ProfileFacts): string {
  return writePlist({
    PayloadContent: { URL: url, DeviceAttributes: deviceAttributes, Challenge: challenge },
    PayloadOrganization: 'Signalbox',
    PayloadDisplayName: messages.profileName,
    PayloadDescription: messages.profileDescription,
    PayloadVersion: 1,
    PayloadUUID: uuidOf(enrollmentId),
    PayloadIdentifier: `signalbox.device-enrollment.${enrollmentId}`,
    PayloadType: 'Profile Service',
  })
}

/** One profile for each enrolment, however often it is fetched. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
    .join('-')
    .toUpperCase()
}
