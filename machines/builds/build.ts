/**
 * One execution of a build configuration. One job on the machine of its worktree executes it, and it ends as that job ends. It builds a
 * commit in a checkout of its own, without a slot of the worktree, or the files of the worktree. For these it waits for a slot first, as a
 * run does.
 */
import { setup } from 'xstate'
import type { BuildStatus } from '../../spec/builds/buildEnums.ts'
import type { JobOutcome } from '../agents/jobActions.ts'
import { act, actOn, type Situation } from '../framework/act.ts'
import { define, type ForcedTransition, typesOf } from '../framework/define.ts'
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
import {
  admit,
  type BuildContext,
  type BuildEvent,
  begin,
  finish,
  isKnownProgress,
  newsOf,
  note,
  prepare,
  takeEnd,
  toJob,
} from './buildActions.ts'

/** The job's own deadline for a cancel is 30 s. This one ends the build if no report of the job's end arrives, ms. */
const cancelingMs = 60_000

type AnyEvent = BuildEvent | IncidentEvent | ForcedTransition | Refused
const action = act<BuildContext, AnyEvent, AnyEvent>
const on = actOn<BuildContext, AnyEvent>()

const jobEnded =
  (outcome: JobOutcome) =>
  ({ event }: Situation<BuildContext, AnyEvent>): boolean =>
    event.type === 'jobEnded' && event.outcome === outcome

const ends = (status: BuildStatus) =>
  action(({ context, event }) => {
    const problem = forcedProblem(event, 'build', status)
    if (problem === undefined) return finish(context, status, event.at)
    const outcome = finish({ ...context, problem }, status, event.at)
    const forced = { ...outcome, set: { ...outcome.set, problem } }
    const stopped = context.job.ready ? [toJob(context, { type: 'cancel' })] : []
    return { ...forced, tell: [...(outcome.tell ?? []), ...stopped] }
  })

const ending = [
  { guard: 'succeeded', target: 'SUCCEEDED', actions: 'takeEnd' },
  { guard: 'failed', target: 'FAILED', actions: 'takeEnd' },
  { guard: 'timedOut', target: 'TIMED_OUT', actions: 'takeEnd' },
  { guard: 'lost', target: 'LOST', actions: 'takeEnd' },
  { target: 'CANCELED', actions: 'takeEnd' },
] as const

const progressed = { target: 'RUNNING', actions: 'note' } as const
/** Changes of the job may arrive in any order, and each later one means that it was accepted too. */
const accepted = { target: 'PREPARING', actions: 'prepare' } as const
const covered = { actions: 'takeCoverage' } as const
const cancel = { target: 'CANCELING', actions: ['noteReason', 'stopJob'] } as const
const jobReady = { actions: 'noteJob' } as const

