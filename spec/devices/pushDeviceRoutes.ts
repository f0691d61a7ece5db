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
  'The data with which a device is reached. Unknown fields are ignored.',
  v.object({
    ...deviceEntries,
    supportedPushTypes: v.pipe(
      v.array(
        v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z_-]{0,39}$/, 'must be the name of a push type, such as alert')),
      ),
      v.minLength(1, 'must name at least one push type'),
      v.maxLength(16, 'must name at most 16 push types'),
      v.description('The types of notifications that the app accepts: `alert`, `background` …'),
    ),
  }),
)

const notificationDeviceBody = named(
  'NotificationDeviceRegistration',
  'The data with which a device is reached and described. Unknown fields are refused.',
  v.strictObject({
    ...deviceEntries,
    deviceModel: optional(text({ max: 100 }), '`iPhone17,3`'),
    osVersion: optional(text({ max: 50 }), '`26.1`'),
    appVersion: optional(text({ max: 50 }), '`2.4.0`'),
    appBuild: optional(text({ max: 50 }), '`1187`'),
    locale: optional(
      v.pipe(v.string(), v.regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as de-CH')),
      'The language of notifications, as a BCP 47 tag. English, German, French, Spanish and Japanese are supported. Other languages get English.',
    ),
  }),
)

const registered = named(
  'PushDevice',
  'The current state of a registration.',
  v.object({
    id,
    created: v.pipe(v.boolean(), v.description('Whether this request created the registration.')),
    status: v.literal('ACTIVE'),
    lastRegisteredAt: dateTime,
  }),
)

const headers = {
  'RateLimit-Limit': 'The maximum number of registrations in a minute.',
  'RateLimit-Remaining': 'The number of registrations that are left.',
  'RateLimit-Reset': 'The number of seconds until all registrations are available again.',
}

const answers = {
  201: { description: 'The device is registered.', body: registered, headers },
  200: { description: 'The device was already registered. The registration is refreshed.', body: registered, headers },
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
      'Registers a device without a user. Environment, topic and `clientRegistrationId` identify the registration for a ' +
      'refresh. It is deleted after 180 days without a refresh. The service sends no notifications to it by itself.',
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
      'Registers a device of the signed-in user. Environment, topic and `clientRegistrationId` identify the registration for a ' +
      'refresh. The device belongs to the session that registered it last. It receives no notifications after the end of that ' +
      'session.',
    access: 'sessions',
    body: { limit: 'deviceBodyBytes', schema: notificationDeviceBody },
    refusals: [],
  }),
} as const
