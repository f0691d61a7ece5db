/**
 * The program on a managed machine, as the control plane knows it. Presence (heartbeats in memory) watches its silence and
 * says `silent` and `lost`; each connection has an epoch, and what comes over an older one is refused.
 */
import { setup } from 'xstate'
import type { Json } from '../spec/actor.ts'
import { Failure } from '../spec/failure.ts'
import { redaction } from '../spec/redaction.ts'
import { act } from './act.ts'
import {
  type AgentContext,
  type AgentEvent,
  type AgentInit,
  begin,
  comeBack,
  connect,
  dropJob,
  endJob,
  endLeases,
  type LooseJob,
  noteLeft,
  offerWaiting,
  settleLoose,
  takeJob,
  tellDrain,
  tellRevoked,
} from './agentSteps.ts'
import { define, type MachineInput } from './define.ts'
import { Members } from './members.ts'
import type { Refused } from './refused.ts'

type AnyEvent = AgentEvent | Refused
const step = act<AgentContext, AnyEvent, AnyEvent>

/** What an enrolled agent accepts whether it is connected or not. */
const enrolled = {
  connect: { target: 'CONNECTED', actions: 'connect' },
  connectMore: { guard: 'isCurrent', actions: 'connectMore' },
  jobWaiting: { actions: 'takeJob' },
  jobEnded: { actions: 'endJob' },
  jobsGone: { actions: 'settleLoose' },
  jobLeft: { actions: 'noteLeft' },
  leasesOver: { guard: 'isCurrent', actions: 'endLeases' },
  queueAdded: { actions: 'addQueue' },
  queueRemoved: { actions: 'removeQueue' },
  drainMore: { guard: 'isCurrentDrain', actions: 'drainMore' },
  refused: { guard: 'offerRefused', actions: 'dropJob' },
  rotate: { actions: 'rotate' },
  credentialUsed: { actions: 'promote' },
  clisReported: { actions: 'takeClis' },
  revoke: 'REVOKED',
} as const

/** An agent that goes on beating on its open connection does not connect again: its heartbeat says that it is there. */
const unheard = { ...enrolled, heard: { guard: 'isCurrent', target: 'CONNECTED', actions: 'comeBack' } } as const

const machine = setup({
  types: {
    context: {} as AgentContext,
    events: {} as AnyEvent,
    input: {} as MachineInput,
    tags: {} as 'terminal',
  },
  guards: {
    isCurrent: ({ context, event }) =>
      (event.type === 'connectMore' || event.type === 'leasesOver' || event.type === 'heard') &&
      event.epoch === context.epoch,
    isCurrentDrain: ({ context, event }) => event.type === 'drainMore' && event.revision === context.drain.revision,
    offerRefused: ({ event }) => event.type === 'refused' && event.told === 'offer',
    claimIsOver: ({ event }) =>
      event.type === 'refused' && event.told === 'agentMade' && event.code === 'FAILED_PRECONDITION',
    nobodyLeft: ({ event }) => event.type === 'revokeMore' && event.after === '~',
  },
  actions: {
    begin: step(({ context }) => begin(context)),
    connect: step(({ context, event }) => (event.type === 'connect' ? connect(context, event) : {})),
    connectMore: step(({ context, event }) =>
      event.type === 'connectMore' ? offerWaiting(context, event.forgot, event.after) : {},
    ),
    comeBack: step(({ context }) => comeBack(context)),
    goOffline: step(() => ({ set: { online: false } })),
    takeJob: step(({ context, event }) => (event.type === 'jobWaiting' ? takeJob(context, event) : {})),
    endJob: step(({ context, event }) => (event.type === 'jobEnded' ? endJob(context, event) : {})),
    dropJob: step(({ context, event }) => (event.type === 'refused' ? dropJob(context, String(event.echo)) : {})),
    settleLoose: step(({ context, event }) => (event.type === 'jobsGone' ? settleLoose(context, event.jobIds) : {})),
    noteLeft: step(({ context, event }) => (event.type === 'jobLeft' ? noteLeft(context, event) : {})),
    endLeases: step(({ context, event }) => endLeases(context, event.type === 'leasesOver' ? event.after : '')),
    addQueue: step(({ context, event }) => {
      if (event.type !== 'queueAdded') return {}
      const { draining, revision } = context.drain
      const said = { type: 'agentDrain', draining, revision }
      return {
        set: { members: context.members.with(`queue/${event.queueId}`, event.worktreeId) },
        tell: draining ? [{ to: { kind: 'worktreeQueue', id: event.queueId }, event: said }] : [],
      }
    }),
    removeQueue: step(({ context, event }) =>
      event.type === 'queueRemoved' ? { set: { members: context.members.without(`queue/${event.queueId}`) } } : {},
    ),
    drainMore: step(({ context, event }) => (event.type === 'drainMore' ? tellDrain(context, event.after) : {})),
    rotate: step(({ context, event }) =>
      event.type === 'rotate' ? { set: { credential: { ...context.credential, next: event.newHash } } } : {},
    ),
    recredential: step(({ event }) =>
      event.type === 'recredential' ? { set: { credential: { hash: event.hash, next: null } } } : {},
    ),
    promote: step(({ event }) =>
      event.type === 'credentialUsed' ? { set: { credential: { hash: event.hash, next: null } } } : {},
    ),
    takeClis: step(({ context, event }) =>
      event.type === 'clisReported' ? { set: { members: context.members.with('clis', event.clis) } } : {},
    ),
    sayDrain: step(({ context, event }) => {
      const drain = { draining: event.type === 'drain', revision: context.drain.revision + 1 }
      const told = tellDrain({ ...context, drain }, '')
      if (drain.draining) return { set: { drain }, tell: told.tell ?? [] }
      const offered = offerWaiting({ ...context, drain }, [], '')
      return { set: { drain, ...offered.set }, tell: [...(told.tell ?? []), ...(offered.tell ?? [])] }
    }),
    beginRevoking: step(({ context }) => ({ ...tellRevoked(context, ''), set: { online: false } })),
    revokeMore: step(({ context, event }) => (event.type === 'revokeMore' ? tellRevoked(context, event.after) : {})),
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => {
    const init = input.init as unknown as AgentInit
    return {
      init,
      members: Members.empty,
      id: input.id,
      facts: init.facts,
      epoch: 0,
      connectedAt: null,
      credential: { hash: init.credentialHash, next: null },
      drain: { draining: false, revision: 0 },
      online: false,
      loose: 0,
    }
  },
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'PENDING',
      entry: 'begin',
      states: {
        PENDING: {
          meta: { label: 'Enrolled', waitsFor: 'its first connection', unbounded: 'its enrolment revokes it in time' },
          on: {
            ...enrolled,
            // The claim may be repeated, with a new credential each time, until the agent first connects.
            recredential: { actions: 'recredential' },
            enrollmentOver: 'REVOKED',
            refused: [{ guard: 'claimIsOver', target: 'REVOKED' }, enrolled.refused],
          },
        },
        CONNECTED: {
          meta: { label: 'Connected', lease: 'heartbeats every 15 s' },
          on: {
            ...enrolled,
            disconnected: { target: 'DISCONNECTED', actions: 'goOffline' },
            silent: { target: 'DISCONNECTED', actions: 'goOffline' },
            lost: { target: 'LOST', actions: ['goOffline', 'endLeases'] },
          },
        },
        DISCONNECTED: {
          meta: { label: 'Disconnected', waitsFor: 'the agent to connect again', lease: 'silence of 180 s' },
          on: { ...unheard, lost: { target: 'LOST', actions: 'endLeases' } },
        },
        LOST: {
          meta: {
            label: 'Lost',
            waitsFor: 'the agent to connect again',
            unbounded: 'the machine comes back, or a person revokes the agent',
          },
          on: unheard,
        },
        REVOKED: {
          initial: 'TELLING',
          meta: { label: 'Revoked' },
          states: {
            // A terminal actor takes nothing in, so the last slice of farewells must be out before.
            TELLING: {
              entry: 'beginRevoking',
              meta: { label: 'Telling its jobs and queues', expected: 10_000, unbounded: 'its own messages' },
              on: { revokeMore: [{ guard: 'nobodyLeft', target: 'OVER' }, { actions: 'revokeMore' }] },
            },
            OVER: { tags: 'terminal', meta: { label: 'Revoked' } },
          },
        },
      },
    },
    drain: {
      initial: 'ACTIVE',
      states: {
        ACTIVE: { meta: { label: 'Takes work' }, on: { drain: { target: 'DRAINING', actions: 'sayDrain' } } },
        DRAINING: {
          meta: { label: 'Drains', waitsFor: 'a person to end the drain', unbounded: 'a person ends the drain' },
          on: { activate: { target: 'ACTIVE', actions: 'sayDrain' } },
        },
      },
    },
  },
})

