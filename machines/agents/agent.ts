/**
 * The program on a managed machine that executes jobs there. Presence (heartbeats in memory) watches its silence and sends `silent` and
 * `lost`. Each connection has an epoch. A message over an older connection is refused.
 */
import { setup } from 'xstate'
import { Failure } from '../../spec/core/failure.ts'
import { act, actOn } from '../framework/act.ts'
import { define, typesOf } from '../framework/define.ts'
import { Members } from '../framework/members.ts'
import type { Refused } from '../framework/refused.ts'
import { isStale, refuseStale } from '../framework/revision.ts'
import {
  type AgentContext,
  type AgentEvent,
  begin,
  comeBack,
  connect,
  dropJob,
  endJob,
  endLeases,
  greet,
  type LooseJob,
  noteLeft,
  reportDrain,
  reportLost,
  settleLoose,
  takeJob,
  tellDrain,
  tellRevoked,
} from './agentActions.ts'
import { noteClis } from './agentClis.ts'
import { noteDestinations } from './agentDestinations.ts'
import { agentMembers } from './agentKeys.ts'
import { hasSkills, noteSkills } from './agentSkills.ts'
import { hasTags, setTags, tagsOf } from './agentTags.ts'

type AnyEvent = AgentEvent | Refused
const action = act<AgentContext, AnyEvent, AnyEvent>
const on = actOn<AgentContext, AnyEvent>()

/** The events that an enrolled agent accepts, connected or not. */
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
  destinationsReported: { actions: 'takeDestinations' },
  skillsReported: { actions: 'takeSkills' },
  setTags: { actions: 'setTags' },
  revoke: 'REVOKED',
} as const

/** An agent that still sends heartbeats on its open connection does not connect again: its next heartbeat brings it back. */
const missed = {
  ...enrolled,
  heartbeatReceived: { guard: 'isCurrent', target: 'CONNECTED', actions: 'comeBack' },
} as const

const machine = setup({
  types: typesOf<AgentContext, AnyEvent>(),
  guards: {
    isCurrent: ({ context, event }) =>
      (event.type === 'connectMore' || event.type === 'leasesOver' || event.type === 'heartbeatReceived') &&
      event.epoch === context.epoch,
    isCurrentDrain: ({ context, event }) => event.type === 'drainMore' && event.revision === context.drain.revision,
    offerRefused: ({ event }) => event.type === 'refused' && event.sent === 'offer',
    claimIsOver: ({ event }) =>
      event.type === 'refused' && event.sent === 'agentMade' && event.code === 'FAILED_PRECONDITION',
    allRevoked: ({ event }) => event.type === 'revokeMore' && event.after === '~',
  },
  actions: {
    begin: action(({ context }) => begin(context)),
    connect: on('connect', connect),
    connectMore: on('connectMore', greet),
    comeBack: action(({ context }) => comeBack(context)),
    goOffline: action(() => ({ set: { online: false } })),
    takeJob: on('jobWaiting', takeJob),
    endJob: on('jobEnded', endJob),
    dropJob: on('refused', (context, { echo }) => dropJob(context, String(echo))),
    settleLoose: on('jobsGone', (context, { jobIds }) => settleLoose(context, jobIds)),
    noteLeft: on('jobLeft', noteLeft),
    endLeases: action(({ context, event }) => endLeases(context, event.type === 'leasesOver' ? event.after : '')),
    reportLost: on('lost', reportLost),
    addQueue: on('queueAdded', ({ members, drain: { draining, revision } }, { queueId, worktreeId }) => {
      const message = { type: 'agentDrain', draining, revision }
      return {
        set: { members: members.with(agentMembers.queue.toKey(queueId), worktreeId) },
        tell: draining ? [{ to: { kind: 'worktreeQueue', id: queueId }, event: message }] : [],
      }
    }),
    removeQueue: on('queueRemoved', ({ members }, { queueId }) => ({
      set: { members: members.without(agentMembers.queue.toKey(queueId)) },
    })),
    drainMore: on('drainMore', (context, { after }) => tellDrain(context, after)),
    rotate: on('rotate', ({ credential }, { newHash }) => ({ set: { credential: { ...credential, next: newHash } } })),
    recredential: on('recredential', (_, { hash }) => ({ set: { credential: { hash, next: null } } })),
    promote: on('credentialUsed', (_, { hash }) => ({ set: { credential: { hash, next: null } } })),
    takeClis: on('clisReported', ({ members }, { clis, at }) => ({ set: { members: noteClis(members, clis, at) } })),
    takeDestinations: on('destinationsReported', ({ members }, { destinations, at }) => ({
      set: { members: noteDestinations(members, destinations, at) },
    })),
    takeSkills: on('skillsReported', ({ members }, { skills, at }) => ({
      set: { members: noteSkills(members, skills, at) },
    })),
    setTags: on('setTags', (context, event) => ({ set: { tags: setTags(context, event) } })),
    reportDrain: action(({ context, event }) => reportDrain(context, event.type === 'drain')),
    beginRevoking: action(({ context }) => ({ ...tellRevoked(context, ''), set: { online: false } })),
    revokeMore: on('revokeMore', (context, { after }) => tellRevoked(context, after)),
  },
}).createMachine({
  id: 'agent',
  context: ({ input: { id, init } }) => ({
    init,
    members: Members.empty,
    id,
    facts: init.facts,
    epoch: 0,
    connectedAt: null,
    credential: { hash: init.credentialHash, next: null },
    drain: { draining: false, revision: 0 },
    online: false,
    loose: 0,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'PENDING',
      entry: 'begin',
      states: {
        PENDING: {
          meta: { label: 'Enrolled', waitsFor: 'its first connection', unbounded: 'its enrollment revokes it in time' },
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
            lost: { target: 'LOST', actions: ['goOffline', 'reportLost', 'endLeases'] },
          },
        },
        DISCONNECTED: {
          meta: { label: 'Disconnected', waitsFor: 'the agent to connect again', lease: 'silence of 180 s' },
          on: { ...missed, lost: { target: 'LOST', actions: ['reportLost', 'endLeases'] } },
        },
        LOST: {
          meta: {
            label: 'Lost',
            waitsFor: 'the agent to connect again',
            unbounded: 'the machine comes back, or a person revokes the agent',
          },
          on: missed,
        },
        REVOKED: {
          initial: 'TELLING',
          meta: { label: 'Revoked' },
          states: {
            // A terminal actor accepts no events. So the last slice of farewell messages must be sent before.
            TELLING: {
              entry: 'beginRevoking',
              meta: { label: 'Telling its jobs and queues', expected: 10_000, unbounded: 'its own messages' },
              on: { revokeMore: [{ guard: 'allRevoked', target: 'OVER' }, { actions: 'revokeMore' }] },
            },
            OVER: { tags: 'terminal', meta: { label: 'Revoked' } },
          },
        },
      },
    },
    drain: {
      initial: 'ACTIVE',
      states: {
        ACTIVE: { meta: { label: 'Takes work' }, on: { drain: { target: 'DRAINING', actions: 'reportDrain' } } },
        DRAINING: {
          meta: { label: 'Drains', waitsFor: 'a person to end the drain', unbounded: 'a person ends the drain' },
          on: { activate: { target: 'ACTIVE', actions: 'reportDrain' } },
        },
      },
    },
  },
})

