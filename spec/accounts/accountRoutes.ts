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

const session = named('UserSession', 'A session of a user.', v.object(sessionEntries))

const registration = v.object({
  open: v.pipe(v.boolean(), v.description('Whether visitors can create accounts.')),
})
const sessionHeaders = {
  'Set-Cookie': 'The session cookie.',
  'Set-Auth-Token': 'The token of the session. Bearer clients of Better Auth read it from this header.',
}

export const accountRoutes = {
  signUp: restRoute({
    name: 'signUp',
    method: 'POST',
    path: '/api/auth/sign-up/email',
    tag: 'Accounts',
    summary: 'Create an account with an email address and a password',
    description:
      'While registration is open, no credential is needed. A signed-in user can always create accounts. The first account ' +
      'closes registration. A user who creates an account for another gets no session for it.',
    access: 'visitors',
    body: { limit, schema: v.object(accountFields) },
    requestHeaders: {
      'Idempotency-Key':
        'For signed-in users: a repeat with the same idempotency key within 24 hours returns the account that the first request created.',
    },
    answers: {
      200: {
        description:
          'The account is created. If the request has no credential, its session begins, and the response has the headers of a sign-in.',
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
        description: 'A session was created.',
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
    summary: 'End the session of the request',
    access: 'visitors',
    answers: {
      200: {
        description: 'The request’s session has ended.',
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
    summary: 'Get the session and its user',
    access: 'visitors',
    answers: {
      200: {
        description: 'The session and its user. Null without a session.',
        body: v.nullable(v.object({ session, user })),
      },
    },
    refusals: [],
  }),
  listAccounts: restRoute({
    name: 'listAccounts',
    method: 'GET',
    path: '/api/auth/list-accounts',
    tag: 'Accounts',
    summary: 'List the ways in which the signed-in user can sign in',
    access: 'sessions',
    answers: {
      200: {
        description: 'The password and the linked identity, if the account has them.',
        body: v.array(
          v.object({
            providerId: v.pipe(v.string(), v.description('`credential` for a password, else the ID of the provider.')),
            accountId: v.pipe(
              v.string(),
              v.description('The ID of the user for a password, else the user’s subject at the provider.'),
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
    summary: 'Change the signed-in user’s password',
    description: 'A wrong `currentPassword` is refused with `BAD_USER_INPUT` and counts as a failed sign-in.',
    access: 'sessions',
    body: {
      limit,
      schema: v.object({
        currentPassword: v.pipe(v.string(), v.maxLength(128, 'must have at most 128 characters')),
        newPassword,
        revokeOtherSessions: v.pipe(
          v.nullish(v.boolean()),
          v.description('Whether to revoke all sessions, including the current one, and create a new one.'),
        ),
      }),
    },
    answers: {
      200: {
        description:
          'The password is changed. With `revokeOtherSessions` the token is that of the new session, and the response has the headers of a sign-in. Otherwise the token is null.',
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
    summary: 'Get whether registration is open',
    access: 'sessions',
    answers: { 200: { description: 'The state of registration.', body: registration } },
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
    answers: { 200: { description: 'The new state of registration.', body: registration } },
    refusals: [],
  }),
  getSignInConfig: restRoute({
    name: 'getSignInConfig',
    method: 'GET',
    path: '/api/auth/config',
    tag: 'Accounts',
    summary: 'Get the ways to sign in on this server',
    access: 'visitors',
    answers: {
      200: {
        description: 'The information that a client needs before a sign-in.',
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
