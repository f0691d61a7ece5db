/**
 * One piece of work for one agent. It is offered, accepted, watched by the agent's heartbeats, and ended by the agent's report. Results and
 * logs are stored by job and attempt. After the acceptance, the job may have changed anything on the machine.
 */

import { not, or, setup, stateIn } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import { act, actOn, type Outcome, type Situation } from '../framework/act.ts'
import { define, typesOf } from '../framework/define.ts'
import { forcedProblem } from '../framework/forced.ts'
import {
  countIncidents,
  type IncidentEvent,
  incidentRegion,
  isLastIncident,
  repeatsIncident,
} from '../framework/incident.ts'
import { Members } from '../framework/members.ts'
import type { Refused } from '../framework/refused.ts'
import { addJobPause } from '../runs/addPause.ts'
import { continuesInSpec } from '../runs/continuesInSpec.ts'
import {
  type Accept,
  finishJob,
  type JobContext,
  type JobEvent,
  type JobOutcome,
  logEnd,
  newsOf,
  tellNext,
  tellWaiting,
} from './jobActions.ts'
import { jobMembers } from './jobKeys.ts'

/** An offer that was not accepted within this time is made again, ms. */
const offerMs = 10_000
/** If a connected agent has not accepted an offer for this long, however often it was repeated, the job counts as stuck, ms. */
const offersInVainMs = 60_000
/** If the agent does not confirm a cancel within this time, the job becomes LOST, ms. */
const cancelMs = 30_000
/** The agent ends a job at its timeout by itself. If it does not, the control plane does so this much later, ms. */
const timeoutGraceMs = 5_000

/** Whether the job waits for a person's answer. */
const asks = ({ question }: JobContext): boolean => question !== null && !question.answered

const noPause = { isRequested: false, isConfirmed: false, revision: 0 }

type AnyEvent = JobEvent | IncidentEvent | Refused
const action = act<JobContext, AnyEvent, AnyEvent>
const on = actOn<JobContext, AnyEvent>()

const ends = (outcome: JobOutcome) =>
  action(({ context, event }) => {
    const problem = forcedProblem(event, 'job', outcome)
    if (problem === undefined) return finishJob(context, event.at, outcome)
    const finished = finishJob({ ...context, problem }, event.at, outcome)
    return { ...finished, set: { ...finished.set, problem } }
  })

/** Whether the agent's own time limit is paused. */
const isSuspended = ({ question, pause }: JobContext): boolean => question !== null || pause.isConfirmed

/** A token that is issued again while a question is open leaves the question open. */
const accept = ({ context, event }: Situation<JobContext, Accept>): Outcome<JobContext> => {
  const { epoch, tokenHash: hash, issuedAt } = event
  const set = { epoch, token: hash === null ? null : { hash, issuedAt } }
  return tellNext(context, set, asks(context) ? 'WAITING' : 'ACCEPTED')
}

const byOutcome = [
  { guard: 'succeeded', target: 'SUCCEEDED', actions: 'takeResult' },
  { guard: 'timedOut', target: 'TIMED_OUT', actions: 'takeResult' },
  { guard: 'canceled', target: 'CANCELED', actions: 'takeResult' },
  { target: 'FAILED', actions: 'takeResult' },
] as const

