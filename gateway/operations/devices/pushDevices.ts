import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import {
  type notificationDevice,
  notificationDevices,
  removeNotificationDevice,
} from '../../../spec/devices/pushDevices.ts'
import { everyRow } from '../core/everyRow.ts'
import { readUserId } from '../core/readUserId.ts'
import { requireKind } from '../core/replies.ts'
import { notFound, requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'

function toDeviceObject(row: TypedRow<'notificationDevice'>): v.InferInput<typeof notificationDevice> {
  const init = row.init
  const { details, registeredAt, reason } = row.context
  return {
    id: row.id,
    status: row.columns.status as 'ACTIVE' | 'INACTIVE' | 'REMOVED',
    displayName: details.displayName ?? '',
    environment: init.environment,
    topic: init.topic,
    clientRegistrationId: init.clientRegistrationId,
    deviceModel: details.deviceModel ?? null,
    osVersion: details.osVersion ?? null,
    appVersion: details.appVersion ?? null,
    appBuild: details.appBuild ?? null,
    locale: details.locale ?? null,
    reason,
    lastRegisteredAt: toDateTime(registeredAt),
    createdAt: toDateTime(row.createdAt),
  }
}

export const pushDeviceHandlers = [
  handle(notificationDevices, ['views'], {
    listCounts: async (_input, { principal, views }) => ({
      items: await views.count({
        kind: 'notificationDevice',
        where: { scopeId: readUserId(principal) },
        terminal: false,
      }),
    }),
    read: async (_input, { principal, views }) => {
      const where = { scopeId: readUserId(principal) }
      return (await everyRow(views, { kind: 'notificationDevice', where, terminal: false, descending: true })).map(
        toDeviceObject,
      )
    },
  }),
  handle(removeNotificationDevice, ['views'], {
    translate: async ({ deviceId }, { principal, views }) => {
      const row = await requireRow(views, 'notificationDevice', deviceId)
      // Other users must not learn that the device exists.
      if (row.columns.scopeId !== readUserId(principal)) throw notFound('notificationDevice', deviceId)
      return {
        messages: [{ to: { kind: 'notificationDevice', id: deviceId }, event: { type: 'remove' } }],
        answer: ([reply]) => ({ device: toDeviceObject(reply ? requireKind('notificationDevice', reply.row) : row) }),
      }
    },
  }),
]
