/** How a machine becomes an agent: a one-time token that a person makes, and the claim that the machine sends with it. */
import * as v from 'valibot'
import { mutation } from '../core/operation.ts'
import { dateTime, id, int, named, text } from '../core/types.ts'

export const idempotencyKey = v.pipe(
  v.nullish(text({ min: 1, max: 200 })),
  v.description('Any text of yours: sent again with the same one within 24 hours, the request takes effect once.'),
)

export const createEnrollmentToken = mutation({
  name: 'createEnrollmentToken',
  description: 'Makes a one-time token with which one machine becomes an agent. The token is shown once.',
  access: 'people',
  input: v.object({
    name: v.nullish(text({ min: 1, max: 100 })),
    expiresInSeconds: v.nullish(v.pipe(int, v.minValue(60), v.maxValue(7 * 86_400))),
    idempotencyKey,
  }),
  output: named(
    'CreateEnrollmentTokenPayload',
    'The token, and the line that enrols the machine on which it is run.',
    v.object({
      enrollmentId: id,
      token: v.pipe(v.nullable(v.string()), v.description('Null where a repeat was answered: it is shown once.')),
      expiresAt: dateTime,
      command: v.nullable(v.string()),
    }),
  ),
})

export const enrollAgent = mutation({
  name: 'enrollAgent',
  description: 'Makes this machine an agent. The only operation that a one-time token is good for.',
  access: 'enrolling',
  ownIdempotency: true,
  input: v.object({
    token: text({ min: 1, max: 200 }),
    hostname: text({ min: 1, max: 255 }),
    name: v.nullish(text({ min: 1, max: 100 })),
    platform: text({ min: 1, max: 50 }),
    arch: text({ min: 1, max: 50 }),
    version: text({ min: 1, max: 50 }),
    idempotencyKey,
  }),
  output: named(
    'EnrollAgentPayload',
    "The agent's own credential, shown once.",
    v.object({ agentId: id, name: v.string(), credential: v.string(), agentWsUrl: v.string() }),
  ),
})
