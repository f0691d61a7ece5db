import type * as v from 'valibot'
import { expecting } from '../../../spec/core/revision.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  device,
  deviceSchema,
  type deviceStatus,
  devices,
  type platform,
  removeDevice,
  renameDevice,
} from '../../../spec/devices/devices.ts'
import { pageOfRows } from '../core/connections.ts'
import { oneRow } from '../core/oneRow.ts'
import { oneMessage } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import type { ObjectType } from '../objectType.ts'

export const deviceType: ObjectType<'device', typeof deviceSchema> = {
  name: 'Device',
  kind: 'device',
  schema: deviceSchema,
  relations: {
    enrolledBy: {
      type: 'one',
      target: 'User',
      by: 'enrolledById',
      nullable: true,
      description: 'The user who began the enrollment. Null if the user was removed.',
    },
  },
  fromRow: (row) => {
    const { identifiers, model, displayName, enrollment, revision } = row.context
    return {
      id: row.id,
      status: row.columns.status as v.InferOutput<typeof deviceStatus>,
      displayName,
      udid: identifiers?.udid ?? null,
      serial: identifiers?.serial ?? null,
      product: model?.product ?? null,
      platform: readPlatform(model?.product ?? null),
      osVersion: model?.osVersion ?? null,
      enrolledAt: enrollment && toDateTime(enrollment.at),
      enrolledById: enrollment?.by ?? null,
      enrollmentId: enrollment?.id ?? null,
      revision,
    }
  },
}

/** @param product Apple’s name of the model: `MacBookPro18,3`, `Mac14,2`, `iMac21,1` */
function readPlatform(product: string | null): v.InferOutput<typeof platform> {
  return product !== null && /^i?Mac/.test(product) ? 'MAC' : 'IOS'
}

/** The statuses of enrolled devices. Devices with other statuses have no data. */
export const enrolledDevices = { kind: 'device', statuses: ['ENROLLED'] } as const

export const deviceHandlers = [
  handle(devices, ['views', 'presence'], {
    read: async (page, context) =>
      await pageOfRows(context.views, enrolledDevices, page, (row) => deviceType.fromRow(row, context)),
  }),
  handle(device, ['views', 'presence'], {
    read: oneRow(deviceType),
  }),
  handle(renameDevice, ['views', 'presence'], {
    translate: async ({ deviceId, displayName, expectedRevision }, context) => {
      await requireRow(context.views, 'device', deviceId)
      return oneMessage(
        {
          to: { kind: 'device', id: deviceId },
          event: { type: 'rename', displayName, ...expecting(expectedRevision) },
        },
        (row) => ({
          device: deviceType.fromRow(row, context),
        }),
      )
    },
  }),
  handle(removeDevice, ['views', 'presence'], {
    translate: async ({ deviceId, expectedRevision }, context) => {
      await requireRow(context.views, 'device', deviceId)
      return oneMessage(
        { to: { kind: 'device', id: deviceId }, event: { type: 'remove', ...expecting(expectedRevision) } },
        (row) => ({
          device: deviceType.fromRow(row, context),
        }),
      )
    },
  }),
]
