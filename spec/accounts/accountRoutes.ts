/** Signing up, in and out, and who may: in the shapes of Better Auth's HTTP interface. */
import * as v from 'valibot'
import { named } from '../core/types.ts'
import { perhapsNotAccepted } from '../rest/refusals.ts'
import { restRoute } from '../rest/restRoute.ts'
import {
  accountFields,
  cookieTaken,
  limit,
  newPassword,
  sessionEntries,
  sessionToken,
  success,
  taken,
  user,
} from './accountSchemas.ts'

/** Signed in or not. */

const session = named('UserSession', 'A session of a user.', v.object(sessionEntries))

const registration = v.object({
  open: v.pipe(v.boolean(), v.description('Whether people may make accounts themselves.')),
})
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
    access: 'visitors',
    body: { limit, schema: v.object(accountFields) },
    requestHeaders: {
      'Idempotency-Key':
        'Of a signed-in user: a repeat with the same key within 24 hours is answered with the account that the first one made.',
    },
    answers: {
      200: {
        description: 'The account is made; without a credential its session begins, in the headers of a sign-in.',
        body: v.object({ token: v.nullable(sessionToken), user }),
      },
    },
    refusals: ['AUTH_MODE_DISABLED', 'REGISTRATION_CLOSED', taken],
  }),
  signIn: restRoute({
    name: 'signIn',
    method: 'POST',
    path: '/api/auth/sign-in/email',
    tag: 'Accounts',
    summary: 'Sign in with an email address and a password',
    access: 'visitors',
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
    access: 'visitors',
    answers: {
      200: {
        description: 'There is no session any more.',
        body: success,
        headers: cookieTaken,
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
    access: 'visitors',
    answers: {
      200: { description: 'Null without a session.', body: v.nullable(v.object({ session, user })) },
    },
    refusals: [],
  }),
  listAccounts: restRoute({
    name: 'listAccounts',
    method: 'GET',
    path: '/api/auth/list-accounts',
    tag: 'Accounts',
    summary: 'The ways in which the signed-in user can sign in',
    access: 'sessions',
    answers: {
      200: {
        description: 'A password, and the identity that is linked.',
        body: v.array(
          v.object({
            providerId: v.pipe(v.string(), v.description('`credential` for a password, else the provider’s ID.')),
            accountId: v.pipe(
              v.string(),
              v.description('The user’s ID for a password, else the subject at the provider.'),
            ),
          }),
        ),
      },
    },
    refusals: [],
  }),
  changePassword: restRoute({
    name: 'changePassword',
    method: 'POST',
    path: '/api/auth/change-password',
    tag: 'Accounts',
    summary: 'Change one’s own password',
    description: 'A wrong `currentPassword` is `BAD_USER_INPUT`, and counts as a failed sign-in.',
    access: 'sessions',
    body: {
      limit,
      schema: v.object({
        currentPassword: v.pipe(v.string(), v.maxLength(128, 'must have at most 128 characters')),
        newPassword,
        revokeOtherSessions: v.pipe(
          v.nullish(v.boolean()),
          v.description('Ends all sessions, the present one too, and begins a new one.'),
        ),
      }),
    },
    answers: {
      200: {
        description:
          'It is changed. With `revokeOtherSessions` the token is that of the new session, which is in the headers of a sign-in as well; else it is null.',
        body: v.object({ token: v.nullable(sessionToken), user }),
      },
    },
    refusals: ['AUTH_MODE_DISABLED', perhapsNotAccepted],
  }),
  getRegistration: restRoute({
    name: 'getRegistration',
    method: 'GET',
    path: '/api/auth/registration',
    tag: 'Accounts',
    summary: 'Whether people may make accounts themselves',
    access: 'sessions',
    answers: { 200: { description: 'Whether registration is open.', body: registration } },
    refusals: [],
  }),
  setRegistration: restRoute({
    name: 'setRegistration',
    method: 'POST',
    path: '/api/auth/registration',
    tag: 'Accounts',
    summary: 'Open or close registration',
    access: 'sessions',
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
    access: 'visitors',
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