/** It may still be taking leave: only REVOKED has states of its own. */
const isRevoked = (value: Json): boolean => typeof (value as { lifecycle: Json }).lifecycle === 'object'

export const agent = define({
  kind: 'agent',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ value, context }) => {
    const { credential, init } = context as AgentContext
    const revoked = isRevoked(value)
    return {
      uniqueKey: revoked ? undefined : credential.hash,
      otherKey: revoked ? undefined : (credential.next ?? undefined),
      scopeId: init.enrollmentId,
    }
  },
  refuse: ({ value, context }, message) => {
    const event = message as unknown as AgentEvent
    const { epoch, credential } = context as AgentContext
    switch (event.type) {
      case 'disconnected':
      case 'silent':
      case 'heard':
      case 'lost':
        return event.epoch === undefined || event.epoch === epoch
          ? undefined
          : new Failure('STALE_EPOCH', `Connection ${event.epoch} of this agent was replaced by ${epoch}.`, {
              details: { epoch },
            })
      case 'credentialUsed':
        return event.hash === credential.next
          ? undefined
          : new Failure('FAILED_PRECONDITION', 'This is not the next credential of this agent.')
      case 'drain':
      case 'activate':
        return isRevoked(value) ? new Failure('FAILED_PRECONDITION', 'The agent was revoked.') : undefined
      default:
        return undefined
    }
  },
  repeats: ({ value, context }, message) => {
    const event = message as unknown as AgentEvent
    const { credential, drain, epoch, members } = context as AgentContext
    const revoked = isRevoked(value)
    switch (event.type) {
      case 'credentialUsed':
        return event.hash === credential.hash
      case 'revoke':
      case 'enrollmentOver':
        return revoked
      case 'heard':
        return event.epoch === epoch && (value as { lifecycle: Json }).lifecycle === 'CONNECTED'
      case 'jobLeft':
        return (members.get(`loose/${event.jobId}`) as LooseJob | undefined)?.left === event.left && !revoked
      case 'drain':
        return drain.draining && !revoked
      case 'activate':
        return !drain.draining && !revoked
      default:
        return false
    }
  },
  redact: redaction.agent,
  operable: true,
  operatorEvents: ['drain', 'activate'],
})
