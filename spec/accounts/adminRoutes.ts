/** Everybody's accounts, for any signed-in user: all have the same access. In the shapes of Better Auth's admin plugin. */
import * as v from 'valibot'
import { idOf, int, named, text } from '../core/types.ts'
import { perhapsNotAccepted } from '../rest/refusals.ts'
import { type Refusal, restRoute } from '../rest/restRoute.ts'
import { accountFields, done, limit, newPassword, success, taken, userEntries } from './accountSchemas.ts'

const adminUser = named(
  'AdminUser',
  'A user with an account, as other users see it.',
  v.object({
    ...userEntries,
    role: v.pipe(
      v.literal('admin'),
      v.description('The role. It is always the same, because all accounts have the same access.'),
    ),
    banned: v.pipe(v.boolean(), v.description('Whether the account is disabled.')),
  }),
)
const ofUser = v.object({ user: adminUser })

const userId = idOf('user')

const lastEnabled: Refusal = {
  code: 'FAILED_PRECONDITION',
  extras: { id: v.pipe(userId, v.description('The ID of the last enabled account.')) },
}
// Fields that are not stored are refused by name: a ban with an expiry must not seem to be accepted with it.
const naming = v.strictObject({ userId })

const signedOut = 'If it is the caller’s own account, the session cookie is cleared.'

function whole(least: number, most: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,7}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )
}

export const adminRoutes = {
  listUsers: restRoute({
    name: 'listUsers',
    method: 'GET',
    path: '/api/auth/admin/list-users',
    tag: 'Users',
    summary: 'List the accounts, oldest first',
    description: 'Parameters for search and sorting are not supported. They are refused and not ignored.',
    access: 'sessions',
    query: v.strictObject({
      limit: v.pipe(v.optional(whole(1, 100), '100'), v.description('The maximum number of accounts, 1 to 100.')),
      offset: v.pipe(
        v.optional(whole(0, 1_000_000), '0'),
        v.description('The number of accounts to skip, 0 to 1,000,000.'),
      ),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    answers: {
      200: {
        description: 'A page of the accounts.',
        body: v.object({
          users: v.array(adminUser),
          total: v.pipe(int, v.description('The number of all accounts.')),
          limit: int,
          offset: int,
        }),
      },
    },
    refusals: [],
  }),
  createUser: restRoute({
    name: 'createUser',
    method: 'POST',
    path: '/api/auth/admin/create-user',
    tag: 'Users',
    summary: 'Create an account, whether registration is open or not',
    access: 'sessions',
    body: {
      limit,
      schema: v.strictObject({
        ...accountFields,
        role: v.optional(v.literal('admin', 'must be "admin": all accounts have the same access')),
      }),
    },
    requestHeaders: {
      'Idempotency-Key':
        'A repeat with the same idempotency key within 24 hours returns the account that the first request created.',
    },
    answers: { 200: { description: 'The account.', body: ofUser } },
    refusals: ['AUTH_MODE_DISABLED', taken],
  }),
  banUser: restRoute({
    name: 'banUser',
    method: 'POST',
    path: '/api/auth/admin/ban-user',
    tag: 'Users',
    summary: 'Disable an account and revoke its sessions and API keys',
    description: 'The last enabled account cannot be disabled. A ban does not end by itself.',
    access: 'sessions',
    body: {
      limit,
      schema: v.strictObject({
        userId,
        banReason: v.optional(v.pipe(text({ max: 1_000 }), v.description('The reason, stored only in the journal.'))),
      }),
    },
    answers: { 200: { description: `The account is disabled. ${signedOut}`, body: ofUser } },
    refusals: ['NOT_FOUND', lastEnabled],
  }),
  unbanUser: restRoute({
    name: 'unbanUser',
    method: 'POST',
    path: '/api/auth/admin/unban-user',
    tag: 'Users',
    summary: 'Enable a disabled account',
    description: 'The revoked sessions and API keys of the user stay revoked.',
    access: 'sessions',
    body: { limit, schema: naming },
    answers: { 200: { description: 'The account is enabled.', body: ofUser } },
    refusals: ['NOT_FOUND'],
  }),
  removeUser: restRoute({
    name: 'removeUser',
    method: 'POST',
    path: '/api/auth/admin/remove-user',
    tag: 'Users',
    summary: 'Remove an account permanently',
    description:
      'The last enabled account cannot be removed. The email address of a removed account can be used again.',
    access: 'sessions',
    body: { limit, schema: naming },
    answers: { 200: { description: `The account is removed. ${signedOut}`, body: success } },
    refusals: ['NOT_FOUND', lastEnabled],
  }),
  setUserPassword: restRoute({
    name: 'setUserPassword',
    method: 'POST',
    path: '/api/auth/admin/set-user-password',
    tag: 'Users',
    summary: 'Set another user’s password and revoke that user’s sessions',
    description: 'For users who forgot their password. Use `change-password` for the caller’s own password.',
    access: 'sessions',
    body: { limit, schema: v.strictObject({ userId, newPassword }) },
    answers: { 200: { description: 'The password is set.', body: done } },
    refusals: ['AUTH_MODE_DISABLED', 'NOT_FOUND', perhapsNotAccepted],
  }),
  revokeUserSessions: restRoute({
    name: 'revokeUserSessions',
    method: 'POST',
    path: '/api/auth/admin/revoke-user-sessions',
    tag: 'Users',
    summary: 'Revoke all sessions of a user',
    access: 'sessions',
    body: { limit, schema: naming },
    answers: { 200: { description: `The sessions are revoked. ${signedOut}`, body: success } },
    refusals: ['NOT_FOUND'],
  }),
} as const
