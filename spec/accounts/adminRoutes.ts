/** Everybody's accounts, for any signed-in user: all have the same access. In the shapes of Better Auth's admin plugin. */
import * as v from 'valibot'
import { idOf, int, named, text } from '../core/types.ts'
import { perhapsNotAccepted } from '../rest/refusals.ts'
import { restRoute } from '../rest/restRoute.ts'
import { accountFields, done, limit, newPassword, success, taken, userEntries } from './accountSchemas.ts'

const adminUser = named(
  'AdminUser',
  'A person with an account, as others see it.',
  v.object({
    ...userEntries,
    role: v.pipe(v.literal('admin'), v.description('All accounts have the same access.')),
    banned: v.pipe(v.boolean(), v.description('Whether the account is disabled.')),
  }),
)
const ofUser = v.object({ user: adminUser })

const userId = idOf('user')
// Fields that are not stored are refused by name: a ban with an expiry must not seem to be accepted with it.
const naming = v.strictObject({ userId })

const signedOut = 'Where it is the caller’s own, the session cookie is taken away.'

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
    summary: 'The accounts, in the order of their making',
    description: 'Searching and sorting are not offered, and so refused rather than passed over.',
    access: 'sessions',
    query: v.strictObject({
      limit: v.pipe(v.optional(whole(1, 100), '100'), v.description('How many at most: 1 to 100.')),
      offset: v.pipe(v.optional(whole(0, 1_000_000), '0'), v.description('How many to pass over: 0 to 1000000.')),
    }),
    queryRefusal: 'BAD_USER_INPUT',
    answers: {
      200: {
        description: 'A page of them.',
        body: v.object({
          users: v.array(adminUser),
          total: v.pipe(int, v.description('How many there are.')),
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
    summary: 'Make an account, whether registration is open or not',
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
        'A repeat with the same key within 24 hours is answered with the account that the first one made.',
    },
    answers: { 200: { description: 'The account.', body: ofUser } },
    refusals: ['AUTH_MODE_DISABLED', taken],
  }),
  banUser: restRoute({
    name: 'banUser',
    method: 'POST',
    path: '/api/auth/admin/ban-user',
    tag: 'Users',
    summary: 'Disable an account, and end its sessions and keys',
    description: 'Never the last one that is enabled. No ban ends by itself.',
    access: 'sessions',
    body: {
      limit,
      schema: v.strictObject({
        userId,
        banReason: v.optional(v.pipe(text({ max: 1_000 }), v.description('Kept in the journal alone.'))),
      }),
    },
    answers: { 200: { description: `It is disabled. ${signedOut}`, body: ofUser } },
    refusals: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  }),
  unbanUser: restRoute({
    name: 'unbanUser',
    method: 'POST',
    path: '/api/auth/admin/unban-user',
    tag: 'Users',
    summary: 'Enable an account again',
    description: 'What its user was signed in with stays ended.',
    access: 'sessions',
    body: { limit, schema: naming },
    answers: { 200: { description: 'It is enabled.', body: ofUser } },
    refusals: ['NOT_FOUND'],
  }),
  removeUser: restRoute({
    name: 'removeUser',
    method: 'POST',
    path: '/api/auth/admin/remove-user',
    tag: 'Users',
    summary: 'Remove an account for good',
    description: 'Never the last one that is enabled. Its email address is free again.',
    access: 'sessions',
    body: { limit, schema: naming },
    answers: { 200: { description: `It is gone. ${signedOut}`, body: success } },
    refusals: ['NOT_FOUND', 'FAILED_PRECONDITION'],
  }),
  setUserPassword: restRoute({
    name: 'setUserPassword',
    method: 'POST',
    path: '/api/auth/admin/set-user-password',
    tag: 'Users',
    summary: 'Set another user’s password, and end that user’s sessions',
    description: 'For who forgot theirs. One’s own is changed by `change-password`.',
    access: 'sessions',
    body: { limit, schema: v.strictObject({ userId, newPassword }) },
    answers: { 200: { description: 'It is set.', body: done } },
    refusals: ['AUTH_MODE_DISABLED', 'NOT_FOUND', perhapsNotAccepted],
  }),
  revokeUserSessions: restRoute({
    name: 'revokeUserSessions',
    method: 'POST',
    path: '/api/auth/admin/revoke-user-sessions',
    tag: 'Users',
    summary: 'End all sessions of a user',
    access: 'sessions',
    body: { limit, schema: naming },
    answers: { 200: { description: `They have ended. ${signedOut}`, body: success } },
    refusals: ['NOT_FOUND'],
  }),
} as const
