/** The context, events and actions of a build. */
import type { BuildKind, BuildStatus, BuildTrigger } from '../../spec/builds/buildEnums.ts'
import { chosenOrigin } from '../../spec/builds/chosenOrigin.ts'
import type { BuildConfigurationContent } from '../../spec/builds/configurationContent.ts'
import type { ServerUrlKind } from '../../spec/builds/serverUrls.ts'
import type { Json } from '../../spec/core/actor.ts'
import { siblingId } from '../../spec/core/ids.ts'
import type { News } from '../../spec/devices/news.ts'
import type { JobOutcome, JobState, Problem } from '../agents/jobActions.ts'
import { notify } from '../devices/notify.ts'
import type { Outcome } from '../framework/act.ts'
import type { Tell } from '../framework/define.ts'
import type { WithIncidents } from '../framework/incident.ts'
import type { Members } from '../framework/members.ts'

/**
 * The time that the agent has to read and store the files of a build after its steps, seconds. A slow line may need days. An agent that is gone,
 * or a file of which no more bytes are stored, ends the build sooner.
 */
const collectingSeconds = 7 * 24 * 3_600

export type BuildServerUrls = {
  readonly kind: ServerUrlKind
  readonly local: string
  readonly remote: string
  /** Null if there is no proxy. */
  readonly proxy: string | null
}

/** The conditions under which a build gets a slot of its worktree. */
export type BuildSlot = {
  /** `worktreeConcurrencyLimit`. 0 is no limit. */
  readonly limit: number
  readonly exclusive: boolean
  /** The run that has requested the build, and the runs above it, the topmost first. */
  readonly above: readonly string[]
}

export type BuildInit = {
  readonly buildConfigurationId: string
  readonly configurationVersion: number
  /** The content of that version. */
  readonly content: BuildConfigurationContent
  /** Builds from before there were kinds have none: they are of the kind BUILD. */
  readonly kind?: BuildKind
  readonly trigger: BuildTrigger
  readonly repositoryId: string
  /** The canonical name of the repository, as it was when the build was started. */
  readonly repository: string
  readonly codebaseId: string
  readonly codebasePath: string
  readonly worktreeId: string
  readonly worktreePath: string
  readonly agentId: string
  /** The branch, tag or commit of the request. Null: the commit of the worktree. */
  readonly requestedCommit: string | null
  /** The branch or tag, within which coverage is compared. */
  readonly branch?: string | null
  /** Only of a build of the files of the worktree. Any other builds a commit in a checkout of its own, and needs no slot. */
  readonly slot?: BuildSlot
  /** The origins of the server, and the kind that was chosen. */
  readonly serverUrls: BuildServerUrls
  /** The display number. */
  readonly number: number
  /** The build that this one repeats. */
  readonly rebuildOf: string | null
  /** The step of a workflow's run that requested it, and that follows it. */
  readonly stepId?: string
  /** The delivery of the push that requested it. */
  readonly deliveryId?: string
  /** `principalName` of who asked for it. */
  readonly requestedBy: string
  readonly createdAt: number
}

/** The sums of the coverage of all files. */
export type BuildCoverage = {
  readonly linesCovered: number
  readonly linesTotal: number
  /** Null if no report has branches. */
  readonly branchesCovered: number | null
  readonly branchesTotal: number | null
  readonly fileCount: number
  /** Files that are in the sums, and not in the list. */
  readonly omittedFileCount: number
  /** The last COVERAGE build of the configuration and branch that had succeeded by then. */
  readonly previous: { readonly buildId: string; readonly linesCovered: number; readonly linesTotal: number } | null
}

/** The activity of the agent, after it has accepted the job. */
export type BuildProgress = 'CHECKING_OUT' | 'BUILDING' | 'COLLECTING'

