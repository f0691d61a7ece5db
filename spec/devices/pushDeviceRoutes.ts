/**
 * Routes with which apps register their device. There are two separate registries: the public one accepts posts from any caller.
 * Notifications go to the devices of the other one, which a signed-in session registers.
 */
import * as v from 'valibot'
import { dateTime, id, named, text } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { deviceEntries } from './deviceTokens.ts'

const optional = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.optional(v.pipe(schema, v.description(description)))

const apnsDeviceBody = named(
  'ApnsDeviceRegistration',
  'How a device is reached. Fields that are not named here are passed over.',
  v.object({
    ...deviceEntries,
    supportedPushTypes: v.pipe(
      v.array(
        v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z_-]{0,39}$/, 'must be the name of a push type, such as alert')),
      ),
      v.minLength(1, 'must name at least one push type'),
      v.maxLength(16, 'must name at most 16 push types'),
      v.description('What the app can be sent: `alert`, `background` …'),
    ),
  }),
)

const notificationDeviceBody = named(
  'NotificationDeviceRegistration',
  'How a device is reached, and what it is. Fields that are not named here are refused.',
  v.strictObject({
    ...deviceEntries,
    deviceModel: optional(text({ max: 100 }), '`iPhone17,3`'),
    osVersion: optional(text({ max: 50 }), '`26.1`'),
    appVersion: optional(text({ max: 50 }), '`2.4.0`'),
    appBuild: optional(text({ max: 50 }), '`1187`'),
    locale: optional(
      v.pipe(v.string(), v.regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as de-CH')),
      'A BCP 47 tag. Notifications are written in English, German, French, Spanish or Japanese; in English for others.',
    ),
  }),
)

const registered = named(
  'PushDevice',
  'A registration as it stands now.',
  v.object({
    id,
    created: v.pipe(v.boolean(), v.description('Whether this request has made it.')),
    status: v.literal('ACTIVE'),
    lastRegisteredAt: dateTime,
  }),
)

const headers = {
  'RateLimit-Limit': 'Registrations in a minute.',
  'RateLimit-Remaining': 'How many are left of them.',
  'RateLimit-Reset': 'Seconds until they are all there again.',
}

const answers = {
  201: { description: 'It is registered.', body: registered, headers },
  200: { description: 'It was registered before, and is refreshed.', body: registered, headers },
} as const

const common = {
  method: 'POST',
  tag: 'Push devices',
  rate: { limit: 'deviceRegistrationsPerMinute', windowMs: 60_000, of: 'device registrations from this address' },
  answers,
} as const

export const pushDeviceRoutes = {
  registerApnsDevice: restRoute({
    ...common,
    name: 'registerApnsDevice',
    path: '/api/ios/apns-devices',
    summary: 'Register a device without signing in',
    description:
      'Anybody’s device, refreshed by environment, topic and `clientRegistrationId`; forgotten after 180 days without a refresh. The service sends it nothing by itself.',
    access: 'public',
    body: { limit: 'deviceBodyBytes', schema: apnsDeviceBody },
    refusals: ['UNAVAILABLE', 'INTERNAL_ERROR'],
  }),
  registerNotificationDevice: restRoute({
    ...common,
    name: 'registerNotificationDevice',
    path: '/api/ios/notification-devices',
    summary: 'Register a device for notifications',
    description:
      'The device of the signed-in user, refreshed by environment, topic and `clientRegistrationId`. It belongs to whose session registered it last, and is told of nothing any more once that session has ended.',
    access: 'sessions',
    body: { limit: 'deviceBodyBytes', schema: notificationDeviceBody },
    refusals: [],
  }),
} as const
