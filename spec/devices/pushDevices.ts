/** The devices on which a user receives notifications. They are registered over REST (`rest/pushDeviceRoutes.ts`). */
import * as v from 'valibot'
import { idempotencyKey } from '../agents/enrollments.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, named } from '../core/types.ts'
import { pushEnvironment } from './deviceTokens.ts'

export const notificationDevice = named(
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

export const notificationDevices = query({
  name: 'notificationDevices',
  description: 'Your own devices that are, or were, told of news; the newest first.',
  access: 'people',
  input: undefined,
  output: v.array(notificationDevice),
})

export const removeNotificationDevice = mutation({
  name: 'removeNotificationDevice',
  description: 'Forgets one of your own devices. An app that is still signed in on it registers it again.',
  access: 'people',
  input: v.object({ deviceId: idOf('notificationDevice'), idempotencyKey }),
  output: named(
    'RemoveNotificationDevicePayload',
    'The device as it is now.',
    v.object({ device: notificationDevice }),
  ),
})