export interface BuildContext extends WithIncidents {
  readonly init: BuildInit
  readonly members: Members
  readonly id: string
  readonly job: {
    /** Whether the job has reported that it exists, so that it can be stopped. */
    readonly ready: boolean
    /** The number of the last change of the job that was applied. */
    readonly step: number
  }
  /** When the queue of the worktree took the build, and when it gave it its slot, ms. Absent until then. */
  readonly queuedAt?: number
  readonly admittedAt?: number
  readonly progress: BuildProgress | null
  /** The full hash of the commit. Null until the agent has found it. */
  readonly commit: string | null
  /** Absent until the agent has reported it. */
  readonly coverage?: BuildCoverage
  readonly times: { readonly started: number | null; readonly ended: number | null }
  readonly problem: Problem | null
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
}

export type Progressed = {
  type: 'progressed'
  at: number
  phase: Exclude<BuildProgress, 'CHECKING_OUT'>
  commit: string
}

type JobEnded = {
  type: 'jobEnded'
  at: number
  jobId: string
  outcome: JobOutcome
  problem: Problem | null
  exit: { code: number | null; signal: string | null } | null
  result: Json
}

export type BuildEvent =
  | { type: 'placed'; at: number; queuedAt: number }
  | { type: 'admit'; at: number; queuedAt: number }
  | { type: 'agentRevoked'; at: number }
  | { type: 'terminate'; at: number; code: string; message: string }
  | { type: 'jobReady'; at: number; jobId: string }
  | { type: 'jobChanged'; at: number; jobId: string; step: number; state: JobState }
  | Progressed
  | ({ type: 'covered'; at: number } & BuildCoverage)
  | JobEnded
  | { type: 'cancel'; at: number; code?: string; message?: string }

const ranks: Readonly<Record<BuildProgress, number>> = { CHECKING_OUT: 1, BUILDING: 2, COLLECTING: 3 }

/** Whether the report brings nothing new. Reports may arrive in any order. */
export function isKnownProgress({ progress, commit }: BuildContext, event: Progressed): boolean {
  return commit === event.commit && progress !== null && ranks[progress] >= ranks[event.phase]
}

const jobIdOf = ({ id }: Pick<BuildContext, 'id'>): string => siblingId('job', id)

export const toJob = (context: BuildContext, event: Tell['event']): Tell => ({
  to: { kind: 'job', id: jobIdOf(context) },
  event,
})

const queueOf = ({ init }: BuildContext): string => siblingId('worktreeQueue', init.worktreeId)

const toQueue = (context: BuildContext, event: Tell['event']): Tell => ({
  to: { kind: 'worktreeQueue', id: queueOf(context) },
  event: { ...event, runId: context.id },
})

/** The first transition. A build of the files of the worktree requests an entry in its queue. */
export function begin(context: BuildContext): Outcome<BuildContext> {
  const { slot } = context.init
  if (slot === undefined) return createJob(context)
  const entry = { kind: 'BUILD', ready: true, revision: 0, ...slot }
  return { tell: [toQueue(context, { type: 'enqueue', ...entry })] }
}

/** The queue has given the build its slot. */
export function admit(context: BuildContext, at: number, queuedAt: number): Outcome<BuildContext> {
  return { ...createJob(context), set: { queuedAt, admittedAt: at } }
}

/** Creates the job, which contacts the agent by itself. */
function createJob(context: BuildContext): Outcome<BuildContext> {
  const { init, id } = context
  const { slot } = init
  return {
    tell: [
      {
        ...toJob(context, { type: 'create' }),
        create: {
          kind: 'BUILD',
          agentId: init.agentId,
          owner: { kind: 'build', id },
          queueId: slot === undefined ? null : queueOf(context),
          worktreeId: init.worktreeId,
          topLevel: slot === undefined || slot.above.length === 0,
          onLost: 'FAIL',
          timeoutSeconds: init.content.timeoutSeconds + collectingSeconds,
          createdAt: init.createdAt,
          spec: toSpec(context),
        },
      },
    ],
  }
}

