/**
 * A run of AI work, or of the commands of a workflow, on one worktree. It waits for a slot on the worktree. One job on the worktree's agent
 * executes it, and it ends as that job ends. The worktree's queue manages the slots.
 */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import type { JobOutcome } from '../agents/jobActions.ts'
import { act, actOn, type Situation } from '../framework/act.ts'
import { define, type ForcedTransition, typesOf } from '../framework/define.ts'
import { endedByOperator, forcedProblem } from '../framework/forced.ts'
import {
  countIncidents,
  type IncidentEvent,
  incidentRegion,
  isLastIncident,
  repeatsIncident,
} from '../framework/incident.ts'
import { Members } from '../framework/members.ts'
import type { Refused } from '../framework/refused.ts'
import { addRunPause } from './addPause.ts'
import { continuesInSpec } from './continuesInSpec.ts'
import { measureRun } from './measureRun.ts'
import {
  begin,
  configure,
  finish,
  follow,
  interruptedCode,
  type JobChanged,
  latestToken,
  newsOf,
  notePause,
  problemAtEnd,
  type RunContext,
  type RunEvent,
  type RunStatus,
  reconfigure,
  requestPause,
  start,
  toJob,
} from './runActions.ts'
import { refuseAnswer } from './runAnswers.ts'
import { runDocument } from './runDocument.ts'
import { runMembers } from './runKeys.ts'

/** A started run without output for this long counts as running, ms. */
const startingMs = 5_000
/** The job's own deadline for a cancel is 30 s. This one ends the run if no report of the job's end arrives, ms. */
const cancelingMs = 60_000

/** The problem of a run whose turn was interrupted. */
const interrupted = {
  code: interruptedCode,
  message: 'The turn was interrupted. A follow-up continues the conversation.',
}

type AnyEvent = RunEvent | IncidentEvent | Refused | ForcedTransition
const action = act<RunContext, AnyEvent, AnyEvent>
const on = actOn<RunContext, AnyEvent>()

/** Whether the job's message is newer than the last one that was applied, and reports this state. */
const jobIs =
  (state: JobChanged['state']) =>
  ({ context, event }: Situation<RunContext, AnyEvent>): boolean =>
    event.type === 'jobChanged' && event.step > context.job.step && event.state === state

const jobEnded =
  (outcome: JobOutcome) =>
  ({ event }: Situation<RunContext, AnyEvent>): boolean =>
    event.type === 'jobEnded' && event.outcome === outcome

const ends = (status: RunStatus) =>
  action(({ context, event }) => {
    const problem = forcedProblem(event, 'run', status)
    if (problem === undefined) return finish(context, status, event.at)
    const outcome = finish({ ...context, problem }, status, event.at)
    const forced = { ...outcome, set: { ...outcome.set, problem } }
    // Only a forced end must stop the job here. For every other end the job has received the cancel before, or has ended.
    if (!context.job.ready) return forced
    return { ...forced, tell: [...(forced.tell ?? []), toJob(context, { type: 'cancel' })] }
  })

/** From its admission to its end, the run follows the state of its job. */
const ending = [
  { guard: 'succeeded', target: 'SUCCEEDED', actions: 'takeEnd' },
  { guard: 'failed', target: 'FAILED', actions: 'takeEnd' },
  { guard: 'timedOut', target: 'TIMED_OUT', actions: 'takeEnd' },
  { guard: 'lost', target: 'LOST', actions: 'takeEnd' },
  { target: 'CANCELED', actions: 'takeEnd' },
] as const

const onward = [
  { guard: 'jobWaiting', target: 'WAITING_FOR_INPUT', actions: 'follow' },
  { guard: 'jobPaused', target: 'PAUSED', actions: 'follow' },
  { guard: 'jobStarted', target: 'RUNNING', actions: 'follow' },
] as const

/** The agent may repeat its acceptance while the run waits for input or is paused. The run started long before. */
const goesOn = [{ guard: 'jobAccepted', target: 'RUNNING', actions: 'follow' }, ...onward] as const

/** The states in which processes of the run may exist. */
const startedStates = new Set(['STARTING', 'RUNNING', 'WAITING_FOR_INPUT', 'PAUSED'])

