/** The context, events and actions of a step of a workflow's run. */
import type { Json } from '../../../spec/core/actor.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { readOutputs } from '../../../spec/runs/outputs.ts'
import type { StepDefinition } from '../../../spec/work/workflows/steps.ts'
import type { ApprovalDecision } from '../../../spec/work/workflows/workflowSteps.ts'
import type { JobOutcome, JobState, Problem } from '../../agents/jobActions.ts'
import { notify } from '../../devices/notify.ts'
import type { Outcome } from '../../framework/act.ts'
import type { Tell } from '../../framework/define.ts'
import type { WithIncidents } from '../../framework/incident.ts'
import type { Members } from '../../framework/members.ts'
import { type RequestAnswered, type RequestRefused, requestOperation } from '../../framework/requestOperation.ts'
import type { RunStatus } from '../../runs/runActions.ts'
import { jobIdOf, stepMembers } from './stepKeys.ts'
import type { StepTask } from './stepTask.ts'

/** How a step begins. A step is created when the steps that it needs have ended. */
export type StepBeginning =
  | { readonly type: 'start'; readonly task: StepTask }
  | { readonly type: 'skip'; readonly problem: Problem }
  | { readonly type: 'fail'; readonly problem: Problem }
  /** It has the outputs of a step of an earlier run. */
  | { readonly type: 'reuse'; readonly stepId: string; readonly outputs: Readonly<Record<string, string>> }

/** The run that the step belongs to, and its worktree. */
export type StepPlace = {
  readonly runId: string
  /** The display number and the title of the run. */
  readonly number: number
  readonly title: string
  readonly worktreeId: string
  readonly worktreePath: string
  readonly codebaseId: string
  readonly agentId: string
  /** The run and the runs above it, the topmost first. The step shares the slot of the nearest that holds one. */
  readonly above: readonly string[]
}

export type StepInit = {
  readonly place: StepPlace
  readonly name: string
  readonly stepTitle: string
  readonly kind: StepDefinition['kind']
  readonly retry: StepDefinition['retry']
  /** The time limit of an attempt. */
  readonly timeoutSeconds: number
  readonly begin: StepBeginning
  readonly createdAt: number
}

export type StepEnd = JobOutcome | 'SKIPPED'

/** DEADLOCK: its run waits for a run that waits for it. */
export type Ending = 'CANCEL' | 'TIMEOUT' | 'DEADLOCK'

export interface StepContext extends WithIncidents {
  readonly init: StepInit
  /** stepKeys.ts lists them. */
  readonly members: Members
  readonly id: string
  /** The number of the attempt, from 1. 0 if it was never started. */
  readonly attempt: number
  /** The number of reports to the execution, which puts them in order by it. */
  readonly step: number
  /** Whether the queue of the worktree has admitted it. */
  readonly isAdmitted: boolean
  /** The job of the last attempt of a COMMAND. */
  readonly job: { readonly ready: boolean; readonly step: number }
  /**
   * The child of the last attempt, which is the run of an AI or WORKFLOW step or the build of a BUILD step, the number of its last report, and
   * the children of earlier attempts.
   */
  readonly child: {
    readonly runId: string | null
    readonly step: number
    /** Absent until the first report. */
    readonly status?: RunStatus
    readonly former: readonly string[]
  }
  readonly pause: { readonly isRequested: boolean; readonly revision: number }
  readonly approval: {
    readonly decision: ApprovalDecision
    readonly by: string
    readonly comment: string | null
  } | null
  /** The reason for which it is ended early. */
  readonly ending: Ending | null
  readonly problem: Problem | null
  readonly times: { readonly started: number | null; readonly ended: number | null }
}

type JobChanged = { type: 'jobChanged'; at: number; jobId: string; step: number; state: JobState }
type JobEnded = {
  type: 'jobEnded'
  at: number
  jobId: string
  outcome: JobOutcome
  problem: Problem | null
  result: Json
}
export type ChildChanged = {
  type: 'childChanged'
  at: number
  /** The ID of the run, or of the build. */
  runId: string
  status: RunStatus
  step: number
  problem: Problem | null
  outputs: Readonly<Record<string, string>>
}

