/** REST routes that list and revoke the sessions of the signed-in user. */
import * as v from 'valibot'
import { dateTime, named } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { cookieTaken, done, limit, sessionEntries } from './accountSchemas.ts'

const ownSession = named(
  'OwnSession',
  'An active session of the signed-in user, without its token.',
  v.object({
    ...sessionEntries,
    lastUsedAt: v.pipe(v.nullable(dateTime), v.description('The time of the last use, to the day.')),
    current: v.pipe(v.boolean(), v.description('Whether the request was sent with this session.')),
  }),
)

const name = v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(200, 'must have at most 200 characters'))

export const ownSessionRoutes = {
  listSessions: restRoute({
    name: 'listSessions',
    method: 'GET',
    path: '/api/auth/list-sessions',
    tag: 'Sessions',
    summary: 'List the active sessions of the signed-in user',
    access: 'sessions',
    answers: { 200: { description: 'The sessions, newest first, without their tokens.', body: v.array(ownSession) } },
    refusals: [],
  }),
  revokeSession: restRoute({
    name: 'revokeSession',
    method: 'POST',
    path: '/api/auth/revoke-session',
    tag: 'Sessions',
    summary: 'Revoke a session of the signed-in user',
    description:
      'Name the session by either `id` or `token`. An ID of a session that has already ended is accepted, but its token is not.',
    access: 'sessions',
    body: {
      limit,
      schema: v.object({
        id: v.optional(v.pipe(name, v.description('The ID of the session.'))),
        token: v.optional(v.pipe(name, v.description('The token or the ID of the session.'))),
      }),
    },
    answers: {
      200: {
        description: 'The session is revoked. If it is the session of the request, the session cookie is cleared.',
        body: done,
      },
    },
    refusals: ['NOT_FOUND'],
  }),
  revokeSessions: restRoute({
    name: 'revokeSessions',
    method: 'POST',
    path: '/api/auth/revoke-sessions',
    tag: 'Sessions',
    summary: 'Revoke all sessions of the signed-in user, including the current one',
    access: 'sessions',
    body: { limit, schema: v.object({}) },
    answers: { 200: { description: 'All sessions are revoked.', body: done, headers: cookieTaken } },
    refusals: [],
  }),
  revokeOtherSessions: restRoute({
    name: 'revokeOtherSessions',
    method: 'POST',
    path: '/api/auth/revoke-other-sessions',
    tag: 'Sessions',
    summary: 'Revoke all other sessions of the signed-in user',
    access: 'sessions',
    body: { limit, schema: v.object({}) },
    answers: { 200: { description: 'The other sessions are revoked.', body: done } },
    refusals: [],
  }),
} as const
