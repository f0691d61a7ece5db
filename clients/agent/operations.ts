/**
 * The control plane's operations for agents, in the order in which an agent uses them. Their types are those of the declarations in
 * `spec/`. Only types are imported, so that the agent's program does not contain the schemas.
 */
import type * as agentSession from '../../spec/agents/agentSession.ts'
import type * as enrollments from '../../spec/agents/enrollments.ts'
import type * as jobLogs from '../../spec/agents/jobLogs.ts'
import type * as jobs from '../../spec/agents/jobs.ts'
import type * as artifacts from '../../spec/builds/artifacts.ts'
import type * as buildProgress from '../../spec/builds/buildProgress.ts'
import type * as coverage from '../../spec/builds/coverage.ts'
import type * as deploymentProgress from '../../spec/builds/deployments/deploymentProgress.ts'
import type { InputOf, OutputOf } from '../../spec/core/operation.ts'
import type * as skillAgents from '../../spec/work/skills/skillAgents.ts'
import type * as codebaseReports from '../../spec/worktrees/codebaseReports.ts'

type ExportOf<Module> = Module extends unknown ? Module[keyof Module] : never
type Declared = Extract<
  ExportOf<
    | typeof enrollments
    | typeof agentSession
    | typeof jobs
    | typeof jobLogs
    | typeof codebaseReports
    | typeof buildProgress
    | typeof artifacts
    | typeof deploymentProgress
    | typeof coverage
    | typeof skillAgents
  >,
  { readonly name: string; readonly access: unknown }
>
type Name = Declared['name']
type DeclarationOf<N extends Name> = Extract<Declared, { readonly name: N }>
/** Without the epoch, which the connection adds. */
type Input<N extends Name> = Omit<InputOf<DeclarationOf<N>>, 'epoch'>
type Payload<N extends Name> = OutputOf<DeclarationOf<N>>

export type AgentCli = ConnectInput['clis'][number]
export type AgentDestination = NonNullable<HeartbeatInput['destinations']>[number]
export type EnrollPayload = Payload<'enrollAgent'>
export type ConnectInput = Input<'agentConnect'>
export type ConnectPayload = Payload<'agentConnect'>
/** `logSequence` and `eventSequence`: how many chunks and events the control plane has. They are the next numbers to send. */
export type JobDirective = ConnectPayload['jobs'][number]
export type HeartbeatInput = Input<'agentHeartbeat'>
export type Attempt = HeartbeatInput['jobs'][number]
/** The payload of `agentJobOffered`. `deadline` is ignored: the control plane's clock decides, not this machine's. */
export type JobOffer = Payload<'agentJobOffered'>
export type JobKind = JobOffer['kind']
export type AcceptPayload = Payload<'acceptJob'>
export type Attachment = AcceptPayload['attachments'][number]
export type AgentSkill = AcceptPayload['skills'][number]
export type SigningAsset = AcceptPayload['signingAssets'][number]
export type FormerTurns = NonNullable<AcceptPayload['former']>
export type CompleteInput = Input<'completeJob'>
export type LogStream = Input<'appendJobLog'>['chunks'][number]['stream']
export type CodebaseReport = Input<'reportCodebases'>['codebases'][number]
export type WorktreeReport = CodebaseReport['worktrees'][number]

/** A mutation of one field with one input. The connection that sends it adds the epoch. */
export interface Operation<Input, Payload> {
  field: string
  document: string
  /** Always absent. It carries the types. */
  types?: (input: Input) => Payload
}

/** Every field of a payload: `true`, or the fields of its object or objects. */
type Selection<T> = unknown extends T
  ? true
  : NonNullable<T> extends readonly (infer Item)[]
    ? Selection<Item>
    : NonNullable<T> extends object
      ? { [Field in keyof NonNullable<T>]-?: Selection<NonNullable<T>[Field]> }
      : true

function mutation<N extends Name>(field: N, fields: Selection<Payload<N>>): Operation<Input<N>, Payload<N>> {
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}`
  return { field, document: `mutation ${type}($input: ${type}Input!) { ${field}(input: $input)${print(fields)} }` }
}

function print(fields: object | true): string {
  if (fields === true) return ''
  return ` { ${Object.entries(fields)
    .map(([field, inner]) => `${field}${print(inner)}`)
    .join(' ')} }`
}

const receipt = { jobId: true, attempt: true, status: true } as const
const appended = { nextSequence: true } as const

export const enrollAgent = mutation('enrollAgent', { agentId: true, name: true, credential: true, agentWsUrl: true })
export const agentConnect = mutation('agentConnect', {
  agentId: true,
  epoch: true,
  heartbeatSeconds: true,
  jobs: { jobId: true, attempt: true, action: true, logSequence: true, eventSequence: true },
})
export const agentHeartbeat = mutation('agentHeartbeat', { serverTime: true, stop: { jobId: true, attempt: true } })
export const acceptJob = mutation('acceptJob', {
  job: { id: true, attempt: true, kind: true, runId: true, spec: true },
  runToken: true,
  mcpUrl: true,
  attachments: { name: true, contentType: true, size: true, sha256: true, url: true },
  skills: { skillId: true, name: true, version: true, sha256: true, archiveSize: true, url: true },
  signingAssets: {
    signingAssetId: true,
    name: true,
    variable: true,
    kind: true,
    fileName: true,
    dataBase64: true,
    password: true,
    keyAlias: true,
    keyPassword: true,
    keyId: true,
    issuerId: true,
    profileUuid: true,
  },
  file: { name: true, size: true, sha256: true, url: true },
  former: { turns: { prompt: true, answer: true }, omitted: true },
})
export const refuseJob = mutation('refuseJob', receipt)
export const reportJobWaiting = mutation('reportJobWaiting', receipt)
export const reportJobResumed = mutation('reportJobResumed', receipt)
export const reportJobPaused = mutation('reportJobPaused', receipt)
export const reportBuildProgress = mutation('reportBuildProgress', receipt)
export const reportDeploymentProgress = mutation('reportDeploymentProgress', receipt)
export const reportBuildCoverage = mutation('reportBuildCoverage', receipt)
export const createBuildArtifact = mutation('createBuildArtifact', {
  artifactId: true,
  uploadUrl: true,
  uploadStatus: true,
})
export const completeJob = mutation('completeJob', receipt)
export const appendJobLog = mutation('appendJobLog', appended)
export const appendRunEvents = mutation('appendRunEvents', appended)
export const reportCodebases = mutation('reportCodebases', {
  accepted: true,
  refused: { path: true, code: true, message: true },
  refusedCount: true,
})
export const reportAgentSkills = mutation('reportAgentSkills', { outOfScope: { skillId: true, version: true } })
export const rotateAgentCredential = mutation('rotateAgentCredential', { credential: true })

const offer: Selection<JobOffer> = {
  signal: true,
  jobId: true,
  attempt: true,
  kind: true,
  deadline: true,
  graceSeconds: true,
  answerId: true,
  answer: { optionId: true, text: true },
}
export const agentJobOffered = `subscription AgentJobOffered($epoch: Int!) { agentJobOffered(epoch: $epoch)${print(offer)} }`
