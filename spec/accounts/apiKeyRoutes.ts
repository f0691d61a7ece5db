/** A user's own API keys. */
import * as v from 'valibot'
import { dateTime, id, int, named, text } from '../core/types.ts'
import { notAccepted } from '../rest/refusals.ts'
import { restRoute } from '../rest/restRoute.ts'
import { limit, nullableText, success } from './accountSchemas.ts'

const tenYears = 10 * 365 * 24 * 3600

const apiKeyEntries = {
  id,
  name: nullableText,
  prefix: v.literal('svc_'),
  enabled: v.boolean(),
  userId: v.nullable(id),
  expiresAt: v.nullable(dateTime),
  createdAt: dateTime,
  updatedAt: dateTime,
  lastRequest: v.pipe(
    v.nullable(dateTime),
    v.description('When it was last used, to the hour; null where it never was.'),
  ),
}
const apiKey = named('ApiKey', 'An API key, without the key itself.', v.object(apiKeyEntries))

export const apiKeyRoutes = {
  createApiKey: restRoute({
    name: 'createApiKey',
    method: 'POST',
    path: '/api/auth/api-key/create',
    tag: 'API keys',
    summary: 'Make an API key',
    access: 'sessions',
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
    access: 'sessions',
    answers: { 200: { description: 'Without the keys themselves.', body: v.array(apiKey) } },
    refusals: [],
  }),
  deleteApiKey: restRoute({
    name: 'deleteApiKey',
    method: 'POST',
    path: '/api/auth/api-key/delete',
    tag: 'API keys',
    summary: 'End a key of the signed-in user',
    access: 'sessions',
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
    access: 'sessions',
    body: { limit, schema: v.object({ keyId: v.string(), enabled: v.boolean() }) },
    answers: { 200: { description: 'The key after the change.', body: apiKey } },
    refusals: ['NOT_FOUND', notAccepted],
  }),
} as const
