/** The control plane's operations for agents, with their types, in the order in which an agent uses them. */

export type JobKind = 'COMMANDS' | 'AI' | 'CREATE_WORKTREE' | 'REMOVE_WORKTREE'
export type JobOutcome = 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'TIMED_OUT'
export type LogStream = 'STDOUT' | 'STDERR' | 'SYSTEM'

export interface Attempt {
  jobId: string
  attempt: number
}

export interface AgentCli {
  name: string
  protocol: 'ACP' | 'PLAIN'
  version?: string | undefined
  healthy: boolean
  problem?: string | undefined
}

export interface EnrollPayload {
  agentId: string
  name: string
  credential: string
  agentWsUrl: string
}

export interface ConnectInput {
  version: string
  hostname: string
  platform: string
  arch: string
  clis: AgentCli[]
  jobs: (Attempt & { finished: boolean })[]
}

/** `logSequence` and `eventSequence`: how many chunks and events the control plane has. They are the next numbers to send. */
export interface JobDirective extends Attempt {
  action: 'KEEP' | 'STOP' | 'FORGET'
  logSequence: number
  eventSequence: number
}

export interface ConnectPayload {
  agentId: string
  epoch: number
  heartbeatSeconds: number
  jobs: JobDirective[]
}

export interface HeartbeatInput {
  load: number
  freeMemoryBytes: number
  jobs: Attempt[]
  clis?: AgentCli[] | undefined
}

/** The payload of `agentJobOffered`. `deadline` is ignored: the control plane's clock decides, not this machine's. */
export interface JobOffer extends Attempt {
  signal: 'OFFER' | 'CANCEL' | 'ANSWER' | 'STOP'
  kind: JobKind
  graceSeconds?: number | null
  answerId?: string | null
  answer?: { optionId: string | null; text: string | null } | null
}

export interface AcceptPayload {
  job: Attempt & { id: string; kind: JobKind; runId?: string | null; spec: unknown }
  runToken?: string | null
  mcpUrl?: string | null
}

export interface CompleteInput extends Attempt {
  outcome: JobOutcome
  exitCode?: number | undefined
  signal?: string | undefined
  errorCode?: string | undefined
  errorMessage?: string | undefined
  processesLeft: number
  logChunks: number
  logSha256: string
  result?: unknown
}

export interface CodebaseReport {
  path: string
  observedOrigin?: string | undefined
  branch?: string | undefined
  headSha?: string | undefined
  upstream?: string | undefined
  ahead?: number | undefined
  behind?: number | undefined
  syncState: 'CLEAN' | 'AHEAD' | 'BEHIND' | 'DIVERGED' | 'NO_UPSTREAM' | 'UNKNOWN'
  availability: 'PRESENT' | 'MISSING'
  statusError?: string | undefined
  lastCheckedAt: string
  lastFetchedAt?: string | undefined
  branches?: string[] | undefined
  branchCount?: number | undefined
  /** All worktrees, or those of one part: after `worktreesAfter`, up to and including `worktreesUpTo`. */
  worktrees: WorktreeReport[]
  worktreesAfter?: string | undefined
  worktreesUpTo?: string | undefined
}

export interface WorktreeReport {
  path: string
  branch?: string | undefined
  headSha?: string | undefined
}

/** A mutation of one field with one input. The connection that sends it adds the epoch. */
export interface Operation<Input, Payload> {
  field: string
  document: string
  /** Always absent. It carries the types. */
  types?: (input: Input) => Payload
}

function mutation<Input, Payload>(field: string, selection: string): Operation<Input, Payload> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}`
  return { field, document: `mutation ${type}($input: ${type}Input!) { ${field}(input: $input) { ${selection} } }` }
}

const receipt = 'jobId attempt status'

export const enrollAgent = mutation<Record<string, unknown>, EnrollPayload>(
  'enrollAgent',
  'agentId name credential agentWsUrl',
)
export const agentConnect = mutation<ConnectInput, ConnectPayload>(
  'agentConnect',
  'agentId epoch heartbeatSeconds jobs { jobId attempt action logSequence eventSequence }',
)
export const agentHeartbeat = mutation<HeartbeatInput, { serverTime: string; stop: Attempt[] }>(
  'agentHeartbeat',
  'serverTime stop { jobId attempt }',
)
export const acceptJob = mutation<Attempt, AcceptPayload>(
  'acceptJob',
  'job { id attempt kind runId spec } runToken mcpUrl',
)
export const refuseJob = mutation<Attempt & { code: string; message: string }, unknown>('refuseJob', receipt)
export const reportJobWaiting = mutation<Attempt & { question: unknown; questionId: string }, unknown>(
  'reportJobWaiting',
  receipt,
)
export const reportJobResumed = mutation<Attempt & { questionId: string }, unknown>('reportJobResumed', receipt)
export const completeJob = mutation<CompleteInput, unknown>('completeJob', receipt)
export const appendJobLog = mutation<
  Attempt & { chunks: { sequence: number; stream: LogStream; dataBase64: string }[] },
  { nextSequence: number }
>('appendJobLog', 'nextSequence')
export const appendRunEvents = mutation<
  Attempt & { events: { sequence: number; type: string; data: unknown }[] },
  { nextSequence: number }
>('appendRunEvents', 'nextSequence')
export const reportCodebases = mutation<
  { codebases: CodebaseReport[] },
  { accepted: number; refused: { path: string; code: string; message: string }[] }
>('reportCodebases', 'accepted refused { path code message }')
export const rotateAgentCredential = mutation<Record<string, never>, { credential: string }>(
  'rotateAgentCredential',
  'credential',
)

export const agentJobOffered =
  'subscription AgentJobOffered($epoch: Int!) { agentJobOffered(epoch: $epoch) { signal jobId attempt kind deadline graceSeconds answerId answer { optionId text } } }'
