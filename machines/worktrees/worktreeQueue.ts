/** The queue of one worktree: the runs and builds that wait, those that hold a slot, and the reservation. Its rules are in admission.ts. */
import { setup } from 'xstate'
import type { Json } from '../../spec/core/actor.ts'
import { Failure } from '../../spec/core/failure.ts'
import { act, actOn } from '../framework/act.ts'
import { define, typesOf } from '../framework/define.ts'
import type { Refused } from '../framework/refused.ts'
import { emptyBook, entryOf, slotsHeld } from './admission.ts'
import { ofWorktree } from './ofWorktree.ts'
import {
  begin,
  configureEntry,
  drain,
  end,
  enqueue,
  expel,
  type QueueContext,
  type QueueEvent,
  release,
  revoke,
  settle,
  takeBack,
  update,
} from './queueActions.ts'

/** A queue that was closed for this long asks its worktree whether the removal is still active, ms. */
const closingMs = 150_000

type AnyEvent = QueueEvent | Refused
const action = act<QueueContext, AnyEvent, AnyEvent>
const on = actOn<QueueContext, AnyEvent>()

const removed = { code: 'WORKTREE_REMOVED', message: 'The worktree was removed.' }

const entries = {
  enqueue: { actions: 'enqueue' },
  configure: { actions: 'configure' },
  withdraw: { actions: 'withdraw' },
  ended: { actions: 'ended' },
  settled: { actions: 'settled' },
  refused: [
    { guard: 'startRefused', actions: 'takeBack' },
    { guard: 'agentGone', actions: 'revoke' },
  ],
  pause: { actions: 'pause' },
  resume: { actions: 'resume' },
  agentDrain: { actions: 'drain' },
  agentRevoked: { actions: 'revoke' },
  releaseSlot: { actions: 'releaseSlot' },
  releaseReservation: { actions: 'releaseReservation' },
  continue: { actions: 'continue' },
} as const

const machine = setup({
  types: typesOf<QueueContext, AnyEvent>(),
  guards: {
    isEmpty: ({ context }) => context.waiting === 0,
    isReserved: ({ context }) => context.reservedBy !== null,
    isFree: ({ context }) => context.reservedBy === null,
    isPaused: ({ context }) => context.pause !== null,
    isNotPaused: ({ context }) => context.pause === null,
    isRevoked: ({ context }) => context.revoked,
    isDraining: ({ context }) => context.drain.draining && !context.revoked,
    isActive: ({ context }) => !context.drain.draining && !context.revoked,
    startRefused: ({ event }) => event.type === 'refused' && (event.sent === 'admit' || event.sent === 'placed'),
    // A late message belongs to an earlier removal.
    closedForIt: ({ context, event }) => event.type === 'reopen' && event.jobId === context.closedFor,
    noWorktree: ({ event }) => event.type === 'refused' && event.sent === 'queueWaits' && event.code === 'NOT_FOUND',
    agentGone: ({ event }) => event.type === 'refused' && event.sent === 'queueAdded',
  },
  actions: {
    begin: action(({ context }) => begin(context)),
    enqueue: on('enqueue', enqueue),
    configure: on('configure', configureEntry),
    withdraw: on('withdraw', (context, { runId }) => takeBack(context, runId, true)),
    takeBack: on('refused', (context, { sent, echo }) => takeBack(context, String(echo), sent === 'admit')),
    ended: on('ended', (context, { runId, jobs }) => end(context, runId, jobs)),
    settled: on('settled', (context, { runId }) => settle(context, runId)),
    releaseSlot: on('releaseSlot', (context, { holderId }) => release(context, holderId)),
    releaseReservation: action(({ context }) => update(context, { reservedBy: null })),
    pause: on('pause', (context, { at, by, reason }) =>
      update(context, { pause: { by: by ?? null, at, reason: reason ?? null } }),
    ),
    resume: action(({ context }) => update(context, { pause: null })),
    drain: on('agentDrain', drain),
    revoke: action(({ context }) => revoke(context)),
    continue: action(({ context }) => (context.revoked ? revoke(context) : update(context, {}))),
    expel: action(({ context }) => expel(context, { type: 'terminate', ...removed })),
    close: on('close', (_, { jobId }) => ({ set: { closedFor: jobId } })),
    askWorktree: action(({ context: { init, closedFor } }) => ({
      tell: [{ to: { kind: 'worktree', id: init.worktreeId }, event: { type: 'queueWaits', jobId: closedFor } }],
    })),
    leave: action(({ context }) => ({
      tell: [{ to: { kind: 'agent', id: context.init.agentId }, event: { type: 'queueRemoved', queueId: context.id } }],
    })),
  },
}).createMachine({
  id: 'worktreeQueue',
  context: ({ input: { id, init } }) => ({
    ...emptyBook,
    init,
    id,
    waiting: 0,
    pause: null,
    drain: { draining: false, revision: 0 },
    revoked: false,
    closedFor: null,
  }),
  type: 'parallel',
  states: {
    lifecycle: {
      initial: 'OPEN',
      entry: 'begin',
      states: {
        OPEN: {
          meta: { label: 'Open', waitsFor: 'runs and builds', unbounded: 'its worktree is removed' },
          on: { ...entries, close: { target: 'CLOSING', actions: 'close' }, closed: 'CLOSED' },
        },
        CLOSING: {
          meta: { label: 'The worktree is being removed', waitsFor: 'the agent to remove it', expected: closingMs },
          // The queue never opens by itself: a run that starts then could lose its worktree.
          after: { [closingMs]: { target: 'CLOSING', reenter: true, actions: 'askWorktree' } },
          on: {
            ...entries,
            refused: [{ guard: 'noWorktree', target: 'OPEN' }, ...entries.refused],
            reopen: { guard: 'closedForIt', target: 'OPEN' },
            closed: 'CLOSED',
          },
        },
        CLOSED: {
          initial: 'TELLING',
          entry: ['leave', 'expel'],
          meta: { label: 'Closed' },
          states: {
            // A terminal actor accepts no events, so the runs that still wait must be notified before.
            TELLING: {
              meta: { label: 'Telling those that wait', expected: 10_000, unbounded: 'its own messages' },
              always: { guard: 'isEmpty', target: 'OVER' },
              on: { continue: { actions: 'expel' } },
            },
            OVER: { tags: 'terminal', meta: { label: 'Closed' } },
          },
        },
      },
    },
    reservation: {
      initial: 'FREE',
      states: {
        FREE: { meta: { label: 'Not reserved' }, always: { guard: 'isReserved', target: 'RESERVED' } },
        RESERVED: {
          meta: {
            label: 'Reserved',
            waitsFor: 'the exclusive run or build to be over',
            unbounded: 'the exclusive run or build',
          },
          always: { guard: 'isFree', target: 'FREE' },
        },
      },
    },
    intake: {
      initial: 'FLOWING',
      states: {
        FLOWING: { meta: { label: 'Admitting' }, always: { guard: 'isPaused', target: 'PAUSED' } },
        PAUSED: {
          meta: { label: 'Paused', waitsFor: 'a person to resume it', unbounded: 'a person resumes it' },
          always: { guard: 'isNotPaused', target: 'FLOWING' },
        },
      },
    },
    agent: {
      initial: 'ACTIVE',
      states: {
        ACTIVE: {
          meta: { label: 'Agent takes work' },
          always: [
            { guard: 'isRevoked', target: 'REVOKED' },
            { guard: 'isDraining', target: 'DRAINING' },
          ],
        },
        DRAINING: {
          meta: { label: 'Agent drains', waitsFor: 'the drain to end', unbounded: 'a person ends the drain' },
          always: [
            { guard: 'isRevoked', target: 'REVOKED' },
            { guard: 'isActive', target: 'ACTIVE' },
          ],
        },
        REVOKED: { meta: { label: 'Agent was revoked' } },
      },
    },
  },
})

