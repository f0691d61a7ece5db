/**
 * A step of a workflow's run: a command with a job of its own, a prompt or another workflow with a run of its own, a build, or a decision of a
 * person.
 * It is created when the steps that it needs have ended, and reports to the execution of the workflow.
 */
import { setup } from 'xstate'
import { Failure } from '../../../spec/core/failure.ts'
import { act, actOn, type Situation } from '../../framework/act.ts'
import { define, typesOf } from '../../framework/define.ts'
import { forcedProblem } from '../../framework/forced.ts'
import { countIncidents, incidentRegion, isGivenUp, isLastIncident, repeatsIncident } from '../../framework/incident.ts'
import { Members } from '../../framework/members.ts'
import { isOver } from '../../runs/runActions.ts'
import {
  applyPause,
  askPerson,
  checkWait,
  endDeadlock,
  enqueue,
  finishStep,
  followJob,
  followRun,
  greetJob,
  reportPause,
  requestRun,
  retryDelayMs,
  type StepContext,
  type StepEnd,
  startJob,
  stopWork,
  takeJobEnd,
  takeRun,
  takeRunEnd,
  taskOf,
  withOutputs,
} from './stepContext.ts'
import {
  type AnyStepEvent,
  endedByDeadlock,
  endedByTimeout,
  endOf,
  endsAs,
  hasAttempt,
  isOwnRun,
  mayRetry,
} from './stepEnds.ts'
import { jobIdOf, stepMembers } from './stepKeys.ts'

/** A requested run or build that does not exist after this time counts as stuck, ms. */
const startingMs = 60_000
/**
 * The job, the run or the build has a deadline of its own for a cancel. This one ends the step if no report of the end arrives, ms. A step
 * whose request for one has no answer does not end: it must cancel what may be created later.
 */
const cancelingMs = 75_000
/**
 * When it is checked whether the run of the step, if it is still queued, is in a deadlock, ms. The run that is queued last completes the circle,
 * so its first check finds it. The second one is for an installation that is slow.
 */
const waitChecksMs = [10_000, 300_000] as const

const action = act<StepContext, AnyStepEvent, AnyStepEvent>
const on = actOn<StepContext, AnyStepEvent>()

/** The first event of an actor has no time. */
const timeOf = ({ context, event }: Situation<StepContext, { readonly at?: number }>): number =>
  event.at ?? context.init.createdAt

const ends = (status: StepEnd) =>
  action(({ context, event }) => {
    const at = timeOf({ context, event })
    const problem = forcedProblem(event, 'step', status)
    if (problem === undefined) return finishStep(context, status, at)
    const finished = finishStep({ ...context, problem }, status, at)
    const stopped = stopWork(context, 'CANCEL')
    return { ...finished, set: { ...finished.set, problem }, tell: [...(finished.tell ?? []), ...(stopped.tell ?? [])] }
  })

const takeEnd = action(({ context, event }) =>
  event.type === 'jobEnded'
    ? takeJobEnd(context, event)
    : event.type === 'childChanged'
      ? takeRunEnd(context, event)
      : {},
)

const outcomes = [
  { guard: 'mayRetry', target: 'WAITING_TO_RETRY', actions: 'takeEnd' },
  { guard: 'succeeded', target: 'SUCCEEDED', actions: 'takeEnd' },
  { guard: 'failed', target: 'FAILED', actions: 'takeEnd' },
  { guard: 'timedOut', target: 'TIMED_OUT', actions: 'takeEnd' },
  { guard: 'lost', target: 'LOST', actions: 'takeEnd' },
  { guard: 'canceled', target: 'CANCELED', actions: 'takeEnd' },
] as const

/** The step itself is ended, so however its work ends, it is not repeated, unless a deadlock or its time limit is the reason. */
const stopped = [
  { guard: 'succeeded', target: 'SUCCEEDED', actions: 'takeEnd' },
  { guard: 'lost', target: 'LOST', actions: 'takeEnd' },
  { guard: 'mayRetryDeadlock', target: 'WAITING_TO_RETRY', actions: 'takeEnd' },
  { guard: 'endedByDeadlock', target: 'FAILED', actions: 'takeEnd' },
  { guard: 'mayRetryTimeout', target: 'WAITING_TO_RETRY', actions: ['takeEnd', 'noteTimedOut'] },
  { guard: 'endedByTimeout', target: 'TIMED_OUT', actions: ['takeEnd', 'noteTimedOut'] },
  { guard: 'ended', target: 'CANCELED', actions: 'takeEnd' },
] as const

