/** The context, events and actions of a run. */
import type { ActorRef, Json } from '../../spec/core/actor.ts'
import { siblingId } from '../../spec/core/ids.ts'
import type { News } from '../../spec/devices/news.ts'
import { readAttachmentIds } from '../../spec/runs/attachments.ts'
import {
  type CliOptionChanges,
  type CliOptions,
  changeCliOptions,
  cliOptionsOf,
  withCliOptions,
} from '../../spec/runs/cliOptions.ts'
import { outputCharactersMax, readOutputs } from '../../spec/runs/outputs.ts'
import { readUsage } from '../../spec/runs/usageTotals.ts'
import type { JobOutcome, JobState, Problem } from '../agents/jobActions.ts'
import { notify } from '../devices/notify.ts'
import type { Outcome } from '../framework/act.ts'
import type { Tell } from '../framework/define.ts'
import type { WithIncidents } from '../framework/incident.ts'
import type { Members } from '../framework/members.ts'
import type { RunKind } from '../worktrees/admission.ts'
import { attachAll } from './runAttachment.ts'
import { runEventStream, runMembers } from './runKeys.ts'

/** The problem code of a run that was interrupted, not canceled: its session continues. */
export const interruptedCode = 'INTERRUPTED'

export type RunStatus =
  | 'QUEUED'
  | 'ADMITTED'
  | 'STARTING'
  | 'RUNNING'
  | 'WAITING_FOR_INPUT'
  | 'PAUSED'
  | 'CANCELING'
  | 'SKIPPED'
  | JobOutcome

const over: ReadonlySet<RunStatus> = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])

export const isOver = (status: RunStatus): boolean => over.has(status)

/** The version of a command that a run uses. */
export type CommandUse = { readonly id: string; readonly name: string; readonly version: number }

/** The names of the place of a run when it was created, by which the list of runs finds it. */
export type RunPlace = { readonly agent: string; readonly branch: string | null; readonly repository: string | null }

/** The values that a run is created with. Texts of any length are stored only here. */
export type RunInit = {
  readonly kind: RunKind
  /** `displayNumber`. Each kind of run has its own count. */
  readonly number: number
  readonly title: string
  readonly worktreeId: string
  readonly codebaseId: string
  readonly agentId: string
  /** The plan, session or workflow to which the run belongs. */
  readonly ownerId: string
  /** Runs of earlier versions have none. */
  readonly place?: RunPlace
  readonly parentRunId: string | null
  /** Its parent and the runs above that. The run never waits for these and never cancels them. */
  readonly above: readonly string[]
  readonly limit: number
  readonly exclusive: boolean
  readonly timeoutSeconds: number
  /** The kind of the job that executes the run, or STEPS for the steps of a workflow. */
  readonly jobKind: 'AI' | 'COMMANDS' | 'STEPS'
  /** The instructions for the agent, in the form of the job's kind. */
  readonly spec: Json
  /** Built-in tools by name, of runs from before tools were frozen. */
  readonly mcpToolNames?: readonly string[]
  /** False if the run certainly gets no tools. */
  readonly hasTools?: boolean
  /** `principalName` of who asked for it. */
  readonly requestedBy: string
  /** The step of a workflow's run that this run executes. */
  readonly stepId?: string
  /** The run that has made the schedule that started this run, which has at most the authority of that run. */
  readonly restrictedBy?: string
  /** The ended run whose input this run repeats. */
  readonly retryOf?: string
  /** The command that created the run, or the run that this one repeats. */
  readonly ofCommand?: CommandUse
  readonly createdAt: number
}