export type StepEvent =
  | { type: 'cancel'; at: number; code?: string; message?: string }
  | { type: 'setPaused'; at: number; isPaused: boolean; revision: number }
  | { type: 'placed'; at: number; queuedAt: number }
  | { type: 'admit'; at: number; queuedAt: number }
  | { type: 'terminate'; at: number; code?: string; message?: string }
  | { type: 'agentRevoked'; at: number }
  | { type: 'jobReady'; at: number; jobId: string }
  | JobChanged
  | JobEnded
  | ChildChanged
  | RequestAnswered
  | RequestRefused
  | { type: 'deadlockFound'; at: number; runId: string; runIds: readonly string[] }
  | { type: 'decide'; at: number; decision: ApprovalDecision; by: string; comment: string | null }

/** The reported state of a step that has not ended. */
export type StepActivity = 'ACTIVE' | 'WAITING' | 'PAUSED'

export const taskOf = ({ members }: StepContext): StepTask | undefined =>
  members.get(stepMembers.task) as StepTask | undefined

const toJob = ({ id, attempt }: StepContext, event: Tell['event']): Tell => ({
  to: { kind: 'job', id: jobIdOf(id, attempt) },
  event,
})

const toQueue = ({ init, id }: StepContext, event: Tell['event']): Tell => ({
  to: { kind: 'worktreeQueue', id: siblingId('worktreeQueue', init.place.worktreeId) },
  event: { ...event, runId: id },
})

function report(
  context: StepContext,
  status: StepActivity | StepEnd,
  outputs: Readonly<Record<string, string>> = {},
): Outcome<StepContext> {
  const step = context.step + 1
  const { init, problem } = context
  const event = { type: 'stepChanged', name: init.name, status, step, problem, outputs }
  const to = { kind: 'workflowExecution', id: siblingId('workflowExecution', init.place.runId) } as const
  return { set: { step }, tell: [{ to, event }] }
}

/** Adds changes and messages to an outcome. */
function also(outcome: Outcome<StepContext>, more: Outcome<StepContext>): Outcome<StepContext> {
  return {
    set: { ...outcome.set, ...more.set },
    tell: [...(outcome.tell ?? []), ...(more.tell ?? [])],
    effects: [...(outcome.effects ?? []), ...(more.effects ?? [])],
  }
}

/** A COMMAND enters the queue of the worktree, where it shares the slot of its run. */
export function enqueue(context: StepContext, at: number): Outcome<StepContext> {
  const entry = {
    kind: 'WORKFLOW',
    limit: 0,
    exclusive: false,
    ready: true,
    revision: 0,
    above: context.init.place.above,
  }
  const set = { times: { ...context.times, started: at } }
  return also(report(context, 'ACTIVE'), { set, tell: [toQueue(context, { type: 'enqueue', ...entry })] })
}

/** Creates the job of the next attempt of a COMMAND. */
export function startJob(context: StepContext, at: number): Outcome<StepContext> {
  const task = taskOf(context)
  if (task?.kind !== 'COMMAND') return {}
  const next = { ...context, attempt: context.attempt + 1, job: { ready: false, step: 0 }, problem: null }
  const { init, id } = next
  const { place, stepTitle: name, timeoutSeconds } = init
  const create = {
    kind: 'COMMANDS',
    agentId: place.agentId,
    owner: { kind: 'workflowStep', id },
    queueId: siblingId('worktreeQueue', place.worktreeId),
    worktreeId: place.worktreeId,
    topLevel: false,
    onLost: 'FAIL',
    timeoutSeconds,
    createdAt: at,
    spec: {
      worktreePath: place.worktreePath,
      steps: [{ name, command: task.script }],
      env: task.env,
      timeoutSeconds,
    },
  }
  return {
    set: { isAdmitted: true, attempt: next.attempt, job: next.job, problem: null },
    tell: [{ ...toJob(next, { type: 'create' }), create }],
  }
}

/** Requests the run of the next attempt of an AI or WORKFLOW step, or the build of a BUILD step. */
export function requestRun(context: StepContext, at: number): Outcome<StepContext> {
  const task = taskOf(context)
  const attempt = context.attempt + 1
  const set = {
    attempt,
    child: { runId: null, step: 0, former: formerRuns(context.child) },
    problem: null,
    ending: null,
    times: { ...context.times, started: context.times.started ?? at },
    // A build that has failed has outputs too. They are not those of the next one.
    members: context.members.without(stepMembers.outputs),
  }
  const operation = requestedOperation(context, task)
  if (operation === undefined) return { set }
  const effect = requestOperation({ ...operation, as: context.init.place.runId, request: attempt, at })
  return also(report(context, 'ACTIVE'), { set, effects: [effect] })
}

