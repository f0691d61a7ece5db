/** What a run keeps, hears and says. */
import type { Json } from '../../spec/core/actor.ts'
import { siblingId } from '../../spec/core/ids.ts'
import type { News } from '../../spec/devices/news.ts'
import type { JobOutcome, JobState, Problem } from '../agents/jobSteps.ts'
import { notify } from '../devices/notify.ts'
import type { Outcome } from '../framework/act.ts'
import type { Tell } from '../framework/define.ts'
import type { WithIncidents } from '../framework/incident.ts'
import type { Members } from '../framework/members.ts'
import type { RunKind } from '../worktrees/admission.ts'

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

/** What a run is made with; texts of any length stand here and nowhere else. */
export type RunInit = {
  readonly kind: RunKind
  /** `displayNumber`, counted by kind. */
  readonly number: number
  readonly title: string
  readonly worktreeId: string
  readonly codebaseId: string
  readonly agentId: string
  /** The plan, session or workflow that it is a run of. */
  readonly ownerId: string
  readonly parentRunId: string | null
  /** Its parent and those above it: a run never waits for them and never cancels them. */
  readonly above: readonly string[]
  readonly limit: number
  readonly exclusive: boolean
  readonly timeoutSeconds: number
  readonly jobKind: 'AI' | 'COMMANDS'
  /** What the agent is to do, by the job kind's own form. */
  readonly spec: Json
  /** Built-in tools by name, of runs from before tools were frozen. */
  readonly mcpToolNames?: readonly string[]
  /** `principalName` of who asked for it. */
  readonly requestedBy: string
  readonly createdAt: number
}

export interface RunContext extends WithIncidents {
  readonly init: RunInit
  /** `question` while it waits for input, `result` at the end: JSON of any size. */
  readonly members: Members
  readonly id: string
  readonly queue: {
    /** Given by the queue, milliseconds since 1970; null until it has taken the run in. */
    readonly queuedAt: number | null
    readonly limit: number
    /** No overlap policy holds it back. */
    readonly ready: boolean
    /** Counts the changes of the two, for the queue. */
    readonly revision: number
  }
  readonly job: {
    /** The job has made itself known, so it can be told to stop. */
    readonly ready: boolean
    /** The last of its changes that counted. */
    readonly step: number
  }
  /** SHA-256 of the run's own token, and when it was issued, ms: the latest counts. */
  readonly token: { readonly hash: string; readonly issuedAt: number } | null
  readonly question: { readonly id: string; readonly answered: boolean } | null
  readonly times: { readonly admitted: number | null; readonly started: number | null; readonly ended: number | null }
  readonly problem: Problem | null
  readonly exit: { readonly code: number | null; readonly signal: string | null } | null
  /** Counts what the owner was told. */
  readonly step: number
}

export type JobChanged = {
  type: 'jobChanged'
  at: number
  jobId: string
  step: number
  state: JobState | 'PAUSED'
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
  | { type: 'configure'; at: number; limit: number }
  | { type: 'jobReady'; at: number; jobId: string }
  | { type: 'tokenIssued'; at: number; hash: string; issuedAt: number }
  | { type: 'answer'; at: number; questionId: string; answer: Json }
  | { type: 'cancel'; at: number; code?: string; message?: string }
  | { type: 'terminate'; at: number; code?: string; message?: string }

export const ownerKind = { PLAN: 'plan', SESSION: 'session', WORKFLOW: 'workflow' } as const

/** One run has one job, and each is found from the other. */
export const jobOfRun = (runId: string): string => siblingId('job', runId)
export const queueOfWorktree = (worktreeId: string): string => siblingId('worktreeQueue', worktreeId)
export const runEventsName = (runId: string): string => `events/${runId}`

export const toJob = (context: RunContext, event: Tell['event']): Tell => ({
  to: { kind: 'job', id: jobOfRun(context.id) },
  event,
})

const toQueue = (context: RunContext, event: Tell['event']): Tell => ({
  to: { kind: 'worktreeQueue', id: queueOfWorktree(context.init.worktreeId) },
  event,
})

const toOwner = (context: RunContext, event: Tell['event']): Tell => ({
  to: { kind: ownerKind[context.init.kind], id: context.init.ownerId },
  event,
})

/** Tells the plan, session or workflow how the run stands, numbered, since the order of arrival is not given. */
export function report(context: RunContext, status: RunStatus, at: number): Outcome<RunContext> {
  const step = context.step + 1
  const { id, init, problem, members } = context
  const result = members.get('result')
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
      }),
    ],
  }
}