export interface RunContext extends WithIncidents {
  readonly init: RunInit
  /** `question` while it waits for input, `result` at the end: JSON of any size. */
  readonly members: Members
  readonly id: string
  readonly queue: {
    /** Milliseconds since 1970. The queue sets it when it adds the run. Null until then. */
    readonly queuedAt: number | null
    readonly limit: number
    /** Whether no overlap policy delays the run. */
    readonly ready: boolean
    /** Counts the changes of `limit` and `ready`, for the queue. */
    readonly revision: number
  }
  readonly job: {
    /** Whether the job has reported that it exists, so that it can be stopped. */
    readonly ready: boolean
    /** The number of the last change of the job that was applied. */
    readonly step: number
  }
  /** SHA-256 of the run's own token, and when it was issued, ms. The latest one is valid. */
  readonly token: { readonly hash: string; readonly issuedAt: number } | null
  readonly question: { readonly id: string; readonly answered: boolean } | null
  /** Replace the options in `init.spec`, if the run was configured while it was queued. */
  readonly options?: CliOptions
  readonly pause: {
    /** Whether the run was asked to pause. It is PAUSED when its agent has confirmed that. */
    readonly isRequested: boolean
    /** Counts the requests, because messages to the job may arrive in any order. */
    readonly revision: number
    /** The last request of the step that the run executes. The step numbers its requests. */
    readonly byStep?: { readonly isPaused: boolean; readonly revision: number }
  }
  readonly times: { readonly admitted: number | null; readonly started: number | null; readonly ended: number | null }
  readonly problem: Problem | null
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
  /** The number of messages that the owner was sent. */
  readonly step: number
}