/** The agent may still be sending its farewell messages: only REVOKED has states of its own. */
const isRevoked = (lifecycle: unknown): boolean => typeof lifecycle === 'object'

const revoked = (advice: string): Failure =>
  new Failure('FAILED_PRECONDITION', `The agent was revoked. ${advice}`, { details: { state: 'REVOKED' } })

export const agent = define({
  kind: 'agent',
  version: 1,
  machine,
  effects: ['tell', 'notify'],
  // A revoked agent is found by its credential too, so that the agent gets the reason of its refusal.
  columns: ({ context: { credential, init } }) => ({
    uniqueKey: credential.hash,
    otherKey: credential.next ?? undefined,
    scopeId: init.enrollmentId,
  }),
  refuse: ({ value: { lifecycle }, context }, event) => {
    const { epoch, credential } = context
    switch (event.type) {
      case 'disconnected':
      case 'silent':
      case 'heartbeatReceived':
      case 'lost':
        return event.epoch === undefined || event.epoch === epoch
          ? undefined
          : new Failure(
              'STALE_EPOCH',
              `Connection ${event.epoch} of this agent was replaced by connection ${epoch}. Connect again.`,
              {
                details: { epoch },
              },
            )
      case 'credentialUsed':
        return event.hash === credential.next
          ? undefined
          : new Failure('FAILED_PRECONDITION', 'This is not the next credential of this agent.', {
              details: { field: 'hash' },
            })
      case 'drain':
      case 'activate':
        return isRevoked(lifecycle) ? revoked('It gets no more work.') : undefined
      case 'setTags':
        return isRevoked(lifecycle)
          ? revoked('Set the tags of another one.')
          : refuseStale('The agent is', tagsOf(context), event)
      default:
        return undefined
    }
  },
  repeats: ({ value: { lifecycle }, context }, event) => {
    const { credential, drain, epoch, members } = context
    const revoked = isRevoked(lifecycle)
    switch (event.type) {
      case 'credentialUsed':
        return event.hash === credential.hash
      case 'revoke':
      case 'enrollmentOver':
        return revoked
      case 'heartbeatReceived':
        return event.epoch === epoch && lifecycle === 'CONNECTED'
      case 'jobLeft':
        return (
          (members.get(agentMembers.looseJob.toKey(event.jobId)) as LooseJob | undefined)?.left === event.left &&
          !revoked
        )
      case 'skillsReported':
        return !revoked && hasSkills(members, event.skills)
      case 'setTags':
        return !revoked && !isStale(tagsOf(context), event) && hasTags(context, event)
      case 'drain':
        return drain.draining && !revoked
      case 'activate':
        return !drain.draining && !revoked
      default:
        return false
    }
  },
  // Revoked agents too: a user may look for the machine.
  search: ({ context }) => {
    const { init, facts } = context
    const { names } = tagsOf(context)
    return {
      title: init.name,
      text: [facts.hostname, facts.platform, facts.arch, facts.version, ...names].join(' '),
      list: { text: '', marks: Object.fromEntries(names.map((name) => [`tag ${name}`, 'true'])) },
    }
  },
  operable: true,
  operatorEvents: {
    drain: { label: 'Drain agent: active runs continue, no new run starts' },
    activate: { label: 'Stop draining agent' },
    lost: { label: 'Mark agent as lost, with its active jobs' },
  },
})
