/** The devices on which a user receives notifications. They are registered over REST (`rest/pushDeviceRoutes.ts`). */
import * as v from 'valibot'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { mutation, query } from '../core/operation.ts'
import { dateTime, id, idOf, named } from '../core/types.ts'
import { pushEnvironment } from './deviceTokens.ts'

export const notificationDevice = named(
  'NotificationDevice',
  'A device that receives notifications. Its token is never returned.',
  v.object({
    id,
    status: named(
      'NotificationDeviceStatus',
      'ACTIVE: the device receives notifications. INACTIVE: Apple no longer accepts its token, or the session that registered it has ended.',
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
    reason: v.pipe(
      v.nullable(v.string()),
      v.description('The reason why the device is INACTIVE: Apple’s reason, or SESSION_OVER. Null if it is ACTIVE.'),
    ),
    lastRegisteredAt: dateTime,
    createdAt: dateTime,
  }),
)

export const notificationDevices = query({
  name: 'notificationDevices',
  description: 'Returns the caller’s own devices that receive or received notifications, newest first.',
  access: 'people',
  input: undefined,
  output: v.array(notificationDevice),
})

export const removeNotificationDevice = mutation({
  name: 'removeNotificationDevice',
  description:
    'Removes one of the caller’s own devices. An app that is still signed in on the device registers it again.',
  access: 'people',
  input: v.object({ deviceId: idOf('notificationDevice'), idempotencyKey }),
  output: named(
    'RemoveNotificationDevicePayload',
    'The current state of the device.',
    v.object({ device: notificationDevice }),
  ),
})