export type JobChanged = {
  type: 'jobChanged'
  at: number
  jobId: string
  step: number
  state: JobState
  token: { hash: string; issuedAt: number } | null
  questionId: string | null
  question: Json
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

export type RunEvent =
  | JobChanged
  | JobEnded
  | { type: 'placed'; at: number; queuedAt: number }
  | { type: 'admit'; at: number; queuedAt: number }
  | { type: 'agentRevoked'; at: number }
  | { type: 'overlapReady'; at: number }
  | { type: 'overlapSkipped'; at: number; message: string }
  | { type: 'configure'; at: number; limit?: number; changes?: CliOptionChanges }
  | { type: 'jobReady'; at: number; jobId: string }
  | { type: 'tokenIssued'; at: number; hash: string; issuedAt: number }
  | { type: 'answer'; at: number; questionId: string; answer: Json }
  /** The step that the run executes sends the number of its request. A person sends none. */
  | { type: 'pause'; at: number; revision?: number }
  | { type: 'resume'; at: number; revision?: number }
  | { type: 'interrupt'; at: number }
  | { type: 'cancel'; at: number; code?: string; message?: string }
  | { type: 'terminate'; at: number; code?: string; message?: string }

const ownerKind = { PLAN: 'plan', SESSION: 'session', WORKFLOW: 'workflow' } as const

/** The job or the workflow execution of the run. The ID of each can be derived from the ID of the other. */
const workerOf = ({ id, init }: RunContext): ActorRef<'job' | 'workflowExecution'> => {
  const kind = init.jobKind === 'STEPS' ? 'workflowExecution' : 'job'
  return { kind, id: siblingId(kind, id) }
}
const queueOfWorktree = (worktreeId: string): string => siblingId('worktreeQueue', worktreeId)

export const toJob = (context: RunContext, event: Tell['event']): Tell => ({ to: workerOf(context), event })

const toQueue = (context: RunContext, event: Tell['event']): Tell => ({
  to: { kind: 'worktreeQueue', id: queueOfWorktree(context.init.worktreeId) },
  event,
})

const toOwner = (context: RunContext, event: Tell['event']): Tell => ({
  to: { kind: ownerKind[context.init.kind], id: context.init.ownerId },
  event,
})

/** The report to the step of a workflow that this run executes. */
function toStep({ id, init, problem, members }: RunContext, status: RunStatus, step: number): readonly Tell[] {
  if (init.stepId === undefined) return []
  const outputs = isOver(status) ? outputsOf(init, members.get(runMembers.result)) : {}
  const event = { type: 'childChanged', runId: id, status, step, problem, outputs }
  return [{ to: { kind: 'workflowStep', id: init.stepId }, event }]
}

/** The outputs that later steps can use. */
function outputsOf({ kind, ownerId }: RunInit, result: Json | undefined): Readonly<Record<string, string>> {
  if (kind === 'WORKFLOW') return readOutputs(result)
  const { text } = Object(result) as { readonly text?: Json }
  const owner = kind === 'PLAN' ? { plan_id: ownerId } : { session_id: ownerId }
  return { ...owner, text: typeof text === 'string' ? text.slice(0, outputCharactersMax) : '' }
}

/** Reports the run's status to its owner and to its step. The reports are numbered, because they may arrive in any order. */
function report(context: RunContext, status: RunStatus, at: number): Outcome<RunContext> {
  const step = context.step + 1
  const { id, init, problem, members } = context
  const result = members.get(runMembers.result)
  return {
    set: { step },
    tell: [
      toOwner(context, {
        type: 'runChanged',
        runId: id,
        number: init.number,
        status,
        step,
        changedAt: at,
        problem,
        conversation: conversationOf(result),
        usage: readUsage(result),
        isAnswered: hasText(result),
      }),
      ...toStep(context, status, step),
    ],
  }
}

function hasText(result: Json | undefined): boolean {
  const { text } = Object(result) as { readonly text?: Json }
  return typeof text === 'string' && text.trim() !== ''
}

function conversationOf(result: Json | undefined): string | null {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return null
  const { conversation } = result as { readonly conversation?: Json }
  return typeof conversation === 'string' ? conversation : null
}

/** The first transition. It requests an entry in the worktree's queue, and for a workflow's run the verdict of the overlap policy. */
export function begin(context: RunContext): Outcome<RunContext> {
  const { id, init, queue } = context
  const place = toQueue(context, {
    type: 'enqueue',
    runId: id,
    kind: init.kind,
    limit: queue.limit,
    exclusive: init.exclusive,
    ready: queue.ready,
    revision: queue.revision,
    above: init.above,
  })
  if (init.kind === 'WORKFLOW') return { tell: [place, toOwner(context, { type: 'overlapAsked', runId: id })] }
  const reported = report(context, 'QUEUED', init.createdAt)
  return { ...reported, tell: [place, ...(reported.tell ?? []), ...attachAll(id, readAttachmentIds(init.spec))] }
}

/** Sends the queue the values that it does not have yet: once after it has added the run, and then at each change. */
export function reconfigure(context: RunContext, change: Partial<RunContext['queue']>): Outcome<RunContext> {
  const queue = { ...context.queue, ...change }
  const changed = queue.limit !== context.queue.limit || queue.ready !== context.queue.ready
  if (changed) queue.revision += 1
  const unknown = queue.queuedAt !== null && queue.revision > 0
  if (!unknown) return { set: { queue } }
  const { limit, ready, revision } = queue
  const { above } = context.init
  return {
    set: { queue },
    tell: [toQueue(context, { type: 'configure', runId: context.id, limit, ready, revision, above })],
  }
}

/** Changes the configuration of a queued run. Absent values do not change it. */
export function configure(
  context: RunContext,
  { limit, changes }: { readonly limit?: number; readonly changes?: CliOptionChanges },
): Outcome<RunContext> {
  const outcome = limit === undefined ? {} : reconfigure(context, { limit })
  if (changes === undefined) return outcome
  const options = changeCliOptions(context.options ?? cliOptionsOf(context.init.spec), changes)
  return { ...outcome, set: { ...outcome.set, options } }
}

/** Applies an admission: creates the job, which contacts the agent by itself. */
export function start(context: RunContext, at: number, queuedAt: number): Outcome<RunContext> {
  const { init, id, queue, times } = context
  const set = { queue: { ...queue, queuedAt }, times: { ...times, admitted: at } }
  if (init.jobKind === 'STEPS') return { set, tell: [startSteps(context, at)] }
  return {
    set,
    tell: [
      {
        to: workerOf(context),
        event: { type: 'create' },
        create: {
          kind: init.jobKind,
          agentId: init.agentId,
          owner: { kind: 'run', id },
          queueId: queueOfWorktree(init.worktreeId),
          worktreeId: init.worktreeId,
          topLevel: init.parentRunId === null,
          onLost: 'FAIL',
          timeoutSeconds: init.timeoutSeconds,
          createdAt: at,
          spec: withCliOptions(init.spec, context.options),
        },
      },
    ],
  }
}

/** Creates the execution of the workflow's steps. */
function startSteps(context: RunContext, at: number): Tell {
  const { init, id } = context
  const { number, title, worktreeId, codebaseId, agentId, above, spec } = init
  const create = {
    runId: id,
    number,
    title,
    worktreeId,
    codebaseId,
    agentId,
    above: [...above, id],
    spec,
    createdAt: at,
  }
  return { to: workerOf(context), event: { type: 'create' }, create }
}

/** Applies a change of the job. The caller checks that it is newer than the last one. */
export function follow(context: RunContext, event: JobChanged): Outcome<RunContext> {
  const question = questionAfter(context, event)
  const members =
    event.state === 'WAITING'
      ? context.members.with(runMembers.question, event.question)
      : question === null
        ? context.members.without(runMembers.question)
        : context.members
  const status = event.state === 'WAITING' ? 'WAITING_FOR_INPUT' : event.state === 'PAUSED' ? 'PAUSED' : 'RUNNING'
  const set = {
    job: { ready: true, step: event.step },
    token: latestToken(context, event.token),
    question,
    members,
    times: { ...context.times, started: context.times.started ?? event.at },
  }
  const reported = report(context, status, event.at)
  const asks = question !== null && question.id !== context.question?.id
  const { pause } = context
  // A job that its agent had not accepted could not be paused. If it is paused already, this is a repeat.
  const paused = pause.isRequested && event.state !== 'PAUSED' ? [toJob(context, setPaused(pause))] : []
  return {
    ...reported,
    set: { ...set, ...reported.set },
    tell: [...(reported.tell ?? []), ...paused],
    // A repeated question causes no second notification.
    ...(asks ? { effects: [notify({ ...newsOf(context), reason: 'WAITING_FOR_INPUT', at: event.at })] } : {}),
  }
}

/** Notes a request to pause or to resume. @param stepRevision the number of the request, if the run's step has sent it */
export function notePause(
  context: RunContext,
  isRequested: boolean,
  stepRevision?: number,
): { readonly set: Pick<RunContext, 'pause'> } {
  const byStep = stepRevision === undefined ? {} : { byStep: { isPaused: isRequested, revision: stepRevision } }
  return { set: { pause: { ...context.pause, isRequested, revision: context.pause.revision + 1, ...byStep } } }
}

/** Asks the job to stop its processes, or to let them continue. */
export function requestPause(context: RunContext, isRequested: boolean, stepRevision?: number): Outcome<RunContext> {
  const { set } = notePause(context, isRequested, stepRevision)
  return { set, tell: [toJob(context, setPaused(set.pause))] }
}

const setPaused = ({ isRequested, revision }: RunContext['pause']) => ({
  type: 'setPaused',
  isPaused: isRequested,
  revision,
})

/** The content of notifications about the run. */
export function newsOf({ init }: RunContext): Omit<News, 'reason' | 'at'> {
  const { kind, number, title, agentId } = init
  return { name: title, run: { kind, number }, agentId }
}

/**
 * The question after a report of the job. An answer that the job has not received yet stays valid, even if the job reports again that it waits. A
 * pause leaves the question open. One that comes with the pause is reported again after it.
 */
function questionAfter({ question }: RunContext, { state, questionId }: JobChanged): RunContext['question'] {
  if (questionId !== null && question?.id === questionId && (state === 'WAITING' || state === 'PAUSED')) return question
  return questionId !== null && state === 'WAITING' ? { id: questionId, answered: false } : null
}

/**
 * The problem that the run shows at its end. For a cancellation it is the reason of the cancellation. For any other end the job's problem
 * is more exact.
 */
export function problemAtEnd({ problem }: RunContext, event: JobEnded): Problem | null {
  if (event.outcome === 'SUCCEEDED') return event.problem
  return event.outcome === 'CANCELED' ? (problem ?? event.problem) : (event.problem ?? problem)
}

export function latestToken(context: RunContext, token: RunContext['token']): RunContext['token'] {
  if (token === null) return context.token
  return context.token !== null && context.token.issuedAt >= token.issuedAt ? context.token : token
}

/** The first transition into a terminal state. It notifies the queue and the owner, and ends the log. */
export function finish(context: RunContext, status: RunStatus, at: number): Outcome<RunContext> {
  const reported = report(context, status, at)
  const tell = [...(reported.tell ?? [])]
  if (context.times.admitted !== null) tell.push(toQueue(context, { type: 'ended', runId: context.id }))
  // If the queue has not answered yet, the run will refuse its reply, and that removes the entry.
  else if (context.queue.queuedAt !== null) tell.push(toQueue(context, { type: 'withdraw', runId: context.id }))
  return {
    set: {
      ...reported.set,
      token: null,
      question: null,
      members: context.members.without(runMembers.question),
      times: { ...context.times, ended: at },
    },
    tell,
    effects: [
      { type: 'endStream', params: { stream: runEventStream(context.id), chunks: null, sha256: null } },
      notify({ ...newsOf(context), reason: 'RUN_ENDED', status, at }),
    ],
  }
}