/** The execution has ended before the step could report to it, so it cannot cancel the step. */
const orphaned = {
  unstarted: { guard: 'executionEnded', target: 'CANCELED' },
  started: { guard: 'executionEnded', target: 'CANCELING', actions: 'stopWork' },
} as const

const refusedRun = [
  { guard: 'mayRetry', target: 'WAITING_TO_RETRY', actions: 'noteRefusal' },
  { target: 'FAILED', actions: 'noteRefusal' },
] as const

/** The run may exist or not. */
const givenUp = { guard: 'requestGivenUp', target: 'LOST', actions: 'noteGivenUp' } as const

const machine = setup({
  types: typesOf<StepContext, AnyStepEvent>(),
  delays: {
    retryDelay: ({ context }) => retryDelayMs(context),
    timeLimit: ({ context }) => context.init.timeoutSeconds * 1_000,
    approvalDeadline: ({ context }) => {
      const task = taskOf(context)
      return ((task?.kind === 'APPROVAL' ? task.deadlineSeconds : null) ?? 0) * 1_000
    },
  },
  guards: {
    lastIncident: isLastIncident,
    startsCommand: ({ context }) => context.init.begin.type === 'start' && context.init.kind === 'COMMAND',
    startsApproval: ({ context }) => context.init.begin.type === 'start' && context.init.kind === 'APPROVAL',
    startsRun: ({ context }) => context.init.begin.type === 'start',
    isCommand: ({ context }) => context.init.kind === 'COMMAND',
    isReused: ({ context }) => context.init.begin.type === 'reuse',
    isSkipped: ({ context }) => context.init.begin.type === 'skip',
    hasDeadline: ({ context }) => {
      const task = taskOf(context)
      return task?.kind === 'APPROVAL' && task.deadlineSeconds !== null
    },
    /** Only WORKFLOW and BUILD steps limit their children by themselves: a job, and a run of a coding CLI, have the limit too. */
    hasOwnLimit: ({ context: { init } }) => init.kind === 'BUILD' || init.kind === 'WORKFLOW',
    /** A build continues while its step is paused. */
    limitsRun: ({ context: { init, pause } }) =>
      init.kind === 'BUILD' || (init.kind === 'WORKFLOW' && !pause.isRequested),
    isOwnJob: ({ context, event }) => event.type === 'jobReady' && event.jobId === jobIdOf(context.id, context.attempt),
    jobIsNews: ({ context, event }) =>
      event.type === 'jobChanged' &&
      event.jobId === jobIdOf(context.id, context.attempt) &&
      event.step > context.job.step,
    runIsNews: ({ context, event }) =>
      event.type === 'childChanged' &&
      !isOver(event.status) &&
      isOwnRun(context, event.runId) &&
      event.step > context.child.step,
    /** Its job, its run or its build can be canceled. */
    hasWork: ({ context }) => context.init.kind === 'COMMAND' || context.child.runId !== null,
    requestGivenUp: ({ context, event }) =>
      context.child.runId === null && isGivenUp(context, event, 'requestOperation'),
    isOwnRequest: ({ context, event }) => event.type === 'requestAnswered' && event.request === context.attempt,
    mayRetry,
    succeeded: endsAs('SUCCEEDED'),
    failed: endsAs('FAILED'),
    timedOut: endsAs('TIMED_OUT'),
    lost: endsAs('LOST'),
    canceled: endsAs('CANCELED'),
    ended: (given) => endOf(given) !== undefined,
    endedByTimeout,
    mayRetryTimeout: (given) => endedByTimeout(given) && hasAttempt(given.context),
    /** A build reports only its end. Until then it may be queued. */
    isQueued: ({ context: { child } }) => child.runId !== null && (child.status ?? 'QUEUED') === 'QUEUED',
    endedByDeadlock,
    mayRetryDeadlock: (given) => endedByDeadlock(given) && hasAttempt(given.context),
    /** It may be repeated when its work has ended. */
    mayBeRepeated: ({ context }) => context.ending === 'DEADLOCK' || context.ending === 'TIMEOUT',
    isPauseRequested: ({ context }) => context.pause.isRequested,
    isResumed: ({ event }) => event.type === 'setPaused' && !event.isPaused,
    isApproved: ({ event }) => event.type === 'decide' && event.decision === 'APPROVED',
    // An execution that has not ended accepts each report, or recognizes it as a repeat.
    executionEnded: ({ event }) => event.type === 'refused' && event.sent === 'stepChanged',
    notPlaced: ({ event }) => event.type === 'refused' && event.sent === 'enqueue',
  },
  actions: {
    incidentOpened: countIncidents(1),
    incidentClosed: countIncidents(-1),
    enqueue: action((given) => enqueue(given.context, timeOf(given))),
    askPerson: action((given) => askPerson(given.context, timeOf(given))),
    requestRun: action((given) => requestRun(given.context, timeOf(given))),
    startJob: action(({ context, event }) => startJob(context, event.at)),
    greetJob: action(({ context }) => greetJob(context)),
    followJob: on('jobChanged', followJob),
    takeRun: on('requestAnswered', (context, { answer }) => takeRun(context, answer)),
    followRun: on('childChanged', followRun),
    takeEnd,
    applyPause: on('setPaused', (context, { isPaused, revision }) => applyPause(context, isPaused, revision)),
    reportPause: action(({ context }) => reportPause(context)),
    reportPauseAtEntry: action(({ context }) => (context.pause.isRequested ? reportPause(context) : {})),
    noteReason: on('cancel', (_, { code, message }) =>
      code === undefined ? {} : { set: { problem: { code, message: message ?? '' } } },
    ),
    noteRevoked: action(() => ({ set: { problem: { code: 'AGENT_REVOKED', message: 'The agent was revoked.' } } })),
    noteRefusal: on('requestRefused', (_, { code, message }) => ({ set: { problem: { code, message } } })),
    noteNotPlaced: on('refused', (_, { message }) => ({ set: { problem: { code: 'NOT_ADMITTED', message } } })),
    noteBeginning: action(({ context: { init } }) => ({
      set: { problem: init.begin.type === 'skip' || init.begin.type === 'fail' ? init.begin.problem : null },
    })),
    noteGivenUp: action(() => ({
      set: {
        problem: { code: 'GIVEN_UP', message: 'An operator gave up the request for the run or the build of the step.' },
      },
    })),
    noteUnconfirmed: action(() => ({
      set: { problem: { code: 'CANCEL_UNCONFIRMED', message: 'No confirmation arrived that the work has stopped.' } },
    })),
    noteTimedOut: action(({ context: { init } }) => ({
      set: { problem: { code: 'TIMED_OUT', message: `The step took longer than ${init.timeoutSeconds} seconds.` } },
    })),
    noteDecision: on('decide', (context, { decision, by, comment }) => {
      const approval = { decision, by, comment }
      if (decision === 'REJECTED')
        return { set: { approval, problem: { code: 'REJECTED', message: comment ?? 'A person rejected it.' } } }
      const outputs = withOutputs(context, { decided_by: by, comment: comment ?? '' })
      return { set: { ...outputs.set, approval } }
    }),
    noteExpired: action(() => ({
      set: { problem: { code: 'APPROVAL_EXPIRED', message: 'No decision was made before the deadline.' } },
    })),
    stopWork: action(({ context }) => stopWork(context, 'CANCEL')),
    checkWait: action(({ context }) => checkWait(context)),
    endDeadlock: on('deadlockFound', (context, { runIds }) => endDeadlock(context, runIds)),
    // The run has been asked to end already.
    endByCancel: action(() => ({ set: { ending: 'CANCEL' } })),
    endByTimeout: action(({ context }) => stopWork(context, 'TIMEOUT')),
    finishSucceeded: ends('SUCCEEDED'),
    finishFailed: ends('FAILED'),
    finishCanceled: ends('CANCELED'),
    finishTimedOut: ends('TIMED_OUT'),
    finishLost: ends('LOST'),
    finishSkipped: ends('SKIPPED'),
  },
}).createMachine({
  id: 'workflowStep',
  context: ({ input: { id, init } }) => {
    const { begin } = init
    const members = begin.type === 'start' ? Members.empty.with(stepMembers.task, begin.task) : Members.empty
    return {
      init,
      members: begin.type === 'reuse' ? members.with(stepMembers.outputs, begin.outputs) : members,
      id,
      attempt: 0,
      step: 0,
      isAdmitted: false,
      job: { ready: false, step: 0 },
      child: { runId: null, step: 0, former: [] },
      pause: { isRequested: false, revision: 0 },
      approval: null,
      ending: null,
      problem: null,
      times: { started: null, ended: null },
      incidents: 0,
    }
  },
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'NEW',
      on: { setPaused: { actions: 'applyPause' } },
      states: {
        NEW: {
          meta: { label: 'New', waitsFor: 'nothing: it begins at once', unbounded: 'nothing: it begins at once' },
          always: [
            { guard: 'startsCommand', target: 'QUEUED', actions: 'enqueue' },
            { guard: 'startsApproval', target: 'WAITING_FOR_APPROVAL', actions: 'askPerson' },
            { guard: 'startsRun', target: 'STARTING', actions: 'requestRun' },
            { guard: 'isReused', target: 'SUCCEEDED' },
            { guard: 'isSkipped', target: 'SKIPPED', actions: 'noteBeginning' },
            { target: 'FAILED', actions: 'noteBeginning' },
          ],
        },
        QUEUED: {
          meta: {
            label: 'Queued',
            waitsFor: 'the slot of its run',
            unbounded: 'the queue of the worktree, which admits it at once while its run holds a slot',
          },
          on: {
            placed: {},
            admit: { target: 'RUNNING', actions: 'startJob' },
            cancel: { target: 'CANCELED', actions: 'noteReason' },
            terminate: { target: 'CANCELED', actions: 'noteReason' },
            agentRevoked: { target: 'CANCELED', actions: 'noteRevoked' },
            refused: [{ guard: 'notPlaced', target: 'FAILED', actions: 'noteNotPlaced' }, orphaned.unstarted],
          },
        },
        STARTING: {
          meta: {
            label: 'Starting',
            waitsFor: 'its run or its build to be created',
            expected: startingMs,
            unbounded: 'the request for the run or the build, or an operator if it has no answer for about an hour',
          },
          on: {
            requestAnswered: { guard: 'isOwnRequest', target: 'RUNNING', actions: 'takeRun' },
            requestRefused: refusedRun,
            childChanged: [...outcomes, { guard: 'runIsNews', target: 'RUNNING', actions: 'followRun' }],
            effectGivenUp: givenUp,
            cancel: { target: 'CANCELING', actions: ['noteReason', 'stopWork'] },
            refused: orphaned.started,
          },
        },
        RUNNING: {
          meta: {
            label: 'Running',
            waitsFor: 'its job, its run or its build to end',
            unbounded: 'its job, its run or its build',
          },
          after: {
            timeLimit: [
              { guard: 'limitsRun', target: 'CANCELING', actions: 'endByTimeout' },
              // It is paused. A pause may take any amount of time, and the limit begins again.
              { guard: 'hasOwnLimit', target: 'RUNNING', reenter: true },
            ],
            [waitChecksMs[0]]: { guard: 'isQueued', actions: 'checkWait' },
            [waitChecksMs[1]]: { guard: 'isQueued', actions: 'checkWait' },
          },
          on: {
            deadlockFound: { target: 'CANCELING', actions: 'endDeadlock' },
            jobReady: { guard: 'isOwnJob', actions: 'greetJob' },
            jobChanged: { guard: 'jobIsNews', actions: 'followJob' },
            jobEnded: outcomes,
            requestAnswered: { guard: 'isOwnRequest', actions: 'takeRun' },
            childChanged: [...outcomes, { guard: 'runIsNews', actions: 'followRun' }],
            cancel: { target: 'CANCELING', actions: ['noteReason', 'stopWork'] },
            refused: orphaned.started,
          },
        },
        WAITING_FOR_APPROVAL: {
          meta: { label: 'Waiting for approval', waitsFor: 'a person to decide', unbounded: 'a person decides' },
          after: { approvalDeadline: { guard: 'hasDeadline', target: 'FAILED', actions: 'noteExpired' } },
          on: {
            decide: [
              { guard: 'isApproved', target: 'SUCCEEDED', actions: 'noteDecision' },
              { target: 'FAILED', actions: 'noteDecision' },
            ],
            cancel: { target: 'CANCELED', actions: 'noteReason' },
            refused: orphaned.unstarted,
          },
        },
        WAITING_TO_RETRY: {
          meta: {
            label: 'Waiting to retry',
            waitsFor: 'the delay before the next attempt',
            unbounded: 'the delay; while the run is paused, a person who resumes it',
          },
          entry: 'reportPauseAtEntry',
          after: {
            retryDelay: [
              // No attempt begins while the run is paused. The delay begins again when it is resumed.
              { guard: 'isPauseRequested' },
              { guard: 'isCommand', target: 'RUNNING', actions: 'startJob' },
              { target: 'STARTING', actions: 'requestRun' },
            ],
          },
          on: {
            setPaused: [
              {
                guard: 'isResumed',
                target: 'WAITING_TO_RETRY',
                reenter: true,
                actions: ['applyPause', 'reportPause'],
              },
              { actions: ['applyPause', 'reportPause'] },
            ],
            cancel: { target: 'CANCELED', actions: 'noteReason' },
            refused: orphaned.unstarted,
          },
        },
        CANCELING: {
          meta: { label: 'Canceling', waitsFor: 'its job, its run or its build to end', expected: cancelingMs },
          after: { [cancelingMs]: { guard: 'hasWork', target: 'LOST', actions: 'noteUnconfirmed' } },
          on: {
            jobReady: { guard: 'isOwnJob', actions: 'greetJob' },
            jobEnded: stopped,
            // The deadline begins again, because the run is only now asked to end.
            requestAnswered: { guard: 'isOwnRequest', target: 'CANCELING', reenter: true, actions: 'takeRun' },
            requestRefused: { target: 'CANCELED' },
            effectGivenUp: givenUp,
            // Then it is not repeated.
            cancel: { guard: 'mayBeRepeated', actions: ['noteReason', 'endByCancel'] },
            childChanged: [...stopped, { guard: 'runIsNews', actions: 'followRun' }],
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

export const workflowStep = define({
  kind: 'workflowStep',
  version: 1,
  machine,
  effects: ['tell', 'requestOperation', 'notify', 'findDeadlock'],
  columns: ({ context: { init } }) => ({
    agentId: init.place.agentId,
    worktreeId: init.place.worktreeId,
    scopeId: init.place.runId,
  }),
  refuse: ({ value: { lifecycle } }, event) =>
    event.type === 'decide' && lifecycle !== 'WAITING_FOR_APPROVAL'
      ? new Failure(
          'FAILED_PRECONDITION',
          `The step is ${lifecycle}. Only a step that is WAITING_FOR_APPROVAL is decided.`,
          {
            details: { state: lifecycle },
          },
        )
      : undefined,
  repeats: ({ value: { lifecycle }, context }, event) => {
    if (repeatsIncident(context, event)) return true
    const { id, attempt, child, times } = context
    const hasEnded = times.ended !== null
    switch (event.type) {
      case 'jobEnded':
        return hasEnded && event.jobId === jobIdOf(id, attempt)
      case 'childChanged':
        return hasEnded && isOver(event.status) && event.runId === child.runId
      case 'requestRefused':
        return hasEnded && event.request === attempt
      case 'deadlockFound':
        return lifecycle !== 'RUNNING' || event.runId !== child.runId
      case 'agentRevoked':
        return lifecycle === 'CANCELED'
      case 'cancel':
      case 'terminate':
        return (lifecycle === 'CANCELING' && context.ending === 'CANCEL') || lifecycle === 'CANCELED'
      case 'setPaused':
        return event.revision <= context.pause.revision
      case 'decide': {
        const { approval } = context
        return approval !== null && approval.decision === event.decision && approval.by === event.by
      }
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['FAILED', 'CANCELED', 'LOST'],
  operatorEvents: { cancel: { label: 'Cancel step' } },
})
