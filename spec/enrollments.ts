/** How a machine becomes an agent: a one-time token that a person makes, and the claim that the machine sends with it. */
import * as v from 'valibot'
import { Failure } from './failure.ts'
import { sha256 } from './hash.ts'
import { siblingId } from './ids.ts'
import { mutation } from './operation.ts'
import { principalName } from './principal.ts'
import { initOf, requireRow } from './rows.ts'
import { dateTime, id, int, named, text, toDateTime } from './types.ts'

/** Seconds that a token is good for where nothing else was asked. */
const defaultSeconds = 3_600

export const idempotencyKey = v.pipe(
  v.nullish(text({ min: 1, max: 200 })),
  v.description('Any text of yours: sent again with the same one within 24 hours, the request takes effect once.'),
)

const createEnrollmentToken = mutation({
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
  translate: ({ name, expiresInSeconds }, { newId, newSecret, now, baseUrl, principal }) => {
    const { token, hash } = newSecret('enroll_')
    const create = {
      tokenHash: hash,
      name: name ?? null,
      requestedBy: principalName(principal),
      createdAt: now,
      expiresAt: now + (expiresInSeconds ?? defaultSeconds) * 1000,
    }
    return {
      messages: [{ to: { kind: 'enrollment', id: newId('enrollment') }, event: { type: 'create' }, create }],
      answer: ([reply]) => {
        if (reply === undefined) throw new Error('a message was not answered')
        const { row, repeated } = reply
        return {
          enrollmentId: row.id,
          token: repeated ? null : token,
          expiresAt: toDateTime(initOf<{ expiresAt: number }>(row).expiresAt),
          command: repeated ? null : commandFor(baseUrl, token),
        }
      },
    }
  },
})

function commandFor(base: string, token: string): string {
  const program = 'signalbox-agent.mjs'
  return `curl -fsSL ${base}/api/public/agent/${program} -o ${program} && node ${program} --server ${base} --token ${token}`
}

const enrollAgent = mutation({
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
  translate: async (input, context) => {
    const { principal, views, now, agentWsUrl } = context
    if (principal.kind !== 'enrollment') throw new Failure('FORBIDDEN', 'This needs a one-time enrolment token.')
    const { enrollmentId } = principal
    const enrollment = await requireRow(views, 'enrollment', enrollmentId)
    const agentId = siblingId('agent', enrollmentId)
    const { token, hash } = context.newSecret('agent_')
    const known = await context.peek({ kind: 'agent', id: agentId })
    const name = input.name ?? initOf<{ name: string | null }>(enrollment).name ?? input.hostname
    const { hostname, platform, arch, version, idempotencyKey: key } = input
    const create = {
      enrollmentId,
      name,
      credentialHash: hash,
      facts: { hostname, platform, arch, version },
      createdAt: now,
    }
    const to = { kind: 'agent', id: agentId } as const
    return {
      messages: [
        {
          to: { kind: 'enrollment', id: enrollmentId },
          event: { type: 'claim', keyHash: key ? await sha256(key) : null },
        },
        known === undefined ? { to, event: { type: 'create' }, create } : { to, event: { type: 'recredential', hash } },
      ],
      answer: (replies) => {
        const row = replies[1]?.row
        return {
          agentId,
          name: row === undefined ? name : initOf<{ name: string }>(row).name,
          credential: token,
          agentWsUrl,
        }
      },
    }
  },
})

export const enrollmentOperations = [createEnrollmentToken, enrollAgent]