const live = {
  jobReady: { actions: 'noteJob' },
  jobChanged: [{ guard: 'jobAccepted', target: 'STARTING', actions: 'follow' }, ...onward],
  jobEnded: ending,
  tokenIssued: { actions: 'takeToken' },
  cancel: { target: 'CANCELING', actions: ['noteReason', 'stopJob'] },
  interrupt: { target: 'CANCELING', actions: ['noteInterrupted', 'stopJob'] },
  terminate: { target: 'CANCELED', actions: ['noteReason', 'stopJob'] },
} as const

const started = {
  ...live,
  pause: { actions: 'requestPause' },
  resume: { actions: 'requestResume' },
} as const

/** Only the step of the run can pause it before it has started. The pause reaches the job when its agent has accepted it. */
const unstarted = {
  pause: { guard: 'isFromStep', actions: 'notePause' },
  resume: { guard: 'isFromStep', actions: 'noteResume' },
} as const

const machine = setup({
  types: typesOf<RunContext, AnyEvent>(),
  guards: {
    isFromStep: ({ event }) => (event.type === 'pause' || event.type === 'resume') && event.revision !== undefined,
    lastIncident: isLastIncident,
    jobAccepted: jobIs('ACCEPTED'),
    jobWaiting: jobIs('WAITING'),
    jobPaused: jobIs('PAUSED'),
    jobStarted: jobIs('STARTED'),
    succeeded: jobEnded('SUCCEEDED'),
    failed: jobEnded('FAILED'),
    timedOut: jobEnded('TIMED_OUT'),
    lost: jobEnded('LOST'),
    wasInterrupted: ({ context }) => context.problem?.code === interruptedCode,
    noPlace: ({ event }) => event.type === 'refused' && (event.sent === 'enqueue' || event.sent === 'overlapAsked'),
  },
  actions: {
    incidentOpened: countIncidents(1, newsOf),
    incidentClosed: countIncidents(-1),
    begin: action(({ context }) => begin(context)),
    noteJob: action(({ context }) => ({ set: { job: { ...context.job, ready: true } } })),
    follow: on('jobChanged', follow),
    takeToken: on('tokenIssued', (context, { hash, issuedAt }) => ({
      set: { token: latestToken(context, { hash, issuedAt }) },
    })),
    takeEnd: on('jobEnded', (context, event) => ({
      set: {
        problem: problemAtEnd(context, event),
        exit: event.exit,
        members: event.result === null ? context.members : context.members.with(runMembers.result, event.result),
      },
    })),
    noteReason: action(({ event }) => {
      if (event.type !== 'cancel' && event.type !== 'terminate') return {}
      if (event.code !== undefined) return { set: { problem: { code: event.code, message: event.message ?? '' } } }
      // Actors send a code. So a `terminate` without a code comes from an operator.
      return event.type === 'terminate' ? { set: { problem: endedByOperator } } : {}
    }),
    noteInterrupted: action(() => ({ set: { problem: interrupted } })),
    noteCancel: on('cancel', (_, { code, message }) => ({
      set: { problem: code === undefined ? null : { code, message: message ?? '' } },
    })),
    notePause: on('pause', (context, { revision }) => notePause(context, true, revision)),
    noteResume: on('resume', (context, { revision }) => notePause(context, false, revision)),
    requestPause: on('pause', (context, { revision }) => requestPause(context, true, revision)),
    requestResume: on('resume', (context, { revision }) => requestPause(context, false, revision)),
    noteRevoked: action(() => ({ set: { problem: { code: 'AGENT_REVOKED', message: 'The agent was revoked.' } } })),
    noteUnconfirmed: action(() => ({
      set: { problem: { code: 'CANCEL_UNCONFIRMED', message: 'No confirmation arrived that the work has stopped.' } },
    })),
    noteNoPlace: on('refused', (_, { message }) => ({ set: { problem: { code: 'NOT_ADMITTED', message } } })),
    // Before the job has reported that it exists, the run cannot send it a message. The job is stopped when it reports.
    stopJob: action(({ context }) => (context.job.ready ? { tell: [toJob(context, { type: 'cancel' })] } : {})),
    finishSucceeded: ends('SUCCEEDED'),
    finishFailed: ends('FAILED'),
    finishCanceled: ends('CANCELED'),
    finishTimedOut: ends('TIMED_OUT'),
    finishLost: ends('LOST'),
    finishSkipped: ends('SKIPPED'),
  },
}).createMachine({
  id: 'run',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    queue: { queuedAt: null, limit: init.limit, ready: init.kind !== 'WORKFLOW', revision: 0 },
    job: { ready: false, step: 0 },
    token: null,
    question: null,
    pause: { isRequested: false, revision: 0 },
    times: { admitted: null, started: null, ended: null },
    problem: null,
    exit: null,
    step: 0,
    incidents: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'QUEUED',
      entry: 'begin',
      states: {
        QUEUED: {
          meta: {
            label: 'Queued',
            waitsFor: 'a slot of its worktree',
            unbounded: 'the runs before it; `blockedBy` names them',
          },
          on: {
            placed: { actions: act(({ context, event }) => reconfigure(context, { queuedAt: event.queuedAt })) },
            overlapReady: { actions: act(({ context }) => reconfigure(context, { ready: true })) },
            configure: { actions: act(({ context, event }) => configure(context, event)) },
            overlapSkipped: {
              target: 'SKIPPED',
              actions: act(({ event }) => ({ set: { problem: { code: 'OVERLAP', message: event.message } } })),
            },
            admit: {
              target: 'ADMITTED',
              actions: act(({ context, event }) => start(context, event.at, event.queuedAt)),
            },
            ...unstarted,
            cancel: { target: 'CANCELED', actions: 'noteReason' },
            terminate: { target: 'CANCELED', actions: 'noteReason' },
            agentRevoked: { target: 'CANCELED', actions: 'noteRevoked' },
            refused: { guard: 'noPlace', target: 'FAILED', actions: 'noteNoPlace' },
          },
        },
        ADMITTED: {
          meta: {
            label: 'Admitted',
            waitsFor: 'its agent to accept the job',
            unbounded: 'the agent connects, or an operator revokes it',
          },
          on: { ...live, ...unstarted },
        },
        STARTING: {
          meta: { label: 'Starting', waitsFor: 'the first output', expected: startingMs },
          after: {
            [startingMs]: { target: 'RUNNING' },
          },
          on: started,
        },
        RUNNING: {
          meta: { label: 'Running', waitsFor: 'its job to end', lease: "its job's agent" },
          // The agent may repeat its acceptance. That brings a new token and does not start the run again.
          on: { ...started, jobChanged: [{ guard: 'jobAccepted', actions: 'follow' }, ...onward] },
        },
        WAITING_FOR_INPUT: {
          meta: { label: 'Waiting for input', waitsFor: 'a person to answer', unbounded: 'a person answers' },
          on: {
            ...started,
            jobChanged: goesOn,
            answer: {
              actions: act(({ context, event }) => ({
                set: { question: { id: event.questionId, answered: true } },
                tell: [toJob(context, { type: 'answer', questionId: event.questionId, answer: event.answer })],
              })),
            },
          },
        },
        PAUSED: {
          meta: {
            label: 'Paused',
            waitsFor: 'a person to resume it',
            unbounded: 'a person, who may resume it at any time',
          },
          on: { ...started, jobChanged: goesOn },
        },
        CANCELING: {
          meta: { label: 'Canceling', waitsFor: 'the agent to confirm that nothing is left', expected: cancelingMs },
          after: { [cancelingMs]: { target: 'LOST', actions: ['noteUnconfirmed', 'stopJob'] } },
          on: {
            jobReady: { actions: ['noteJob', 'stopJob'] },
            jobEnded: ending,
            tokenIssued: { actions: 'takeToken' },
            // An interruption would let the queued follow-ups of its session start.
            cancel: { guard: 'wasInterrupted', actions: 'noteCancel' },
            terminate: { target: 'CANCELED', actions: ['noteReason', 'stopJob'] },
          },
        },
        SUCCEEDED: { tags: 'terminal', entry: 'finishSucceeded', meta: { label: 'Succeeded' } },
        FAILED: { tags: 'terminal', entry: 'finishFailed', meta: { label: 'Failed' } },
        CANCELED: { tags: 'terminal', entry: 'finishCanceled', meta: { label: 'Canceled' } },
        TIMED_OUT: { tags: 'terminal', entry: 'finishTimedOut', meta: { label: 'Timed out' } },
        LOST: { tags: 'terminal', entry: 'finishLost', meta: { label: 'Lost' } },
        SKIPPED: { tags: 'terminal', entry: 'finishSkipped', meta: { label: 'Skipped' } },
      },
    },
    incident: incidentRegion,
  },
})

