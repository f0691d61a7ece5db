/** How an enrolment of a device stands. They begin over REST, since their link is for a session's eyes alone. */
import * as v from 'valibot'
import { oneById } from './oneById.ts'
import type { ObjectType } from './operation.ts'
import { contextOf, initOf } from './rows.ts'
import { dateTime, id, named, toDateTime } from './types.ts'

const status = named(
  'DeviceEnrollmentStatus',
  'How an enrolment of a device stands.',
  v.picklist(['STARTED', 'PROFILE_SENT', 'ENROLLED', 'REJECTED', 'EXPIRED']),
)

const deviceEnrollmentSchema = named(
  'DeviceEnrollment',
  'A link by which one device may tell its UDID, and what became of it.',
  v.object({
    id,
    status,
    displayName: v.pipe(v.nullable(v.string()), v.description('What the device is to be called.')),
    startedBy: v.pipe(id, v.description('The user who began it.')),
    createdAt: dateTime,
    expiresAt: dateTime,
    problem: v.pipe(v.nullable(v.string()), v.description('Why it was rejected.')),
    deviceId: v.pipe(v.nullable(id), v.description('Who has enrolled.')),
  }),
)

interface Init {
  readonly displayName: string | null
  readonly startedBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

export const deviceEnrollmentType: ObjectType<typeof deviceEnrollmentSchema> = {
  name: 'DeviceEnrollment',
  kind: 'deviceEnrollment',
  schema: deviceEnrollmentSchema,
  relations: {
    device: {
      type: 'one',
      target: 'Device',
      by: 'deviceId',
      nullable: true,
      description: 'Who has enrolled.',
    },
  },
  fromRow: (row) => {
    const { displayName, startedBy, createdAt, expiresAt } = initOf<Init>(row)
    const { problem, deviceId } = contextOf<{ problem: string | null; deviceId: string | null }>(row)
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof status>,
      displayName,
      startedBy,
      createdAt: toDateTime(createdAt),
      expiresAt: toDateTime(expiresAt),
      problem,
      deviceId,
    }
  },
}

export const deviceEnrollmentOperations = [
  oneById(deviceEnrollmentType, {
    group: 'devices',
    name: 'get_device_enrollment',
    title: 'Get a device enrolment',
    description:
      'How one enrolment of a device stands: whether its link was used, which device has enrolled (`get_device`), or why it was ' +
      'rejected. People begin enrolments; no tool does.',
  }),
]
