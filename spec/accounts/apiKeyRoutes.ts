/** A user's own API keys. */
import * as v from 'valibot'
import { dateTime, id, int, named, text } from '../core/types.ts'
import { notAccepted } from '../rest/refusals.ts'
import { type Refusal, restRoute } from '../rest/restRoute.ts'
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
    v.description('The time of the last use, to the hour. Null if the key was never used.'),
  ),
}
const apiKey = named('ApiKey', 'An API key, without its secret value.', v.object(apiKeyEntries))

const tooManyKeys: Refusal = {
  code: 'FAILED_PRECONDITION',
  extras: { limit: v.pipe(int, v.description('The maximum number of API keys of a user.')) },
}

export const apiKeyRoutes = {
  createApiKey: restRoute({
    name: 'createApiKey',
    method: 'POST',
    path: '/api/auth/api-key/create',
    tag: 'API keys',
    summary: 'Create an API key',
    access: 'sessions',
    body: {
      limit,
      schema: v.object({
        name: v.nullish(text({ max: 200 })),
        expiresIn: v.pipe(
          v.nullish(v.pipe(int, v.minValue(60), v.maxValue(tenYears))),
          v.description('The number of seconds after which the key expires. If omitted, it does not expire.'),
        ),
      }),
    },
    requestHeaders: {
      'Idempotency-Key':
        'A repeat with the same idempotency key within 24 hours returns the first API key, without its secret value.',
    },
    answers: {
      200: {
        description: 'The key with its secret value, which is returned once.',
        body: v.object({
          ...apiKeyEntries,
          key: v.optional(
            v.pipe(
              v.string(),
              v.description('The secret value of the key. The answer to a repeat does not contain it.'),
            ),
          ),
          start: v.optional(
            v.pipe(v.string(), v.description('The first characters of the key, by which users recognize it.')),
          ),
        }),
      },
    },
    refusals: ['CONFLICT', tooManyKeys],
  }),
  listApiKeys: restRoute({
    name: 'listApiKeys',
    method: 'GET',
    path: '/api/auth/api-key/list',
    tag: 'API keys',
    summary: 'List the API keys of the signed-in user',
    access: 'sessions',
    answers: { 200: { description: 'The keys, without their secret values.', body: v.array(apiKey) } },
    refusals: [],
  }),
  deleteApiKey: restRoute({
    name: 'deleteApiKey',
    method: 'POST',
    path: '/api/auth/api-key/delete',
    tag: 'API keys',
    summary: 'Revoke an API key of the signed-in user',
    access: 'sessions',
    body: { limit, schema: v.object({ keyId: v.string() }) },
    answers: { 200: { description: 'The key is revoked.', body: success } },
    refusals: ['NOT_FOUND', notAccepted],
  }),
  updateApiKey: restRoute({
    name: 'updateApiKey',
    method: 'POST',
    path: '/api/auth/api-key/update',
    tag: 'API keys',
    summary: 'Disable or enable an API key of the signed-in user',
    access: 'sessions',
    body: { limit, schema: v.object({ keyId: v.string(), enabled: v.boolean() }) },
    answers: { 200: { description: 'The key after the change.', body: apiKey } },
    refusals: ['NOT_FOUND', notAccepted],
  }),
} as const