const machine = setup({
  types: typesOf<BuildContext, AnyEvent>(),
  guards: {
    lastIncident: isLastIncident,
    succeeded: jobEnded('SUCCEEDED'),
    failed: jobEnded('FAILED'),
    timedOut: jobEnded('TIMED_OUT'),
    lost: jobEnded('LOST'),
    isNotAdmitted: ({ event }) => event.type === 'refused' && event.sent === 'enqueue',
  },
  actions: {
    incidentOpened: countIncidents(1, newsOf),
    incidentClosed: countIncidents(-1),
    begin: action(({ context }) => begin(context)),
    place: on('placed', (_, { queuedAt }) => ({ set: { queuedAt } })),
    admit: on('admit', (context, { at, queuedAt }) => admit(context, at, queuedAt)),
    noteJob: action(({ context }) => ({ set: { job: { ...context.job, ready: true } } })),
    prepare: on('jobChanged', (context, event) => prepare(context, event.step, event.at)),
    noteChange: on('jobChanged', (_, event) => ({ set: { job: { ready: true, step: event.step } } })),
    note: on('progressed', note),
    takeCoverage: on('covered', (_, { type: _type, at: _at, ...coverage }) => ({ set: { coverage } })),
    takeEnd: on('jobEnded', takeEnd),
    noteReason: on('cancel', (_, { code, message }) =>
      code === undefined ? {} : { set: { problem: { code, message: message ?? '' } } },
    ),
    noteRemoved: on('terminate', (_, { code, message }) => ({ set: { problem: { code, message } } })),
    noteRevoked: action(() => ({ set: { problem: { code: 'AGENT_REVOKED', message: 'The agent was revoked.' } } })),
    noteNotAdmitted: on('refused', (_, { message }) => ({ set: { problem: { code: 'NOT_ADMITTED', message } } })),
    noteUnconfirmed: action(() => ({
      set: {
        problem: { code: 'CANCEL_UNCONFIRMED', message: 'The agent did not confirm that the build has stopped.' },
      },
    })),
    // Before the job has reported that it exists, the build cannot send it a message. The job is stopped when it reports.
    stopJob: action(({ context }) => (context.job.ready ? { tell: [toJob(context, { type: 'cancel' })] } : {})),
    finishSucceeded: ends('SUCCEEDED'),
    finishFailed: ends('FAILED'),
    finishCanceled: ends('CANCELED'),
    finishTimedOut: ends('TIMED_OUT'),
    finishLost: ends('LOST'),
  },
}).createMachine({
  id: 'build',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    job: { ready: false, step: 0 },
    progress: null,
    commit: null,
    times: { started: null, ended: null },
    problem: null,
    exit: null,
    incidents: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'QUEUED',
      states: {
        QUEUED: {
          entry: 'begin',
          meta: {
            label: 'Queued',
            waitsFor: 'a slot of its worktree, or its job',
            unbounded: 'its own messages, and the runs and builds before it; `blockedBy` names them',
          },
          on: {
            placed: { actions: 'place' },
            admit: { actions: 'admit' },
            terminate: { target: 'CANCELED', actions: 'noteRemoved' },
            agentRevoked: { target: 'CANCELED', actions: 'noteRevoked' },
            refused: { guard: 'isNotAdmitted', target: 'FAILED', actions: 'noteNotAdmitted' },
            jobReady: { target: 'ASSIGNED', actions: 'noteJob' },
            jobChanged: accepted,
            progressed,
            jobEnded: ending,
            cancel: { target: 'CANCELED', actions: 'noteReason' },
          },
        },
        ASSIGNED: {
          meta: {
            label: 'Assigned',
            waitsFor: 'its agent to accept the job',
            unbounded: 'the agent connects, or an operator revokes it',
          },
          on: { jobReady, jobChanged: accepted, progressed, covered, jobEnded: ending, cancel },
        },
        PREPARING: {
          meta: { label: 'Preparing', waitsFor: 'the checkout of its commit', lease: "its job's agent" },
          on: { jobReady, jobChanged: { actions: 'noteChange' }, progressed, covered, jobEnded: ending, cancel },
        },
        RUNNING: {
          meta: { label: 'Running', waitsFor: 'its job to end', lease: "its job's agent" },
          on: {
            jobReady,
            jobChanged: { actions: 'noteChange' },
            progressed: { actions: 'note' },
            covered,
            jobEnded: ending,
            cancel,
          },
        },
        CANCELING: {
          meta: { label: 'Canceling', waitsFor: 'the agent to confirm that nothing is left', expected: cancelingMs },
          after: { [cancelingMs]: { target: 'LOST', actions: ['noteUnconfirmed', 'stopJob'] } },
          on: {
            jobReady: { actions: ['noteJob', 'stopJob'] },
            jobChanged: { actions: 'noteChange' },
            progressed: { actions: 'note' },
            covered,
            jobEnded: ending,
          },
        },
        SUCCEEDED: { tags: 'terminal', entry: 'finishSucceeded', meta: { label: 'Succeeded' } },
        FAILED: { tags: 'terminal', entry: 'finishFailed', meta: { label: 'Failed' } },
        CANCELED: { tags: 'terminal', entry: 'finishCanceled', meta: { label: 'Canceled' } },
        TIMED_OUT: { tags: 'terminal', entry: 'finishTimedOut', meta: { label: 'Timed out' } },
        LOST: { tags: 'terminal', entry: 'finishLost', meta: { label: 'Lost' } },
      },
    },
    incident: incidentRegion,
  },
})

/** The phases of the states before the agent has reported its progress. */
const phases: Readonly<Record<string, string>> = {
  QUEUED: 'WAITING_FOR_AGENT',
  ASSIGNED: 'WAITING_FOR_AGENT',
  CANCELING: 'STOPPING',
}

const isWaiting = (lifecycle: string, { slot }: BuildContext['init'], admittedAt: number | undefined): boolean =>
  lifecycle === 'QUEUED' && slot !== undefined && admittedAt === undefined

export const build = define({
  kind: 'build',
  version: 1,
  machine,
  effects: ['tell', 'notify'],
  columns: ({ value: { lifecycle }, context: { init, progress, admittedAt } }) => ({
    phase: isWaiting(lifecycle, init, admittedAt)
      ? 'WAITING_FOR_WORKTREE'
      : (phases[lifecycle] ?? progress ?? undefined),
    agentId: init.agentId,
    worktreeId: init.worktreeId,
    scopeId: init.buildConfigurationId,
    number: init.number,
  }),
  search: ({ context: { init, commit } }) => {
    const { content, number, repository, requestedCommit, branch, kind = 'BUILD' } = init
    return {
      title: `${content.name} #${number}`,
      text: [
        repository,
        requestedCommit,
        branch === requestedCommit ? null : branch,
        commit,
        kind === 'BUILD' ? null : 'coverage',
      ]
        .filter(Boolean)
        .join(' '),
      list: { text: '', marks: { kind } },
    }
  },
  repeats: ({ value: { lifecycle }, context }, event) => {
    if (repeatsIncident(context, event)) return true
    switch (event.type) {
      case 'jobReady':
        return context.job.ready && lifecycle !== 'CANCELING' && lifecycle !== 'QUEUED'
      case 'jobChanged':
        return event.step <= context.job.step
      case 'progressed':
        return isKnownProgress(context, event)
      case 'covered':
        return context.coverage !== undefined
      case 'placed':
        return context.queuedAt !== undefined
      case 'admit':
        return context.admittedAt !== undefined
      case 'cancel':
        return lifecycle === 'CANCELING' || lifecycle === 'CANCELED'
      case 'terminate':
      case 'agentRevoked':
        return lifecycle === 'CANCELED'
      case 'jobEnded':
        return lifecycle === event.outcome
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['FAILED', 'CANCELED', 'LOST'],
  operatorEvents: { cancel: { label: 'Cancel build' } },
})
