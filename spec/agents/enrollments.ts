/** The enrollment of a machine as an agent: a user creates a one-time token, and the machine sends it with `enrollAgent`. */
import * as v from 'valibot'
import { idempotencyKey } from '../core/idempotencyKey.ts'
import { mutation } from '../core/operation.ts'
import { dateTime, id, int, named, text } from '../core/types.ts'

export const createEnrollmentToken = mutation({
  name: 'createEnrollmentToken',
  description: 'Creates a one-time token with which one machine enrolls as an agent. The token is returned once.',
  access: 'people',
  input: v.object({
    name: v.nullish(text({ min: 1, max: 100 })),
    expiresInSeconds: v.nullish(v.pipe(int, v.minValue(60), v.maxValue(7 * 86_400))),
    idempotencyKey,
  }),
  output: named(
    'CreateEnrollmentTokenPayload',
    'The token, and the command that enrolls the machine on which it is executed.',
    v.object({
      enrollmentId: id,
      token: v.pipe(
        v.nullable(v.string()),
        v.description('The token. Null in the answer to a repeat, because the token is returned once.'),
      ),
      expiresAt: dateTime,
      command: v.pipe(
        v.nullable(v.string()),
        v.description(
          'A shell command that downloads the agent, enrolls the machine with the token and starts the agent. Replace `~/code` with the folder of the repositories. `--cli detect` offers the installed coding CLIs; `--cli NAME=acp:COMMAND` names one. Null in the answer to a repeat.',
        ),
      ),
    }),
  ),
})

export const enrollAgent = mutation({
  name: 'enrollAgent',
  description: 'Enrolls a machine as an agent. A one-time token permits only this operation.',
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
    'The ID and the credential of the new agent. The credential is returned once.',
    v.object({ agentId: id, name: v.string(), credential: v.string(), agentWsUrl: v.string() }),
  ),
})