/** Waiting runs may still have to be notified: only CLOSED has states of its own. */
const isClosed = (value: Json): boolean => typeof (value as { lifecycle: Json }).lifecycle === 'object'

export const worktreeQueue = define({
  kind: 'worktreeQueue',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ofWorktree,
  refuse: ({ value, context: queue }, event) => {
    switch (event.type) {
      case 'enqueue':
        return value.lifecycle === 'CLOSING'
          ? new Failure('FAILED_PRECONDITION', 'The worktree is being removed. Use another worktree.', {
              details: { state: value.lifecycle },
            })
          : undefined
      case 'close':
        if (slotsHeld(queue) + queue.waiting === 0) return undefined
        return new Failure(
          'FAILED_PRECONDITION',
          `The worktree is in use: ${queue.waiting} runs and builds are queued and ${slotsHeld(queue)} slots are held. Cancel them or wait, then remove it.`,
          {
            details: { queued: queue.waiting, held: slotsHeld(queue) },
          },
        )
      case 'withdraw':
      case 'configure':
        return entryOf(queue, event.runId) === undefined
          ? new Failure('NOT_FOUND', `${event.runId} is not in this queue.`)
          : undefined
      case 'releaseSlot':
        return cannotRelease(queue, event.holderId)
      case 'releaseReservation':
        if (queue.reservedBy === null)
          return new Failure('FAILED_PRECONDITION', 'The worktree is not reserved, so nothing can be released.', {
            details: { reservedBy: null },
          })
        return cannotRelease(queue, queue.reservedBy)
      default:
        return undefined
    }
  },
  repeats: ({ value, context: queue }, event) => {
    const closed = isClosed(value)
    switch (event.type) {
      case 'settled':
      case 'ended':
        return entryOf(queue, event.runId) === undefined
      case 'pause':
        return queue.pause !== null && !closed
      case 'resume':
        return queue.pause === null && !closed
      case 'agentDrain':
        return event.revision <= queue.drain.revision && !closed
      case 'closed':
        return closed
      default:
        return false
    }
  },
  operable: true,
  operatorStates: ['OPEN'],
  operatorEvents: {
    pause: { label: 'Pause queue' },
    resume: { label: 'Resume queue' },
    continue: { label: 'Check what can be admitted' },
    releaseSlot: { label: 'Release slot of a run or build that has ended', ids: { holderId: ['run', 'build'] } },
    releaseReservation: { label: 'Release reservation of a run or build that has ended' },
  },
})

function cannotRelease(queue: QueueContext, holderId: string): Failure | undefined {
  const entry = entryOf(queue, holderId)
  if (entry?.state !== 'HELD') {
    return new Failure('FAILED_PRECONDITION', `${holderId} holds no slot of this worktree. Read the queue again.`, {
      details: { holderId },
    })
  }
  if (entry.ended) return undefined
  const holder = entry.kind === 'BUILD' ? 'build' : 'run'
  return new Failure('FAILED_PRECONDITION', `The ${holder} ${holderId} has not ended: cancel it first.`, {
    details: { holderId },
  })
}
