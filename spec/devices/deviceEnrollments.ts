/** The state of a device enrollment. Enrollments begin over REST, since only the session that starts one may see its link. */
import * as v from 'valibot'
import { oneById } from '../core/oneById.ts'
import { query } from '../core/operation.ts'
import { dateTime, id, named } from '../core/types.ts'

export const status = named(
  'DeviceEnrollmentStatus',
  'How an enrolment of a device stands.',
  v.picklist(['STARTED', 'PROFILE_SENT', 'ENROLLED', 'REJECTED', 'EXPIRED']),
)

export const deviceEnrollmentSchema = named(
  'DeviceEnrollment',
  'A link by which one device may tell its UDID, and what became of it.',
  v.object({
    id,
    status,
    displayName: v.pipe(v.nullable(v.string()), v.description('What the device is to be called.')),
    startedById: v.pipe(id, v.description('The user who began it.')),
    createdAt: dateTime,
    expiresAt: dateTime,
    problem: v.pipe(v.nullable(v.string()), v.description('Why it was rejected.')),
    deviceId: v.pipe(v.nullable(id), v.description('Who has enrolled.')),
  }),
)

export const deviceEnrollment = query({
  ...oneById('deviceEnrollment', deviceEnrollmentSchema),
  tool: {
    group: 'devices',
    name: 'get_device_enrollment',
    title: 'Get a device enrolment',
    description:
      'How one enrolment of a device stands: whether its link was used, which device has enrolled (`get_device`), or why it was ' +
      'rejected. People begin enrolments; no tool does.',
  },
})
