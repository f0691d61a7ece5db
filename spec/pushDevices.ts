/** The devices on which a user is told of news. They are registered over REST (`rest/pushDeviceRoutes.ts`). */

import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { pushEnvironment } from './deviceTokens.ts'
import { idempotencyKey } from './enrollments.ts'
import { everyRow } from './everyRow.ts'
import { mutation, query, type RequestContext } from './operation.ts'
import { contextOf, initOf, notFound, requireRow } from './rows.ts'
import { dateTime, id, idOf, named, toDateTime } from './types.ts'

const notificationDevice = named(
  'NotificationDevice',
  'A device that is told of news. Its token is never shown.',
  v.object({
    id,
    status: named(
      'NotificationDeviceStatus',
      'ACTIVE: it is told. INACTIVE: Apple no longer knows its token, or the session that registered it is over.',
      v.picklist(['ACTIVE', 'INACTIVE', 'REMOVED']),
    ),
    displayName: v.string(),
    environment: pushEnvironment,
    topic: v.string(),
    clientRegistrationId: v.string(),
    deviceModel: v.nullable(v.string()),
    osVersion: v.nullable(v.string()),
    appVersion: v.nullable(v.string()),
    appBuild: v.nullable(v.string()),
    locale: v.nullable(v.string()),
    reason: v.pipe(v.nullable(v.string()), v.description('Why it is not told: Apple’s word, or SESSION_OVER.')),
    lastRegisteredAt: dateTime,
    createdAt: dateTime,
  }),
)

type Details = Partial<
  Record<'displayName' | 'deviceModel' | 'osVersion' | 'appVersion' | 'appBuild' | 'locale', string>
>

function deviceOf(row: ActorRow): v.InferInput<typeof notificationDevice> {
  const init = initOf<{ environment: 'SANDBOX' | 'PRODUCTION'; topic: string; clientRegistrationId: string }>(row)
  const { details, registeredAt, reason } = contextOf<{
    details: Details
    registeredAt: number
    reason: string | null
  }>(row)
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

const userOf = ({ principal }: Pick<RequestContext, 'principal'>): string =>
  principal.kind === 'user' || principal.kind === 'apiKey' ? principal.userId : ''

const notificationDevices = query({
  name: 'notificationDevices',
  description: 'Your own devices that are, or were, told of news; the newest first.',
  access: 'people',
  input: undefined,
  output: v.array(notificationDevice),
  read: async (_input, { principal, views }) => {
    const where = { scopeId: userOf({ principal }) }
    return (await everyRow(views, { kind: 'notificationDevice', where, terminal: false, descending: true })).map(
      deviceOf,
    )
  },
})

const removeNotificationDevice = mutation({
  name: 'removeNotificationDevice',
  description: 'Forgets one of your own devices. An app that is still signed in on it registers it again.',
  access: 'people',
  input: v.object({ deviceId: idOf('notificationDevice'), idempotencyKey }),
  output: named(
    'RemoveNotificationDevicePayload',
    'The device as it is now.',
    v.object({ device: notificationDevice }),
  ),
  translate: async ({ deviceId }, { principal, views }) => {
    const row = await requireRow(views, 'notificationDevice', deviceId)
    // Whose it is, is nobody else's business.
    if (row.columns.scopeId !== userOf({ principal })) throw notFound('notificationDevice', deviceId)
    return {
      messages: [{ to: { kind: 'notificationDevice', id: deviceId }, event: { type: 'remove' } }],
      answer: ([reply]) => ({ device: deviceOf(reply?.row ?? row) }),
    }
  },
})

export const pushDeviceOperations = [notificationDevices, removeNotificationDevice]