function conversationOf(result: Json | undefined): string | null {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return null
  const { conversation } = result as { readonly conversation?: Json }
  return typeof conversation === 'string' ? conversation : null
}

/** The first step: a place in the worktree's queue, and for a workflow's run the word of its overlap policy. */
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
  const said = report(context, 'QUEUED', init.createdAt)
  return { ...said, tell: [place, ...(said.tell ?? [])] }
}

/** What the queue does not know yet: told once it has taken the run in, and at each change after that. */
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

/** Admitted: its job is made, which finds the agent by itself. */
export function start(context: RunContext, at: number, queuedAt: number): Outcome<RunContext> {
  const { init, id, queue, times } = context
  return {
    set: { queue: { ...queue, queuedAt }, times: { ...times, admitted: at } },
    tell: [
      {
        to: { kind: 'job', id: jobOfRun(id) },
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
          spec: init.spec,
        },
      },
    ],
  }
}

/** The job's word is taken where it is newer than the last. */
export function follow(context: RunContext, event: JobChanged): Outcome<RunContext> {
  const members =
    event.state === 'WAITING' ? context.members.with('question', event.question) : context.members.without('question')
  const status = event.state === 'WAITING' ? 'WAITING_FOR_INPUT' : event.state === 'PAUSED' ? 'PAUSED' : 'RUNNING'
  const set = {
    job: { ready: true, step: event.step },
    token: latestToken(context, event.token),
    question: event.state === 'WAITING' && event.questionId !== null ? asked(context, event.questionId) : null,
    members,
    times: { ...context.times, started: context.times.started ?? event.at },
  }
  const said = report(context, status, event.at)
  const asks = set.question !== null && set.question.id !== context.question?.id
  return {
    ...said,
    set: { ...set, ...said.set },
    // An agent that says it again asks nothing new.
    ...(asks ? { effects: [notify({ ...newsOf(context), reason: 'WAITING_FOR_INPUT', at: event.at })] } : {}),
  }
}

/** What people are told of it. */
export function newsOf({ init }: RunContext): Omit<News, 'reason' | 'at'> {
  const { kind, number, title, agentId } = init
  return { name: title, run: { kind, number }, agentId }
}

/** An answer that the job has yet to hear of stays given, however often it says that it waits. */
function asked({ question }: RunContext, id: string): RunContext['question'] {
  return question?.id === id ? question : { id, answered: false }
}

/** What the run says was wrong. Why it was to end is the reason of a cancellation; of any other end the job knows more. */
export function problemAtEnd({ problem }: RunContext, event: JobEnded): Problem | null {
  if (event.outcome === 'SUCCEEDED') return event.problem
  return event.outcome === 'CANCELED' ? (problem ?? event.problem) : (event.problem ?? problem)
}

export function latestToken(context: RunContext, token: RunContext['token']): RunContext['token'] {
  if (token === null) return context.token
  return context.token !== null && context.token.issuedAt >= token.issuedAt ? context.token : token
}

/** The first step in a terminal state: slot, owner and log hear of it. */
export function finish(context: RunContext, status: RunStatus, at: number): Outcome<RunContext> {
  const said = report(context, status, at)
  const tell = [...(said.tell ?? [])]
  if (context.times.admitted !== null) tell.push(toQueue(context, { type: 'ended', runId: context.id }))
  // One that the queue has not answered yet will refuse its place, and that takes it out.
  else if (context.queue.queuedAt !== null) tell.push(toQueue(context, { type: 'withdraw', runId: context.id }))
  return {
    set: {
      ...said.set,
      token: null,
      question: null,
      members: context.members.without('question'),
      times: { ...context.times, ended: at },
    },
    tell,
    effects: [
      { type: 'endStream', params: { stream: runEventsName(context.id), chunks: null, sha256: null } },
      notify({ ...newsOf(context), reason: 'RUN_ENDED', status, at }),
    ],
  }
}
