/** The part of the control plane's schema that agents use, as the agent's brief gives it. */
export const schemaText = `
enum JobKind { COMMANDS AI CREATE_WORKTREE REMOVE_WORKTREE }
enum JobOutcome { SUCCEEDED FAILED CANCELED TIMED_OUT }
enum JobSignal { OFFER CANCEL ANSWER STOP }
enum LogStream { STDOUT STDERR SYSTEM }
enum AgentJobAction { KEEP STOP FORGET }
scalar JSON
type Query { health: String }
type Mutation {
  enrollAgent(input: EnrollAgentInput!): EnrollAgentPayload!
  agentConnect(input: AgentConnectInput!): AgentConnectPayload!
  agentHeartbeat(input: AgentHeartbeatInput!): AgentHeartbeatPayload!
  acceptJob(input: AcceptJobInput!): AcceptJobPayload!
  refuseJob(input: RefuseJobInput!): JobReceipt!
  reportJobWaiting(input: ReportJobWaitingInput!): JobReceipt!
  reportJobResumed(input: ReportJobResumedInput!): JobReceipt!
  completeJob(input: CompleteJobInput!): JobReceipt!
  appendJobLog(input: AppendJobLogInput!): AppendPayload!
  appendRunEvents(input: AppendRunEventsInput!): AppendPayload!
  reportCodebases(input: ReportCodebasesInput!): ReportCodebasesPayload!
  rotateAgentCredential(input: RotateAgentCredentialInput!): RotateAgentCredentialPayload!
}
type Subscription { agentJobOffered(epoch: Int!): AgentJobOffer! }
input EnrollAgentInput { token: String! hostname: String! name: String platform: String! arch: String! version: String! idempotencyKey: String }
type EnrollAgentPayload { agentId: ID! name: String! credential: String! agentWsUrl: String! }
input AgentJobState { jobId: ID! attempt: Int! finished: Boolean! }
input AgentCli { name: String! protocol: String! version: String healthy: Boolean! problem: String }
input AgentConnectInput { version: String! hostname: String! platform: String! arch: String! clis: [AgentCli!]! jobs: [AgentJobState!]! }
type AgentConnectPayload { agentId: ID! epoch: Int! heartbeatSeconds: Int! jobs: [AgentJobDirective!]! }
type AgentJobDirective { jobId: ID! attempt: Int! action: AgentJobAction! logSequence: Int! eventSequence: Int! }
input AgentHeartbeatInput { epoch: Int! load: Float! freeMemoryBytes: Float! jobs: [AgentJobRef!]! clis: [AgentCli!] }
input AgentJobRef { jobId: ID! attempt: Int! }
type AgentHeartbeatPayload { serverTime: String! stop: [AgentJobStop!]! }
type AgentJobStop { jobId: ID! attempt: Int! }
type AgentJobOffer { signal: JobSignal! jobId: ID! attempt: Int! kind: JobKind! deadline: String graceSeconds: Int answerId: String answer: RunAnswer }
type RunAnswer { optionId: String text: String }
input AcceptJobInput { epoch: Int! jobId: ID! attempt: Int! }
type AcceptJobPayload { job: AgentJob! runToken: String mcpUrl: String }
type AgentJob { id: ID! attempt: Int! kind: JobKind! runId: ID spec: JSON! }
input RefuseJobInput { epoch: Int! jobId: ID! attempt: Int! code: String! message: String! }
input ReportJobWaitingInput { epoch: Int! jobId: ID! attempt: Int! question: JSON! questionId: String! }
input ReportJobResumedInput { epoch: Int! jobId: ID! attempt: Int! questionId: String! }
input CompleteJobInput { epoch: Int! jobId: ID! attempt: Int! outcome: JobOutcome! exitCode: Int signal: String errorCode: String errorMessage: String processesLeft: Int! logChunks: Int! logSha256: String! result: JSON }
type JobReceipt { jobId: ID! attempt: Int! status: String! }
input LogChunkInput { sequence: Int! stream: LogStream! dataBase64: String! }
input AppendJobLogInput { epoch: Int! jobId: ID! attempt: Int! chunks: [LogChunkInput!]! }
type AppendPayload { nextSequence: Int! }
input RunEventInput { sequence: Int! type: String! data: JSON! }
input AppendRunEventsInput { epoch: Int! jobId: ID! attempt: Int! events: [RunEventInput!]! }
input ReportCodebasesInput { epoch: Int! codebases: [CodebaseReport!]! }
input CodebaseReport { path: String! observedOrigin: String branch: String headSha: String upstream: String ahead: Int behind: Int syncState: String! availability: String! statusError: String lastCheckedAt: String! lastFetchedAt: String branches: [String!] branchCount: Int worktrees: [WorktreeReport!]! worktreesAfter: String worktreesUpTo: String }
input WorktreeReport { path: String! branch: String headSha: String }
type ReportCodebasesPayload { accepted: Int! refused: [RefusedReport!]! }
type RefusedReport { path: String! code: String! message: String! }
input RotateAgentCredentialInput { epoch: Int! }
type RotateAgentCredentialPayload { credential: String! }
`
