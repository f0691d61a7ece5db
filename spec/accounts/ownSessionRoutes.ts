/** The sessions of the signed-in user: which there are, and ending them. */
import * as v from 'valibot'
import { dateTime, named } from '../core/types.ts'
import { restRoute } from '../rest/restRoute.ts'
import { cookieTaken, done, limit, sessionEntries } from './accountSchemas.ts'

const ownSession = named(
  'OwnSession',
  'A live session of the signed-in user, without its token.',
  v.object({
    ...sessionEntries,
    lastUsedAt: v.pipe(v.nullable(dateTime), v.description('To the day.')),
    current: v.pipe(v.boolean(), v.description('Whether it is the one that asks.')),
  }),
)

const name = v.pipe(v.string(), v.nonEmpty('must not be empty'), v.maxLength(200, 'must have at most 200 characters'))

export const ownSessionRoutes = {
  listSessions: restRoute({
    name: 'listSessions',
    method: 'GET',
    path: '/api/auth/list-sessions',
    tag: 'Sessions',
    summary: 'The live sessions of the signed-in user',
    access: 'sessions',
    answers: { 200: { description: 'The newest first, without their tokens.', body: v.array(ownSession) } },
    refusals: [],
  }),
  revokeSession: restRoute({
    name: 'revokeSession',
    method: 'POST',
    path: '/api/auth/revoke-session',
    tag: 'Sessions',
    summary: 'End a session of the signed-in user',
    description:
      'Either `id` or `token` names it. By its ID, one that has ended already is no mistake; its token is known no more.',
    access: 'sessions',
    body: {
      limit,
      schema: v.object({
        id: v.optional(v.pipe(name, v.description('Its ID.'))),
        token: v.optional(v.pipe(name, v.description('Its token, or its ID.'))),
      }),
    },
    answers: {
      200: { description: 'It has ended. Where it is the present one, the session cookie is taken away.', body: done },
    },
    refusals: ['NOT_FOUND'],
  }),
  revokeSessions: restRoute({
    name: 'revokeSessions',
    method: 'POST',
    path: '/api/auth/revoke-sessions',
    tag: 'Sessions',
    summary: 'End all sessions of the signed-in user, the present one too',
    access: 'sessions',
    body: { limit, schema: v.object({}) },
    answers: { 200: { description: 'All have ended.', body: done, headers: cookieTaken } },
    refusals: [],
  }),
  revokeOtherSessions: restRoute({
    name: 'revokeOtherSessions',
    method: 'POST',
    path: '/api/auth/revoke-other-sessions',
    tag: 'Sessions',
    summary: 'End all sessions of the signed-in user but the present one',
    access: 'sessions',
    body: { limit, schema: v.object({}) },
    answers: { 200: { description: 'The others have ended.', body: done } },
    refusals: [],
  }),
} as const