const machine = setup({
  types: typesOf<JobContext, AnyEvent>(),
  delays: {
    timeLimit: ({ context }) => context.init.timeoutSeconds * 1000 + timeoutGraceMs,
  },
  guards: {
    lastIncident: isLastIncident,
    succeeded: ({ event }) => event.type === 'complete' && event.outcome === 'SUCCEEDED',
    timedOut: ({ context, event }) =>
      event.type === 'complete' &&
      (event.outcome === 'TIMED_OUT' || (event.outcome === 'CANCELED' && context.ending === 'TIMEOUT')),
    canceled: ({ event }) => event.type === 'complete' && event.outcome === 'CANCELED',
    pastTimeLimit: ({ context }) => context.ending === 'TIMEOUT',
    suspended: ({ context }) => isSuspended(context),
    continues: ({ event }) => event.type === 'pauseReported' && !event.isPaused,
    mayRepeat: ({ context }) => context.init.onLost === 'RETRY',
    ownerGone: ({ event }) => event.type === 'refused' && event.sent === 'jobReady',
    offered: stateIn({ lifecycle: 'OFFERED' }),
    queued: stateIn({ lifecycle: 'QUEUED' }),
    isNoOffer: not(or(['offered', 'queued'])),
    agentGone: ({ event }) => event.type === 'refused' && event.sent === 'jobWaiting',
  },
  actions: {
    incidentOpened: countIncidents(1, newsOf),
    incidentClosed: countIncidents(-1),
    /** The agent reports how the job ended. The job is settled if no process is left. */
    takeResult: on('complete', (context, event) => {
      const members = context.members.without(jobMembers.answer)
      return {
        set: {
          epoch: event.epoch,
          settled: event.processesLeft === 0,
          left: event.processesLeft,
          exit: { code: event.exitCode, signal: event.signal },
          problem: event.problem,
          log: { chunks: event.logChunks, sha256: event.logSha256 },
          members: event.result === null ? members : members.with(jobMembers.result, event.result),
        },
      }
    }),
    confirmPause: on('pauseReported', (context, { isPaused }) =>
      tellNext(context, { pause: { ...context.pause, isConfirmed: isPaused } }, asks(context) ? 'WAITING' : 'STARTED'),
    ),
    /** No process of the job ever ran, or none is left. So its slot may be freed. */
    nothingRuns: action(({ context }) => ({ set: { settled: true, ending: context.ending ?? 'CANCEL' } })),
    agentIsRevoked: action(() => ({
      set: { settled: true, problem: { code: 'AGENT_REVOKED', message: 'The agent was revoked.' } },
    })),
    agentLacksIt: action(() => ({
      set: {
        settled: true,
        problem: { code: 'AGENT_FORGOT', message: 'The agent connected again and did not report this job.' },
      },
    })),
    leaseIsOver: action(() => ({
      set: { problem: { code: 'AGENT_LOST', message: 'The agent sent no heartbeat while it ran this job.' } },
    })),
    unconfirmed: action(({ context }) => ({
      set: {
        problem: {
          code: context.ending === 'TIMEOUT' ? 'TIMEOUT_UNCONFIRMED' : 'CANCEL_UNCONFIRMED',
          message: 'The agent did not confirm within 30 s that the work has stopped.',
        },
      },
    })),
    nextAttempt: action(({ context }) => ({
      set: {
        attempt: context.attempt + 1,
        step: context.step + 1,
        question: null,
        pause: noPause,
        resumed: null,
        offeredAt: null,
      },
      effects: [{ type: 'endStream', params: logEnd(context) }],
    })),
    noteCancel: action(({ event }) => ({ set: { ending: 'CANCEL', endingSince: event.at } })),
    noteTimeout: action(({ event }) => ({ set: { ending: 'TIMEOUT', endingSince: event.at } })),
    finishSucceeded: ends('SUCCEEDED'),
    finishFailed: ends('FAILED'),
    finishCanceled: ends('CANCELED'),
    finishLost: ends('LOST'),
    finishTimedOut: ends('TIMED_OUT'),
    introduce: action(({ context }) => ({
      tell: [{ to: context.init.owner, event: { type: 'jobReady', jobId: context.id }, echo: context.id }],
    })),
    wait: action(({ context }) => ({ set: { offeredAt: null }, tell: [tellWaiting(context)] })),
  },
}).createMachine({
  id: 'job',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    attempt: 1,
    step: 0,
    epoch: null,
    offeredAt: null,
    token: null,
    question: null,
    pause: noPause,
    resumed: null,
    ending: null,
    endingSince: null,
    settled: false,
    left: null,
    exit: null,
    problem: null,
    log: null,
    incidents: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'QUEUED',
      entry: 'introduce',
      states: {
        QUEUED: {
          entry: 'wait',
          meta: {
            label: 'Waiting for its agent',
            waitsFor: 'the agent to be connected',
            unbounded: 'the agent connects, or an operator revokes it',
          },
          on: {
            offer: {
              target: 'OFFERED',
              actions: act(({ event }) => ({ set: { epoch: event.epoch, offeredAt: event.at } })),
            },
            cancel: { target: 'CANCELED', actions: ['noteCancel', 'nothingRuns'] },
            agentRevoked: { target: 'CANCELED', actions: 'agentIsRevoked' },
            refused: [
              { guard: 'ownerGone', target: 'CANCELED', actions: 'nothingRuns' },
              { guard: 'agentGone', target: 'CANCELED', actions: 'agentIsRevoked' },
            ],
          },
        },
        OFFERED: {
          meta: { label: 'Offered', waitsFor: 'the agent to accept it' },
          after: { [offerMs]: 'QUEUED' },
          on: {
            accept: { target: 'RUNNING', actions: act(accept) },
            refuseOffer: {
              target: 'FAILED',
              actions: act(({ event }) => ({
                set: { settled: true, problem: { code: event.code, message: event.message } },
              })),
            },
            // From here on the acceptance would be refused, so nothing has run and nothing will run.
            cancel: { target: 'CANCELED', actions: ['noteCancel', 'nothingRuns'] },
            agentRevoked: { target: 'CANCELED', actions: 'agentIsRevoked' },
            refused: { guard: 'ownerGone', target: 'CANCELED', actions: 'nothingRuns' },
          },
        },
        RUNNING: {
          meta: { label: 'Running', waitsFor: 'the agent to end it', lease: 'agent heartbeats' },
          // A question or a pause may take any amount of time. The agent's own time limit is paused meanwhile, and this one starts again.
          after: {
            timeLimit: [
              { guard: 'suspended', target: 'RUNNING', reenter: true },
              { target: 'CANCELING', actions: 'noteTimeout' },
            ],
          },
          on: {
            accept: { actions: act(accept) },
            // The first output can come after the first question. The question is then still open.
            started: {
              actions: act(({ context }) => tellNext(context, {}, asks(context) ? 'WAITING' : 'STARTED')),
            },
            waiting: {
              actions: act(({ context, event }) => {
                const members = context.members.without(jobMembers.answer).with(jobMembers.question, event.question)
                return tellNext(context, { question: { id: event.questionId, answered: false }, members }, 'WAITING')
              }),
            },
            answer: {
              actions: act(({ context, event }) => ({
                set: {
                  question: { id: event.questionId, answered: true },
                  members: context.members.with(jobMembers.answer, event.answer),
                },
              })),
            },
            resumed: {
              target: 'RUNNING',
              reenter: true,
              actions: act(({ context, event }) => {
                const members = context.members.without(jobMembers.answer).without(jobMembers.question)
                return tellNext(context, { question: null, resumed: event.questionId, members }, 'STARTED')
              }),
            },
            setPaused: {
              actions: act(({ context, event: { isPaused, revision } }) => ({
                set: { pause: { ...context.pause, isRequested: isPaused, revision } },
              })),
            },
            pauseReported: [
              { guard: 'continues', target: 'RUNNING', reenter: true, actions: 'confirmPause' },
              { actions: 'confirmPause' },
            ],
            complete: byOutcome,
            cancel: { target: 'CANCELING', actions: 'noteCancel' },
            leaseExpired: [
              { guard: 'mayRepeat', target: 'QUEUED', actions: 'nextAttempt' },
              { target: 'LOST', actions: 'leaseIsOver' },
            ],
            agentForgot: [
              { guard: 'mayRepeat', target: 'QUEUED', actions: 'nextAttempt' },
              { target: 'LOST', actions: 'agentLacksIt' },
            ],
            agentRevoked: { target: 'LOST', actions: 'agentIsRevoked' },
            // The owner of the job has ended without it.
            refused: { guard: 'ownerGone', target: 'CANCELING', actions: 'noteCancel' },
          },
        },
        CANCELING: {
          meta: { label: 'Stopping', waitsFor: 'the agent to confirm that nothing is left', expected: cancelMs },
          after: { [cancelMs]: { target: 'LOST', actions: 'unconfirmed' } },
          on: {
            complete: byOutcome,
            leaseExpired: { target: 'LOST', actions: 'leaseIsOver' },
            agentForgot: [
              { guard: 'pastTimeLimit', target: 'TIMED_OUT', actions: 'nothingRuns' },
              { target: 'CANCELED', actions: 'nothingRuns' },
            ],
            agentRevoked: { target: 'LOST', actions: 'agentIsRevoked' },
          },
        },
        SUCCEEDED: { tags: 'terminal', entry: 'finishSucceeded', meta: { label: 'Succeeded' } },
        FAILED: { tags: 'terminal', entry: 'finishFailed', meta: { label: 'Failed' } },
        CANCELED: { tags: 'terminal', entry: 'finishCanceled', meta: { label: 'Canceled' } },
        LOST: { tags: 'terminal', entry: 'finishLost', meta: { label: 'Lost' } },
        TIMED_OUT: { tags: 'terminal', entry: 'finishTimedOut', meta: { label: 'Timed out' } },
      },
    },
    // The lifecycle has only the last of several offers. This region measures how long offers have been made.
    offers: {
      initial: 'NONE',
      states: {
        NONE: { meta: { label: 'No offer' }, always: { guard: 'offered', target: 'OUT' } },
        OUT: {
          meta: {
            label: 'Offered, and not yet taken',
            waitsFor: 'the agent to accept what it is offered again and again',
            expected: offersInVainMs,
          },
          always: { guard: 'isNoOffer', target: 'NONE' },
          on: { notOffered: { guard: 'queued', target: 'NONE' } },
        },
      },
    },
    incident: incidentRegion,
  },
})

