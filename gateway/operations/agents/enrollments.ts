import { createEnrollmentToken, enrollAgent } from '../../../spec/agents/enrollments.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { toDateTime } from '../../../spec/core/types.ts'
import { sha256 } from '../core/hash.ts'
import { requireKind } from '../core/replies.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'

/** The number of seconds for which a token is valid by default. */
const defaultSeconds = 3_600

/**
 * The token is passed in the environment, because all users of the machine can read arguments. The folder and the coding CLIs are for the
 * person to adapt.
 */
function commandFor(base: string, token: string): string {
  const program = 'signalbox-agent.mjs'
  const download = `curl -fsSL ${base}/api/public/agent/${program} -o ${program}`
  return `${download} && SIGNALBOX_TOKEN=${token} node ${program} --server ${base} --root ~/code --cli detect`
}

/**
 * The agent was created or changed after this request had read it: mostly another repeat of the same claim did so. This request must not
 * end the credential that the other one returns, so it is refused, and the agent repeats it.
 */
function explainConflict(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'CONFLICT') return error
  return new Failure(
    'UNAVAILABLE',
    'Another request with this enrollment token was executed at the same time. Repeat the request with the same idempotency key.',
    { retryAfterMs: 1_000 },
  )
}

export const enrollmentHandlers = [
  handle(createEnrollmentToken, ['ids', 'secrets'], {
    translate: ({ name, expiresInSeconds }, { ids, secrets, now, baseUrl, principal }) => {
      const { token, hash } = secrets.newSecret('enroll_')
      const create = {
        tokenHash: hash,
        name: name ?? null,
        requestedBy: principalName(principal),
        createdAt: now,
        expiresAt: now + (expiresInSeconds ?? defaultSeconds) * 1000,
      }
      return {
        messages: [{ to: { kind: 'enrollment', id: ids.newId('enrollment') }, event: { type: 'create' }, create }],
        answer: ([reply]) => {
          if (reply === undefined) throw new Error('a message was not answered')
          const { repeated } = reply
          const row = requireKind('enrollment', reply.row)
          return {
            enrollmentId: row.id,
            token: repeated ? null : token,
            expiresAt: toDateTime(row.init.expiresAt),
            command: repeated ? null : commandFor(baseUrl, token),
          }
        },
      }
    },
  }),
  handle(enrollAgent, ['views', 'actors', 'secrets'], {
    translate: async (input, context) => {
      const { principal, views, now, agentWsUrl } = context
      if (principal.kind !== 'enrollment')
        throw new Failure('FORBIDDEN', 'This operation needs a valid one-time enrollment token.')
      const { enrollmentId } = principal
      const enrollment = await requireRow(views, 'enrollment', enrollmentId)
      const agentId = siblingId('agent', enrollmentId)
      const { token, hash } = context.secrets.newSecret('agent_')
      const known = await context.actors.peek({ kind: 'agent', id: agentId })
      const name = input.name ?? enrollment.init.name ?? input.hostname
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
          ([claimed]) => {
            if (claimed === undefined) return undefined
            return known === undefined
              ? { to, event: { type: 'create' }, create }
              : { to, event: { type: 'recredential', hash }, expectedSequence: known.seq }
          },
        ],
        phases: [1, 1],
        answer: ([, reply], refusals) => {
          for (const error of refusals.values()) throw explainConflict(error)
          return {
            agentId,
            name: reply === undefined ? name : requireKind('agent', reply.row).init.name,
            credential: token,
            agentWsUrl,
          }
        },
      }
    },
  }),
]
