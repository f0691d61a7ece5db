/** The state of a device enrollment. Enrollments begin over REST, since only the session that starts one may see its link. */
import * as v from 'valibot'
import { oneById } from '../core/oneById.ts'
import { query } from '../core/operation.ts'
import { dateTime, id, named } from '../core/types.ts'

export const deviceEnrollmentStatus = named(
  'DeviceEnrollmentStatus',
  'The status of a device enrollment.',
  v.picklist(['STARTED', 'PROFILE_SENT', 'ENROLLED', 'REJECTED', 'EXPIRED']),
)

export const deviceEnrollmentSchema = named(
  'DeviceEnrollment',
  'A link with which one device can enroll, and its result.',
  v.object({
    id,
    status: deviceEnrollmentStatus,
    displayName: v.pipe(
      v.nullable(v.string()),
      v.description('The name that the device gets. Null if the device’s own name is used.'),
    ),
    startedById: v.pipe(id, v.description('The ID of the user who began the enrollment.')),
    createdAt: dateTime,
    expiresAt: dateTime,
    problem: v.pipe(
      v.nullable(v.string()),
      v.description('The reason for the rejection. Null if the enrollment was not rejected.'),
    ),
    deviceId: v.pipe(v.nullable(id), v.description('The ID of the enrolled device. Null if no device has enrolled.')),
  }),
)

export const deviceEnrollment = query({
  ...oneById('deviceEnrollment', deviceEnrollmentSchema),
  tool: {
    group: 'devices',
    name: 'get_device_enrollment',
    title: 'Get a device enrollment',
    description:
      'Returns one device enrollment: whether its link was used, the enrolled device (`get_device`), or the reason for a ' +
      'rejection. Users begin enrollments. No tool does.',
  },
})