const formerRuns = ({ runId, former }: StepContext['child']): readonly string[] =>
  runId === null ? former : [...former, runId]

function requestedOperation({ init }: StepContext, task: StepTask | undefined) {
  const { place, stepTitle, timeoutSeconds } = init
  if (task?.kind === 'WORKFLOW') {
    const { workflowId, inputs, worktreeId } = task
    return { operation: 'startWorkflow', input: { workflowId, inputs, worktreeId: worktreeId ?? place.worktreeId } }
  }
  if (task?.kind === 'BUILD') {
    const { kind: _, buildKind: kind, worktreeId, ...options } = task
    const input = { ...options, kind, worktreeId: worktreeId ?? place.worktreeId }
    return { operation: 'startBuild', input }
  }
  if (task?.kind !== 'AI') return undefined
  const { runKind: kind, prompt, cli, model, permissionPolicy, mcpPresetIds, worktreeId } = task
  const configuration = { model, permissionPolicy }
  const title = `${place.title}: ${stepTitle}`.slice(0, 200)
  const input = { kind, task: { prompt }, cli, configuration, mcpPresetIds, title, timeoutSeconds }
  return { operation: 'createAgentRun', input: { ...input, worktreeId: worktreeId ?? place.worktreeId } }
}

/** A person is asked to decide. */
export function askPerson(context: StepContext, at: number): Outcome<StepContext> {
  const { place, stepTitle } = context.init
  const news = {
    reason: 'WAITING_FOR_INPUT',
    at,
    name: `${place.title}: ${stepTitle}`,
    run: { kind: 'WORKFLOW', number: place.number },
    agentId: place.agentId,
  } as const
  const set = { attempt: 1, times: { ...context.times, started: at } }
  return also(report(context, 'WAITING'), { set, effects: [notify(news)] })
}

/** The run or the build has been created. It may have been requested to end, or to pause, in the meantime. */
export function takeRun(context: StepContext, answer: Json): Outcome<StepContext> {
  const { run, build } = Object(answer) as Readonly<Record<'run' | 'build', { readonly id: string } | undefined>>
  const created = run ?? build
  if (created === undefined || context.child.runId !== null) return {}
  return greetRun({ ...context, child: { ...context.child, runId: created.id } })
}

function greetRun(context: StepContext): Outcome<StepContext> {
  const { child, pause, ending } = context
  const tell =
    ending !== null
      ? [toChild(context, { type: 'cancel' })]
      : pause.isRequested && !isBuild(context)
        ? [toChild(context, { type: 'pause', revision: pause.revision })]
        : []
  return { set: { child }, tell: tell.flat() }
}

const isBuild = ({ init }: StepContext): boolean => init.kind === 'BUILD'

const toChild = (context: StepContext, event: Tell['event']): readonly Tell[] => {
  const { runId: id } = context.child
  return id === null ? [] : [{ to: { kind: isBuild(context) ? 'build' : 'run', id }, event }]
}

/** The first report of the run may arrive before the answer to its request. */
export function followRun(context: StepContext, event: ChildChanged): Outcome<StepContext> {
  const { runId, step, status } = event
  const known = { ...context, child: { ...context.child, runId, step, status } }
  const greeted = context.child.runId === null ? greetRun(known) : { set: { child: known.child } }
  return also(greeted, report(known, activityOf(status)))
}

const activityOf = (status: RunStatus): StepActivity =>
  status === 'WAITING_FOR_INPUT' ? 'WAITING' : status === 'PAUSED' ? 'PAUSED' : 'ACTIVE'

export function followJob(context: StepContext, { step, state }: JobChanged): Outcome<StepContext> {
  const set = { job: { ready: true, step } }
  const { pause } = context
  // A job that its agent had not accepted could not be paused. If it is paused already, this is a repeat.
  const tell = pause.isRequested && state !== 'PAUSED' ? [toJob(context, setPaused(pause))] : []
  return also({ set, tell }, report(context, state === 'PAUSED' ? 'PAUSED' : 'ACTIVE'))
}

/** The job exists, so that messages to it arrive. */
export function greetJob(context: StepContext): Outcome<StepContext> {
  const { pause, job, ending } = context
  const set = { job: { ...job, ready: true } }
  if (ending !== null) return { set, tell: [toJob(context, { type: 'cancel' })] }
  return pause.isRequested ? { set, tell: [toJob(context, setPaused(pause))] } : { set }
}

