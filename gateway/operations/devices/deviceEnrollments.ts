import type * as v from 'valibot'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  deviceEnrollment,
  deviceEnrollmentSchema,
  type deviceEnrollmentStatus,
} from '../../../spec/devices/deviceEnrollments.ts'
import { oneRow } from '../core/oneRow.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'

export const deviceEnrollmentType: ObjectType<'deviceEnrollment', typeof deviceEnrollmentSchema> = {
  name: 'DeviceEnrollment',
  kind: 'deviceEnrollment',
  schema: deviceEnrollmentSchema,
  relations: {
    startedBy: {
      type: 'one',
      target: 'User',
      by: 'startedById',
      nullable: true,
      description: 'The user who began it. Null if the user was removed.',
    },
    device: {
      type: 'one',
      target: 'Device',
      by: 'deviceId',
      nullable: true,
      description: 'The enrolled device. Null if no device has enrolled.',
    },
  },
  fromRow: (row) => {
    const { displayName, startedBy, createdAt, expiresAt } = row.init
    const { problem, deviceId } = row.context
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof deviceEnrollmentStatus>,
      displayName,
      startedById: startedBy,
      createdAt: toDateTime(createdAt),
      expiresAt: toDateTime(expiresAt),
      problem,
      deviceId,
    }
  },
}

export const deviceEnrollmentHandlers = [
  handle(deviceEnrollment, ['views', 'presence'], {
    read: oneRow(deviceEnrollmentType),
  }),
]
