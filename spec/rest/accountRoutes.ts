/** Accounts, sessions, keys and registration, in the shapes of Better Auth's HTTP interface. */
import * as v from 'valibot'
import { dateTime, id, int, named, text } from '../types.ts'
import { notAccepted } from './refusals.ts'
import { restRoute } from './restRoute.ts'

const tenYears = 10 * 365 * 24 * 3600
const limit = 'authBodyBytes'
/** Signed in or not. */
const anybody = ['anonymous', 'user'] as const
const nullableText = v.nullable(v.string())

const user = named(
  'User',
  'A person with an account.',
  v.object({
    id,
    email: nullableText,
    name: nullableText,
    image: v.null(),
    emailVerified: v.boolean(),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
)

const session = named(
  'UserSession',
  'A session of a user.',
  v.object({
    id,
    userId: v.nullable(id),
    expiresAt: v.nullable(dateTime),
    createdAt: dateTime,
    updatedAt: dateTime,
    ipAddress: v.null(),
    userAgent: nullableText,
  }),
)

const apiKeyEntries = {
  id,
  name: nullableText,
  prefix: v.literal('svc_'),
  enabled: v.boolean(),
  userId: v.nullable(id),
  expiresAt: v.nullable(dateTime),
  createdAt: dateTime,
  updatedAt: dateTime,
}
const apiKey = named('ApiKey', 'An API key, without the key itself.', v.object(apiKeyEntries))

const success = v.object({ success: v.literal(true) })
const registration = v.object({
  open: v.pipe(v.boolean(), v.description('Whether people may make accounts themselves.')),
})
const sessionToken = v.pipe(v.string(), v.description('The session’s token, for `Authorization: Bearer`.'))
const sessionHeaders = {
  'Set-Cookie': 'The session cookie.',
  'Set-Auth-Token': 'The session’s token, where bearer clients of Better Auth read it.',
}

export const accountRoutes = {
  signUp: restRoute({
    name: 'signUp',
    method: 'POST',
    path: '/api/auth/sign-up/email',
    tag: 'Accounts',
    summary: 'Make an account with an email address and a password',
    description:
      'Anyone may while registration is open, a signed-in user always; the first account closes registration. Who makes an account for another is given no session for it.',
    access: anybody,
    body: {
      limit,
      schema: v.object({
        name: text({ min: 1, max: 200 }),
        email: v.pipe(text({ min: 3, max: 320 }), v.email('must be an email address')),
        password: v.pipe(
          v.string(),
          v.minLength(8, 'must have at least 8 characters'),
          v.maxLength(128, 'must have at most 128 characters'),
        ),
      }),
    },
    answers: {
      200: {
        description: 'The account is made; without a credential its session begins, in the headers of a sign-in.',
        body: v.object({ token: v.nullable(sessionToken), user }),
      },
    },
    refusals: [
      'AUTH_MODE_DISABLED',
      'REGISTRATION_CLOSED',
      {
        code: 'CONFLICT',
        extras: { field: v.optional(v.pipe(v.string(), v.description('What is taken: `email`.'))) },
      },
    ],
  }),
  signIn: restRoute({
    name: 'signIn',
    method: 'POST',
    path: '/api/auth/sign-in/email',
    tag: 'Accounts',
    summary: 'Sign in with an email address and a password',
    access: anybody,
    body: {
      limit,
      schema: v.object({
        email: v.pipe(v.string(), v.maxLength(320)),
        password: v.pipe(v.string(), v.maxLength(128)),
      }),
    },
    answers: {
      200: {
        description: 'A session has begun.',
        body: v.object({ redirect: v.literal(false), token: sessionToken, user }),
        headers: sessionHeaders,
      },
    },
    refusals: ['AUTH_MODE_DISABLED'],
  }),
  signOut: restRoute({
    name: 'signOut',
    method: 'POST',
    path: '/api/auth/sign-out',
    tag: 'Accounts',
    summary: 'End the session',
    access: anybody,
    answers: {
      200: {
        description: 'There is no session any more.',
        body: success,
        headers: { 'Set-Cookie': 'Takes the session cookie away.' },
      },
    },
    refusals: [],
  }),
  getSession: restRoute({
    name: 'getSession',
    method: 'GET',
    path: '/api/auth/get-session',
    tag: 'Accounts',
    summary: 'The session and its user',
    access: anybody,
    answers: {
      200: { description: 'Null without a session.', body: v.nullable(v.object({ session, user })) },
    },
    refusals: [],
  }),
  createApiKey: restRoute({
    name: 'createApiKey',
    method: 'POST',
    path: '/api/auth/api-key/create',
    tag: 'API keys',
    summary: 'Make an API key',
    access: ['user'],
    body: {
      limit,
      schema: v.object({
        name: v.nullish(text({ max: 200 })),
        expiresIn: v.pipe(
          v.nullish(v.pipe(int, v.minValue(60), v.maxValue(tenYears))),
          v.description('Seconds; without it the key does not expire.'),
        ),
      }),
    },
    requestHeaders: {
      'Idempotency-Key':
        'A repeat with the same key within 24 hours is answered with what the first one made, without the key itself.',
    },
    answers: {
      200: {
        description: 'The key, shown this once.',
        body: v.object({
          ...apiKeyEntries,
          key: v.optional(v.pipe(v.string(), v.description('The key itself; a repeat does not show it.'))),
          start: v.optional(v.pipe(v.string(), v.description('How it begins, for people to know it by.'))),
        }),
      },
    },
    refusals: ['CONFLICT'],
  }),
  listApiKeys: restRoute({
    name: 'listApiKeys',
    method: 'GET',
    path: '/api/auth/api-key/list',
    tag: 'API keys',
    summary: 'The keys of the signed-in user',
    access: ['user'],
    answers: { 200: { description: 'Without the keys themselves.', body: v.array(apiKey) } },
    refusals: [],
  }),
  deleteApiKey: restRoute({
    name: 'deleteApiKey',
    method: 'POST',
    path: '/api/auth/api-key/delete',
    tag: 'API keys',
    summary: 'End a key of the signed-in user',
    access: ['user'],
    body: { limit, schema: v.object({ keyId: v.string() }) },
    answers: { 200: { description: 'It has ended.', body: success } },
    refusals: ['NOT_FOUND', notAccepted],
  }),
  updateApiKey: restRoute({
    name: 'updateApiKey',
    method: 'POST',
    path: '/api/auth/api-key/update',
    tag: 'API keys',
    summary: 'Turn a key of the signed-in user off or on',
    access: ['user'],
    body: { limit, schema: v.object({ keyId: v.string(), enabled: v.boolean() }) },
    answers: { 200: { description: 'The key after the change.', body: apiKey } },
    refusals: ['NOT_FOUND', notAccepted],
  }),
  getRegistration: restRoute({
    name: 'getRegistration',
    method: 'GET',
    path: '/api/auth/registration',
    tag: 'Accounts',
    summary: 'Whether people may make accounts themselves',
    access: ['user'],
    answers: { 200: { description: 'Whether registration is open.', body: registration } },
    refusals: [],
  }),
  setRegistration: restRoute({
    name: 'setRegistration',
    method: 'POST',
    path: '/api/auth/registration',
    tag: 'Accounts',
    summary: 'Open or close registration',
    access: ['user'],
    body: { limit, schema: registration },
    answers: { 200: { description: 'How it is now.', body: registration } },
    refusals: [],
  }),
  getSignInConfig: restRoute({
    name: 'getSignInConfig',
    method: 'GET',
    path: '/api/auth/config',
    tag: 'Accounts',
    summary: 'The ways to sign in that this server offers',
    access: anybody,
    answers: {
      200: {
        description: 'What a client must know before it can sign anybody in.',
        body: v.object({
          authMode: v.picklist(['password', 'oidc', 'both']),
          password: v.boolean(),
          oidc: v.nullable(v.object({ providerId: v.string(), name: v.string() })),
          registrationOpen: v.boolean(),
          mobile: v.object({ pkceRequired: v.literal(true), callback: v.string() }),
        }),
      },
    },
    refusals: [],
  }),
} as const
