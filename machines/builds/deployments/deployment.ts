/**
 * One deployment of a build: its artifact is brought to a machine, installed and started there. One job on that machine executes it, and it
 * ends as that job ends.
 */
import { setup } from 'xstate'
import type { DeploymentStatus } from '../../../spec/builds/deployments/deploymentEnums.ts'
import type { JobOutcome } from '../../agents/jobActions.ts'
import { act, actOn, type Situation } from '../../framework/act.ts'
import { define, type ForcedTransition, typesOf } from '../../framework/define.ts'
import { forcedProblem } from '../../framework/forced.ts'
import {
  countIncidents,
  type IncidentEvent,
  incidentRegion,
  isLastIncident,
  repeatsIncident,
} from '../../framework/incident.ts'
import { Members } from '../../framework/members.ts'
import {
  begin,
  type DeploymentContext,
  type DeploymentEvent,
  type DeploymentProgress,
  finish,
  newsOf,
  toJob,
} from './deploymentActions.ts'

type AnyEvent = DeploymentEvent | IncidentEvent | ForcedTransition
const action = act<DeploymentContext, AnyEvent, AnyEvent>
const on = actOn<DeploymentContext, AnyEvent>()

const jobEnded =
  (outcome: JobOutcome) =>
  ({ event }: Situation<DeploymentContext, AnyEvent>): boolean =>
    event.type === 'jobEnded' && event.outcome === outcome

const reached =
  (phase: DeploymentProgress) =>
  ({ event }: Situation<DeploymentContext, AnyEvent>): boolean =>
    event.type === 'progressed' && event.phase === phase

const ends = (status: DeploymentStatus) =>
  action(({ context, event }) => {
    const problem = forcedProblem(event, 'deployment', status)
    const outcome = finish(context, status, event.at)
    if (problem === undefined) return outcome
    const stop = context.job.ready ? [toJob(context, { type: 'cancel' })] : []
    return { ...outcome, set: { ...outcome.set, problem }, tell: [...outcome.tell, ...stop] }
  })

const ending = [
  { guard: 'succeeded', target: 'SUCCEEDED', actions: 'takeEnd' },
  { guard: 'canceled', target: 'CANCELED', actions: 'takeEnd' },
  { guard: 'lost', target: 'LOST', actions: 'takeEnd' },
  // A deployment has no status of its own for a time limit. It is in the problem.
  { target: 'FAILED', actions: 'takeEnd' },
] as const

const jobReady = { actions: 'noteJob' } as const
const jobChanged = { actions: 'noteChange' } as const
const stop = { actions: ['noteReason', 'stopJob'] } as const
const installing = { guard: 'isInstalling', target: 'INSTALLING', actions: 'noteStart' } as const
const running = { guard: 'isRunning', target: 'RUNNING', actions: 'noteStart' } as const
const transferring = { guard: 'isTransferring', target: 'TRANSFERRING', actions: 'noteStart' } as const

