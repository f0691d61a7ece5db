/**
 * The execution of the steps of a workflow's run. It does for the run what a job does for other runs: it reports that it has started, is
 * paused and has ended, and it can be canceled and paused. It creates each step when the steps that it needs have ended.
 */
import { setup } from 'xstate'
import type { JobOutcome, Problem } from '../../agents/jobActions.ts'
import { act, actOn, type Situation } from '../../framework/act.ts'
import { define, type ForcedTransition, typesOf } from '../../framework/define.ts'
import { forcedProblem } from '../../framework/forced.ts'
import { Members } from '../../framework/members.ts'
import type { Refused } from '../../framework/refused.ts'
import {
  begin,
  type ExecutionContext,
  type ExecutionEvent,
  endSteps,
  finish,
  follow,
  isComplete,
  isSuspended,
  outcomeOf,
  setPause,
  specOf,
  takeReport,
} from './executionContext.ts'

/** Each step has a deadline of its own for a cancel. This one ends the execution if no report of a step arrives, ms. */
const cancelingMs = 90_000

type AnyEvent = ExecutionEvent | Refused | ForcedTransition
const action = act<ExecutionContext, AnyEvent, AnyEvent>
const on = actOn<ExecutionContext, AnyEvent>()

const unconfirmed: Problem = {
  code: 'CANCEL_UNCONFIRMED',
  message: 'No confirmation arrived that all steps have ended.',
}

const ends = (outcome: JobOutcome) =>
  action(({ context, event }) => {
    const forced = forcedProblem(event, 'execution', outcome)
    if (forced !== undefined) {
      const stopped = endSteps(context, 'CANCEL')
      const ended = finish(context, outcome, forced)
      return { set: { ...stopped.set }, tell: [...(stopped.tell ?? []), ...(ended.tell ?? [])] }
    }
    // In LOST the steps have not ended, so their statuses do not decide.
    if (!isComplete(context)) return finish(context, outcome, unconfirmed)
    return finish(context, outcome, outcomeOf(context).problem)
  })

const endsAs =
  (outcome: JobOutcome) =>
  ({ context }: Pick<Situation<ExecutionContext, AnyEvent>, 'context'>): boolean =>
    isComplete(context) && outcomeOf(context).outcome === outcome

const ending = [
  { guard: 'hasSucceeded', target: 'SUCCEEDED' },
  { guard: 'hasFailed', target: 'FAILED' },
  { guard: 'hasTimedOut', target: 'TIMED_OUT' },
  { guard: 'wasCanceled', target: 'CANCELED' },
  { guard: 'wasLost', target: 'LOST' },
] as const

const machine = setup({
  types: typesOf<ExecutionContext, AnyEvent>(),
  delays: {
    timeLimit: ({ context }) => specOf(context).definition.timeoutSeconds * 1_000,
  },
  guards: {
    hasSucceeded: endsAs('SUCCEEDED'),
    hasFailed: endsAs('FAILED'),
    hasTimedOut: endsAs('TIMED_OUT'),
    wasCanceled: endsAs('CANCELED'),
    wasLost: endsAs('LOST'),
    suspended: ({ context }) => isSuspended(context),
    /** People were waited for, and now there is work again. */
    wakes: ({ context, event }) =>
      event.type === 'stepChanged' &&
      isSuspended(context) &&
      !isSuspended({ ...context, ...follow(context, event).set }),
    runGone: ({ event }) => event.type === 'refused' && event.sent === 'jobReady',
    continues: ({ event }) => event.type === 'setPaused' && !event.isPaused,
  },
  actions: {
    begin: action(({ context }) => begin(context)),
    follow: on('stepChanged', follow),
    setPause: on('setPaused', setPause),
    cancelSteps: action(({ context }) => endSteps(context, 'CANCEL')),
    endByTimeout: action(({ context }) => endSteps(context, 'TIMEOUT')),
    finishSucceeded: ends('SUCCEEDED'),
    finishFailed: ends('FAILED'),
    finishCanceled: ends('CANCELED'),
    finishTimedOut: ends('TIMED_OUT'),
    finishLost: ends('LOST'),
  },
}).createMachine({
  id: 'workflowExecution',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    step: 0,
    pause: { isRequested: false, isConfirmed: false, revision: 0 },
    ending: null,
  }),
  initial: 'RUNNING',
  entry: 'begin',
  states: {
    RUNNING: {
      meta: { label: 'Running', waitsFor: 'its steps to end' },
      always: ending,
      // A pause or an approval may take any amount of time. The limit begins again after it.
      after: {
        timeLimit: [
          { guard: 'suspended', target: 'RUNNING', reenter: true },
          { target: 'CANCELING', actions: 'endByTimeout' },
        ],
      },
      on: {
        stepChanged: [{ guard: 'wakes', target: 'RUNNING', reenter: true, actions: 'follow' }, { actions: 'follow' }],
        setPaused: [
          { guard: 'continues', target: 'RUNNING', reenter: true, actions: 'setPause' },
          { actions: 'setPause' },
        ],
        cancel: { target: 'CANCELING', actions: 'cancelSteps' },
        // The run has ended without it.
        refused: { guard: 'runGone', target: 'CANCELING', actions: 'cancelSteps' },
      },
    },
    CANCELING: {
      meta: { label: 'Canceling', waitsFor: 'its active steps to end', expected: cancelingMs },
      always: ending,
      after: { [cancelingMs]: { target: 'LOST' } },
      on: { stepChanged: { actions: 'follow' } },
    },
    SUCCEEDED: { tags: 'terminal', entry: 'finishSucceeded', meta: { label: 'Succeeded' } },
    FAILED: { tags: 'terminal', entry: 'finishFailed', meta: { label: 'Failed' } },
    CANCELED: { tags: 'terminal', entry: 'finishCanceled', meta: { label: 'Canceled' } },
    TIMED_OUT: { tags: 'terminal', entry: 'finishTimedOut', meta: { label: 'Timed out' } },
    LOST: { tags: 'terminal', entry: 'finishLost', meta: { label: 'Lost' } },
  },
})

export const workflowExecution = define({
  kind: 'workflowExecution',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context: { init } }) => ({
    agentId: init.agentId,
    worktreeId: init.worktreeId,
    scopeId: init.runId,
  }),
  repeats: ({ value, context }, event) => {
    switch (event.type) {
      case 'stepChanged':
        return takeReport(context, event) === undefined
      case 'setPaused':
        return event.revision <= context.pause.revision
      case 'cancel':
        return value === 'CANCELING' || value === 'CANCELED'
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['FAILED', 'CANCELED', 'LOST'],
  operatorEvents: { cancel: { label: 'Cancel steps' } },
})
