/** An agent's operations about itself: connect, heartbeat, rotate the credential. Only agents use their types. */
import * as v from 'valibot'
import { heartbeat, mutation } from '../core/operation.ts'
import { atMost, id, idOf, int, named, text, words } from '../core/types.ts'

export const epoch = v.pipe(int, v.minValue(0))
export const attempt = v.pipe(int, v.minValue(1), v.maxValue(1_000_000))
export const deviceKind = named(
  'DeviceKind',
  'The kind of a device to which builds are deployed.',
  v.picklist(['ANDROID_DEVICE', 'IOS_SIMULATOR', 'IOS_DEVICE']),
)

/** The maximum number of jobs of one agent at the same time. */
const jobsMax = 1_000

export const cliProtocol = named(
  'AgentCliProtocol',
  'The protocol of a coding CLI. ACP: the Agent Client Protocol. PLAIN: a program that gets the prompt as its last argument.',
  v.picklist(['ACP', 'PLAIN']),
)

export const cliSignIn = named(
  'AgentCliSignIn',
  'Whether a coding CLI has a credential on its machine. SIGNED_IN: there is one. Its first use shows whether it is valid. SIGNED_OUT: there is none. UNKNOWN: the agent cannot see it, for example because it would be in a keychain, or does not know the coding CLI.',
  v.picklist(['SIGNED_IN', 'SIGNED_OUT', 'UNKNOWN']),
)

const cli = named(
  'AgentCli',
  'A coding CLI configured on the machine.',
  v.object({
    name: text({ min: 1, max: 100 }),
    protocol: cliProtocol,
    version: v.nullish(text({ max: 100 })),
    healthy: v.boolean(),
    problem: v.nullish(words(500)),
    signIn: v.pipe(
      v.nullish(cliSignIn),
      v.description('Absent if the agent does not know how this coding CLI keeps its credential.'),
    ),
  }),
)
/** The maximum number of coding CLIs of one agent. */
export const clisMax = 20
const clis = v.pipe(v.array(cli), v.maxLength(clisMax))

const destination = named(
  'AgentDestination',
  'A device to which the machine can deploy.',
  v.object({
    kind: deviceKind,
    id: text({ min: 1, max: 200 }),
    name: text({ min: 1, max: 200 }),
    problem: v.pipe(v.nullish(words(500)), v.description('The reason why it cannot be used now.')),
  }),
)
/** The maximum number of devices of one agent. */
export const destinationsMax = 200

const directive = named(
  'AgentJobDirective',
  'The instruction for a job that the agent reported. `logSequence` and `eventSequence` are the next ones to send.',
  v.object({
    jobId: id,
    attempt: int,
    action: named(
      'AgentJobAction',
      'KEEP: continue the job and send the missing log and events. STOP: kill the job and discard it. FORGET: discard the job, which has ended in the control plane.',
      v.picklist(['KEEP', 'STOP', 'FORGET']),
    ),
    logSequence: int,
    eventSequence: int,
  }),
)

const jobState = named(
  'AgentJobState',
  'A job on the agent’s machine, and whether it has ended.',
  v.object({ jobId: idOf('job'), attempt, finished: v.boolean() }),
)

export const agentConnect = mutation({
  name: 'agentConnect',
  description:
    'Opens the agent’s session: the first call on each connection. It describes the machine and the jobs on it.',
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
    'The epoch of the connection, and the instruction for each job.',
    v.object({ agentId: id, epoch: int, heartbeatSeconds: int, jobs: atMost(jobsMax, directive) }),
  ),
})

export const agentHeartbeat = heartbeat({
  name: 'agentHeartbeat',
  description: 'Sends a heartbeat of the agent and renews the leases of its jobs. An agent sends it every 15 s.',
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
    destinations: v.pipe(
      v.nullish(v.pipe(v.array(destination), v.maxLength(destinationsMax))),
      v.description('The devices that the machine has now. Absent if nothing has changed.'),
    ),
  }),
  output: named(
    'AgentHeartbeatPayload',
    'The jobs that no longer belong to this agent. The agent kills and discards them.',
    v.object({
      serverTime: v.string(),
      stop: atMost(
        jobsMax,
        named('AgentJobStop', 'An attempt that the agent must stop.', v.object({ jobId: id, attempt: int })),
      ),
    }),
  ),
})

export const rotateAgentCredential = mutation({
  name: 'rotateAgentCredential',
  description: 'Creates a new credential for the agent. The old credential is valid until the new one is first used.',
  access: 'agents',
  input: v.object({ epoch }),
  output: named(
    'RotateAgentCredentialPayload',
    'The new credential, shown once.',
    v.object({ credential: v.string() }),
  ),
})