const machine = setup({
  types: typesOf<DeploymentContext, AnyEvent>(),
  guards: {
    lastIncident: isLastIncident,
    hasFile: ({ context }) => context.init.artifact !== null,
    isUnstarted: ({ context }) => !context.job.ready,
    isTransferring: reached('TRANSFERRING'),
    isInstalling: reached('INSTALLING'),
    isRunning: reached('RUNNING'),
    succeeded: jobEnded('SUCCEEDED'),
    canceled: jobEnded('CANCELED'),
    lost: jobEnded('LOST'),
  },
  actions: {
    incidentOpened: countIncidents(1, newsOf),
    incidentClosed: countIncidents(-1),
    begin: action(({ context }) => begin(context)),
    noteJob: action(({ context }) => ({ set: { job: { ...context.job, ready: true } } })),
    noteChange: on('jobChanged', (_, event) => ({ set: { job: { ready: true, step: event.step } } })),
    noteStart: action(({ context, event }) => ({
      set: {
        job: { ...context.job, ready: true },
        times: { ...context.times, started: context.times.started ?? event.at },
      },
    })),
    takeEnd: on('jobEnded', (context, { outcome, problem, exit }) => {
      const shown = outcome === 'CANCELED' ? (context.problem ?? problem) : (problem ?? context.problem)
      return { set: { problem: outcome === 'SUCCEEDED' ? null : shown, exit } }
    }),
    takeTransferEnd: on('transferEnded', (context, { problem }) => ({
      set: { problem },
      tell: context.job.ready ? [toJob(context, { type: 'cancel' })] : [],
    })),
    noteReason: on('stop', (_, { code, message }) => ({
      set: { stopping: true, ...(code === undefined ? {} : { problem: { code, message: message ?? '' } }) },
    })),
    stopJob: action(({ context }) => ({ tell: [toJob(context, { type: 'cancel' })] })),
    finishSucceeded: ends('SUCCEEDED'),
    finishFailed: ends('FAILED'),
    finishCanceled: ends('CANCELED'),
    finishLost: ends('LOST'),
  },
}).createMachine({
  id: 'deployment',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    job: { ready: false, step: 0 },
    stopping: false,
    times: { started: null, ended: null },
    problem: null,
    exit: null,
    incidents: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'CREATED',
      states: {
        CREATED: {
          entry: 'begin',
          meta: {
            label: 'Created',
            waitsFor: 'its agent to accept the job',
            unbounded: 'the agent connects, its transfer expires after 24 hours, or an operator revokes the agent',
          },
          on: {
            jobReady,
            // Changes of the job may arrive in any order, and each later one means that it was accepted too.
            jobChanged: [
              { guard: 'hasFile', target: 'TRANSFERRING', actions: ['noteChange', 'noteStart'] },
              { target: 'INSTALLING', actions: ['noteChange', 'noteStart'] },
            ],
            progressed: [transferring, installing, running],
            jobEnded: ending,
            // After the acceptance the agent finds that out by itself.
            transferEnded: { target: 'FAILED', actions: 'takeTransferEnd' },
            stop: [{ guard: 'isUnstarted', target: 'CANCELED', actions: 'noteReason' }, stop],
          },
        },
        TRANSFERRING: {
          meta: { label: 'Transferring', waitsFor: 'the artifact on its machine', lease: "its job's agent" },
          on: { jobReady, jobChanged, progressed: [installing, running], jobEnded: ending, stop },
        },
        INSTALLING: {
          meta: { label: 'Installing', waitsFor: 'the installation', lease: "its job's agent" },
          on: { jobReady, jobChanged, progressed: [running], jobEnded: ending, stop },
        },
        RUNNING: {
          meta: { label: 'Running', waitsFor: 'its processes to end', lease: "its job's agent" },
          on: { jobReady, jobChanged, jobEnded: ending, stop },
        },
        SUCCEEDED: { tags: 'terminal', entry: 'finishSucceeded', meta: { label: 'Succeeded' } },
        FAILED: { tags: 'terminal', entry: 'finishFailed', meta: { label: 'Failed' } },
        CANCELED: { tags: 'terminal', entry: 'finishCanceled', meta: { label: 'Canceled' } },
        LOST: { tags: 'terminal', entry: 'finishLost', meta: { label: 'Lost' } },
      },
    },
    incident: incidentRegion,
  },
})

/** The order in which the states of a running deployment follow each other. Reports may arrive late. */
const ranks: Readonly<Record<string, number>> = { TRANSFERRING: 1, INSTALLING: 2, RUNNING: 3 }

export const deployment = define({
  kind: 'deployment',
  version: 1,
  machine,
  effects: ['tell', 'notify'],
  columns: ({ value: { lifecycle }, context: { init, stopping } }) => ({
    phase: stopping ? 'STOPPING' : lifecycle === 'CREATED' ? 'WAITING_FOR_AGENT' : undefined,
    agentId: init.targetAgentId,
    scopeId: init.buildId,
    number: init.number,
  }),
  search: ({ context: { init } }) => ({
    title: `${init.buildName} #${init.buildNumber} → ${init.destination.name}`,
    text: [init.artifact?.path, init.commit].filter(Boolean).join(' '),
  }),
  repeats: ({ value: { lifecycle }, context }, event) => {
    if (repeatsIncident(context, event)) return true
    switch (event.type) {
      case 'jobReady':
        return context.job.ready
      case 'jobChanged':
        return event.step <= context.job.step
      case 'progressed':
        return (ranks[lifecycle] ?? 0) >= (ranks[event.phase] ?? 0)
      case 'transferEnded':
        return context.stopping || lifecycle !== 'CREATED'
      case 'stop':
        return context.stopping || lifecycle === 'CANCELED'
      case 'jobEnded':
        return lifecycle === event.outcome || (lifecycle === 'FAILED' && event.outcome === 'TIMED_OUT')
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['FAILED', 'CANCELED', 'LOST'],
  operatorEvents: { stop: { label: 'Stop deployment' } },
})