const phases: Readonly<Record<string, string>> = {
  ADMITTED: 'WAITING_FOR_AGENT',
  STARTING: 'PREPARING',
  RUNNING: 'EXECUTING',
  WAITING_FOR_INPUT: 'EXECUTING',
  PAUSED: 'EXECUTING',
  CANCELING: 'FINALIZING',
}

export const run = define({
  kind: 'run',
  version: 3,
  migrations: { 1: continuesInSpec, 2: addRunPause },
  machine,
  effects: ['tell', 'endStream', 'notify'],
  columns: ({ value: { lifecycle }, context: { init, queue, token } }) => ({
    phase: lifecycle === 'QUEUED' ? (queue.ready ? 'WAITING_FOR_WORKTREE' : 'WAITING_FOR_OVERLAP') : phases[lifecycle],
    agentId: init.agentId,
    worktreeId: init.worktreeId,
    scopeId: init.ownerId,
    uniqueKey: token?.hash,
    sortAt: queue.queuedAt ?? undefined,
    number: init.number,
  }),
  search: ({ context: { init } }) => runDocument(init),
  searchVersion: 2,
  measure: ({ value: { lifecycle }, context }) => measureRun(lifecycle, context),
  refuse: ({ value: { lifecycle }, context: { init, question, members, pause } }, event) => {
    if (event.type === 'resume' && event.revision === undefined && pause.byStep?.isPaused)
      return new Failure(
        'FAILED_PRECONDITION',
        'The run executes a step of a workflow run that is paused. Resume the workflow run; this one resumes with it.',
        { details: { parentRunId: init.parentRunId } },
      )
    if (event.type === 'interrupt' && init.kind === 'WORKFLOW')
      return new Failure('FAILED_PRECONDITION', 'A run of a workflow has no turn to interrupt. Cancel it.', {
        details: { kind: init.kind },
      })
    if (event.type !== 'answer') return undefined
    if (question === null || question.id !== event.questionId) {
      return new Failure(
        'CONFLICT',
        'The run does not wait for an answer to this question: it was over, or the agent has not reported it yet. Read the question of the run again.',
        {
          details: { questionId: question?.id ?? null },
        },
      )
    }
    if (question.answered) return new Failure('CONFLICT', 'The question was answered already.')
    if (lifecycle === 'PAUSED')
      return new Failure('FAILED_PRECONDITION', 'The run is paused. Resume it, and then answer its question.', {
        details: { state: lifecycle },
      })
    return refuseAnswer(members.get(runMembers.question), event.answer)
  },
  repeats: ({ value: { lifecycle }, context }, event) => {
    if (repeatsIncident(context, event)) return true
    const { token, problem, pause } = context
    switch (event.type) {
      case 'cancel':
      case 'interrupt':
        if (event.type === 'cancel' && lifecycle === 'CANCELING') return problem?.code !== interruptedCode
        return lifecycle === 'CANCELING' || lifecycle === 'CANCELED'
      case 'pause':
      case 'resume':
        if (event.revision !== undefined) return event.revision <= (pause.byStep?.revision ?? 0)
        return startedStates.has(lifecycle) && pause.isRequested === (event.type === 'pause')
      case 'terminate':
        return lifecycle === 'CANCELED'
      case 'agentRevoked':
        return lifecycle === 'CANCELED' && problem?.code === 'AGENT_REVOKED'
      case 'overlapSkipped':
        return lifecycle === 'SKIPPED'
      case 'jobEnded':
        return lifecycle === event.outcome
      case 'tokenIssued':
        return token?.hash === event.hash
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['FAILED', 'CANCELED', 'LOST'],
  operatorEvents: {
    cancel: { label: 'Cancel run' },
    terminate: { label: 'Force-end run' },
  },
})
