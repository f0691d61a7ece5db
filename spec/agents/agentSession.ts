/** An agent's operations about itself: connect, heartbeat, rotate the credential. They have closed types of their own. */
import * as v from 'valibot'
import { heartbeat, mutation } from '../core/operation.ts'
import { atMost, id, idOf, int, named, text, words } from '../core/types.ts'

export const epoch = v.pipe(int, v.minValue(0))
export const attempt = v.pipe(int, v.minValue(1), v.maxValue(1_000_000))
/** Jobs that one agent can have at the same time. */
const jobsMax = 1_000

export const cliProtocol = named('AgentCliProtocol', 'How it is spoken to.', v.picklist(['ACP', 'PLAIN']))

const cli = named(
  'AgentCli',
  'A coding CLI configured on the machine.',
  v.object({
    name: text({ min: 1, max: 100 }),
    protocol: cliProtocol,
    version: v.nullish(text({ max: 100 })),
    healthy: v.boolean(),
    problem: v.nullish(words(500)),
  }),
)
/** Coding CLIs of one agent, at most. */
export const clisMax = 20
const clis = v.pipe(v.array(cli), v.maxLength(clisMax))

const directive = named(
  'AgentJobDirective',
  'What to do with a job that the agent says it has. The sequences are the next ones to send.',
  v.object({
    jobId: id,
    attempt: int,
    action: named(
      'AgentJobAction',
      'KEEP: go on, and send what is missing. STOP: kill and forget it. FORGET: it is settled here.',
      v.picklist(['KEEP', 'STOP', 'FORGET']),
    ),
    logSequence: int,
    eventSequence: int,
  }),
)

const jobState = named(
  'AgentJobState',
  'A job that the agent has, and whether it came to its end.',
  v.object({ jobId: idOf('job'), attempt, finished: v.boolean() }),
)

export const agentConnect = mutation({
  name: 'agentConnect',
  description: 'The first call on every new connection: what the machine is and what it is still doing.',
  access: 'agents',
  exemptFromCost: true,
  input: v.object({
    version: text({ max: 50 }),
    hostname: text({ min: 1, max: 255 }),
    platform: text({ max: 50 }),
    arch: text({ max: 50 }),
    clis,
    jobs: v.pipe(v.array(jobState), v.maxLength(jobsMax)),
  }),
  output: named(
    'AgentConnectPayload',
    'The epoch of this connection, and what to do with each job.',
    v.object({ agentId: id, epoch: int, heartbeatSeconds: int, jobs: atMost(jobsMax, directive) }),
  ),
})

export const agentHeartbeat = heartbeat({
  name: 'agentHeartbeat',
  description: 'Every 15 s: that the agent lives, and which jobs it runs. Renews their leases.',
  access: 'agents',
  input: v.object({
    epoch,
    load: v.pipe(v.number(), v.finite(), v.minValue(0)),
    freeMemoryBytes: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
    jobs: v.pipe(
      v.array(named('AgentJobRef', 'An attempt at a job.', v.object({ jobId: idOf('job'), attempt }))),
      v.maxLength(jobsMax),
    ),
    clis: v.nullish(clis),
  }),
  output: named(
    'AgentHeartbeatPayload',
    'Jobs that are no longer counted as this agent’s: kill and forget them.',
    v.object({
      serverTime: v.string(),
      stop: atMost(jobsMax, named('AgentJobStop', 'An attempt to be stopped.', v.object({ jobId: id, attempt: int }))),
    }),
  ),
})

export const rotateAgentCredential = mutation({
  name: 'rotateAgentCredential',
  description: 'Gives the agent a new credential. The old one is good until the new one is first used.',
  access: 'agents',
  input: v.object({ epoch }),
  output: named(
    'RotateAgentCredentialPayload',
    'The new credential, shown once.',
    v.object({ credential: v.string() }),
  ),
})