const stopped = new Set(['CANCELED', 'TIMED_OUT'])

/** The events that the agent sends for one attempt over one connection. */
const eventsOfAgent = new Set(['accept', 'refuseOffer', 'started', 'waiting', 'resumed', 'pauseReported', 'complete'])

export const job = define({
  kind: 'job',
  version: 3,
  migrations: { 1: continuesInSpec, 2: addJobPause },
  machine,
  effects: ['tell', 'endStream', 'notify'],
  columns: ({ context: { init } }) => ({
    agentId: init.agentId,
    ...(init.worktreeId === null ? {} : { worktreeId: init.worktreeId }),
    scopeId: init.owner.id,
  }),
  refuse: ({ context: { attempt, epoch, question } }, event) => {
    if (event.type === 'leaseExpired' && event.attempt !== undefined && event.attempt !== attempt) {
      return otherAttempt(attempt, event.attempt)
    }
    if (eventsOfAgent.has(event.type) && 'attempt' in event && 'epoch' in event) {
      if (epoch !== null && event.epoch < epoch) {
        return new Failure(
          'STALE_EPOCH',
          `Connection ${event.epoch} of this agent was replaced by connection ${epoch}. Connect again.`,
          {
            details: { epoch },
          },
        )
      }
      if (event.attempt !== attempt) return otherAttempt(attempt, event.attempt)
    }
    if ((event.type === 'answer' || event.type === 'resumed') && question?.id !== event.questionId) {
      return new Failure('FAILED_PRECONDITION', `The job does not wait for an answer to "${event.questionId}".`, {
        details: { questionId: question?.id ?? null },
      })
    }
    return undefined
  },
  repeats: ({ value: { lifecycle }, context }, event) => {
    if (repeatsIncident(context, event)) return true
    const { attempt, log, ending, epoch, question, pause, resumed, problem, settled } = context
    if (event.type === 'waiting' || event.type === 'resumed') {
      // If the same question were accepted again, it would be open again in the job, although its run has already sent the answer.
      const known = event.type === 'waiting' ? question?.id : resumed
      const current = event.attempt === attempt && event.epoch >= (epoch ?? 0)
      return current && lifecycle === 'RUNNING' && event.questionId === known
    }
    switch (event.type) {
      case 'complete':
        return log !== null && event.attempt === attempt && event.logSha256 === log.sha256
      // Output that comes while the job is being stopped is stored like any other.
      case 'started':
        return lifecycle === 'CANCELING'
      // A job that ends is not paused any more.
      case 'setPaused':
        return lifecycle !== 'RUNNING' || event.revision <= pause.revision
      case 'pauseReported':
        return lifecycle === 'CANCELING' || (lifecycle === 'RUNNING' && event.isPaused === pause.isConfirmed)
      case 'cancel':
        return lifecycle === 'CANCELING' || (lifecycle === 'CANCELED' && ending === 'CANCEL')
      // For any other failure the agent has reported the log.
      case 'refuseOffer':
        return lifecycle === 'FAILED' && log === null && event.attempt === attempt
      case 'agentRevoked':
        return problem?.code === 'AGENT_REVOKED'
      case 'leaseExpired':
        return problem?.code === 'AGENT_LOST' && (event.attempt ?? attempt) === attempt
      // A job that the agent did not name while it was to be stopped has stopped.
      case 'agentForgot':
        return problem?.code === 'AGENT_FORGOT' || (stopped.has(lifecycle) && settled && log === null)
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['FAILED', 'CANCELED', 'LOST'],
  operatorEvents: {
    cancel: { label: 'Cancel job' },
    leaseExpired: { label: 'Expire lease: the job is retried if its rules allow it, otherwise it is LOST' },
    agentForgot: { label: 'Report that the agent does not have the job, and that nothing of it runs' },
  },
})

function otherAttempt(attempt: number, named: number): Failure {
  return new Failure('FAILED_PRECONDITION', `attempt is ${named}, but the job is at attempt ${attempt}.`, {
    details: { attempt },
  })
}