/** The instructions for the agent: `BuildSpec` in `clients/agent/jobs/spec.ts`. */
function toSpec({ id, init }: BuildContext): Json {
  const { kind, content, number, codebasePath, worktreePath, requestedCommit, serverUrls } = init
  const { steps, environment, requirements, timeoutSeconds } = content
  return {
    buildId: id,
    number,
    name: content.name,
    codebasePath,
    worktreePath,
    commit: requestedCommit,
    ...(init.slot === undefined ? {} : { source: 'WORKTREE' }),
    steps,
    env: Object.fromEntries(environment.map(({ name, value }) => [name, value])),
    tools: requirements.tools,
    ...(content.signingAssets?.length ? { signing: true } : {}),
    artifacts: content.artifacts,
    ...(kind === 'COVERAGE' ? { coverageReports: content.coverageReports ?? [] } : {}),
    serverUrls,
    timeoutSeconds,
  }
}

/** The agent has accepted the job. */
export function prepare(context: BuildContext, step: number, at: number): Outcome<BuildContext> {
  return {
    set: {
      job: { ready: true, step },
      progress: context.progress ?? (context.init.slot === undefined ? 'CHECKING_OUT' : 'BUILDING'),
      times: { ...context.times, started: context.times.started ?? at },
    },
  }
}

/** The report comes with a request of its own, so it can arrive before the message that the job was accepted. */
export function note(context: BuildContext, { phase, commit, at }: Progressed): Outcome<BuildContext> {
  const isLater = context.progress === null || ranks[phase] > ranks[context.progress]
  return {
    set: {
      job: { ...context.job, ready: true },
      commit,
      progress: isLater ? phase : context.progress,
      times: { ...context.times, started: context.times.started ?? at },
    },
  }
}

/** The problem of a cancellation is its reason. For any other end, that of the job is more exact. */
export function takeEnd(context: BuildContext, { outcome, problem, exit, result }: JobEnded): Outcome<BuildContext> {
  const shown = outcome === 'CANCELED' ? (context.problem ?? problem) : (problem ?? context.problem)
  return { set: { problem: outcome === 'SUCCEEDED' ? null : shown, exit, commit: commitOf(result) ?? context.commit } }
}

function commitOf(result: Json): string | undefined {
  const { commit } = Object(result) as { readonly commit?: Json }
  return typeof commit === 'string' ? commit : undefined
}

/** The content of notifications about the build. */
export function newsOf({ init }: BuildContext): Omit<News, 'reason' | 'at'> {
  const { content, number, agentId } = init
  return { name: `${content.name} #${number}`, agentId }
}

/** The report to the step of a workflow that the build executes. It is the only one, so its number is 1. */
function toStep(context: BuildContext, status: BuildStatus): readonly Tell[] {
  const { id, init, problem, commit } = context
  if (init.stepId === undefined) return []
  const origin = chosenOrigin(init.serverUrls)
  const outputs = {
    ...{ build_id: id, display_number: String(init.number), status, url: `${origin}/builds/${id}` },
    ...(commit === null ? {} : { commit }),
  }
  const event = { type: 'childChanged', runId: id, status, step: 1, problem, outputs }
  return [{ to: { kind: 'workflowStep', id: init.stepId }, event }]
}

/** If the queue has not answered yet, the build will refuse its answer, and that removes the entry. */
function leaveQueue(context: BuildContext): readonly Tell[] {
  if (context.admittedAt !== undefined) return [toQueue(context, { type: 'ended' })]
  return context.queuedAt === undefined ? [] : [toQueue(context, { type: 'withdraw' })]
}

/** The first transition into a terminal state. */
export function finish(context: BuildContext, status: BuildStatus, at: number): Outcome<BuildContext> {
  return {
    set: { times: { ...context.times, ended: at } },
    tell: [...toStep(context, status), ...leaveQueue(context)],
    effects: [notify({ ...newsOf(context), reason: 'BUILD_ENDED', status, at })],
  }
}