const setPaused = ({ isRequested, revision }: StepContext['pause']) => ({
  type: 'setPaused',
  isPaused: isRequested,
  revision,
})

export function applyPause(context: StepContext, isRequested: boolean, revision: number): Outcome<StepContext> {
  const pause = { isRequested, revision }
  const { job } = context
  // A build cannot be paused. The execution is paused when it has ended.
  const child = isBuild(context) ? [] : toChild(context, { type: isRequested ? 'pause' : 'resume', revision })
  return { set: { pause }, tell: [...(job.ready ? [toJob(context, setPaused(pause))] : []), ...child] }
}

/** The step has no work that could be paused: it only waits before its next attempt. */
export function reportPause(context: StepContext): Outcome<StepContext> {
  return report(context, context.pause.isRequested ? 'PAUSED' : 'ACTIVE')
}

/** Checks whether the run, which is still queued, waits for a run that waits for it. */
export function checkWait({ child }: StepContext): Outcome<StepContext> {
  return { effects: [{ type: 'findDeadlock', params: { runId: child.runId } }] }
}

/** The number of runs that the problem of a deadlock names. */
const namedMax = 5

/** The run of the step gives way, so that the other runs of the circle continue. */
export function endDeadlock(context: StepContext, runIds: readonly string[]): Outcome<StepContext> {
  const named = runIds.slice(0, namedMax).join(', ')
  const more = runIds.length > namedMax ? ` and ${runIds.length - namedMax} more` : ''
  const message = `These runs wait for each other's slots, so the run of the step was canceled: ${named}${more}.`
  const problem = { code: 'DEADLOCK', message }
  return { set: { ending: 'DEADLOCK', problem }, tell: toChild(context, { type: 'cancel', ...problem }) }
}

/** Asks the job, the run or the build to end. */
export function stopWork(context: StepContext, ending: Ending): Outcome<StepContext> {
  const job = context.job.ready ? [toJob(context, { type: 'cancel' })] : []
  return { set: { ending }, tell: [...job, ...toChild(context, { type: 'cancel' })] }
}

/** The first transition into a final state. A COMMAND leaves the queue, and its slot is free when all of its jobs have settled. */
export function finishStep(context: StepContext, status: StepEnd, at: number): Outcome<StepContext> {
  const { init, isAdmitted, attempt, times } = context
  const outputs = (context.members.get(stepMembers.outputs) ?? {}) as Readonly<Record<string, string>>
  const isQueued = init.kind === 'COMMAND' && times.started !== null
  const left = isAdmitted ? { type: 'ended', jobs: attempt } : { type: 'withdraw' }
  return also(report(context, status, outputs), {
    set: { times: { ...times, ended: at } },
    tell: isQueued ? [toQueue(context, left)] : [],
  })
}

export function withOutputs(context: StepContext, outputs: Readonly<Record<string, string>>): Outcome<StepContext> {
  return { set: { members: context.members.with(stepMembers.outputs, outputs) } }
}

export function takeJobEnd(context: StepContext, { outcome, problem, result }: JobEnded): Outcome<StepContext> {
  const set = { problem: outcome === 'CANCELED' ? (context.problem ?? problem) : problem }
  const outputs = readOutputs(result)
  return outcome === 'SUCCEEDED' ? also({ set }, withOutputs(context, outputs)) : { set }
}

export function takeRunEnd(context: StepContext, event: ChildChanged): Outcome<StepContext> {
  const { runId, step, status, outputs } = event
  const problem = status === 'SKIPPED' ? childSkipped : event.problem && { ...event.problem }
  const set = {
    child: { ...context.child, runId, step },
    problem: status === 'CANCELED' ? (context.problem ?? problem) : problem,
  }
  if (isBuild(context)) return also({ set }, withOutputs(context, outputs))
  return status === 'SUCCEEDED' ? also({ set }, withOutputs(context, { ...outputs, run_id: runId })) : { set }
}

const childSkipped: Problem = {
  code: 'CHILD_SKIPPED',
  message: 'The overlap policy of the workflow skipped the run of the step, because another of its runs is active.',
}

/** The delay before the next attempt, ms. */
export function retryDelayMs({ init, attempt }: StepContext): number {
  const { delaySeconds } = init.retry
  return Math.min(delaySeconds * 2 ** Math.max(0, attempt - 1), 3_600) * 1_000
}
