/** AI work in turns: each turn is a SessionRun, and the conversation goes on from one to the next. */
import { setup } from 'xstate'
import { act, actOn } from './act.ts'
import { define, type MachineContext, typesOf } from './define.ts'
import type { Members } from './members.ts'
import { ofWorktree } from './ofWorktree.ts'
import {
  askTurn,
  awaitsRun,
  isOver,
  newTurns,
  type RunChanged,
  refuseTurn,
  standing,
  sweepTurns,
  type TurnAsked,
  type Turns,
  takeTurn,
  unaskedMs,
} from './turns.ts'

export type SessionInit = {
  readonly worktreeId: string
  readonly codebaseId: string
  readonly agentId: string
  readonly title: string
  /** The plan that it carries out. */
  readonly planId: string | null
  /** Its first turn. */
  readonly runId: string
  readonly createdAt: number
}

export interface SessionContext extends MachineContext, Turns {
  readonly init: SessionInit
  readonly members: Members
  readonly id: string
}

export type SessionEvent =
  | RunChanged
  | TurnAsked
  | { type: 'finish'; at: number }
  | { type: 'fail'; at: number; message: string }
  | { type: 'delete'; at: number }

const on = actOn<SessionContext, SessionEvent>()

const turns = {
  runChanged: [
    { guard: 'becomesQueued', target: 'QUEUED', actions: 'takeTurn' },
    { guard: 'becomesRunning', target: 'RUNNING', actions: 'takeTurn' },
    { guard: 'becomesWaiting', target: 'WAITING_FOR_INPUT', actions: 'takeTurn' },
    { guard: 'becomesPaused', target: 'PAUSED', actions: 'takeTurn' },
    { guard: 'becomesIdle', target: 'IDLE', actions: 'takeTurn' },
  ],
  turnAsked: [{ guard: 'becomesQueued', target: 'QUEUED', actions: 'askTurn' }, { actions: 'askTurn' }],
} as const

const becomes =
  (status: ReturnType<typeof standing>) =>
  ({ context, event }: { context: SessionContext; event: SessionEvent }): boolean => {
    if (event.type === 'turnAsked') return standing(askTurn(context.members, event)) === status
    if (event.type !== 'runChanged') return false
    const next = takeTurn(context, event)
    return next !== undefined && standing(next.members) === status
  }

const machine = setup({
  types: typesOf<SessionContext, SessionEvent>(),
  guards: {
    becomesIdle: becomes('IDLE'),
    becomesQueued: becomes('QUEUED'),
    becomesRunning: becomes('RUNNING'),
    becomesWaiting: becomes('WAITING_FOR_INPUT'),
    becomesPaused: becomes('PAUSED'),
    someAwaited: ({ context }) => awaitsRun(context.members),
    noneCame: ({ context, event }) => standing(sweepTurns(context.members, event.at)) === 'IDLE',
  },
  actions: {
    askTurn: on('turnAsked', ({ members }, event) => ({ set: { members: askTurn(members, event) } })),
    sweep: act(({ context, event }) => ({ set: { members: sweepTurns(context.members, event.at) } })),
    takeTurn: on('runChanged', (context, event) => {
      const next = takeTurn(context, event) ?? {}
      const { planId } = context.init
      if (planId === null || !isOver(event.status)) return { set: next }
      const word = { type: 'sessionOver', sessionId: context.id, succeeded: event.status === 'SUCCEEDED' }
      return { set: next, tell: [{ to: { kind: 'plan', id: planId }, event: word }] }
    }),
  },
}).createMachine({
  id: 'session',
  context: ({ input: { id, init } }) => ({ ...newTurns(init), init, id }),
  initial: 'QUEUED',
  states: {
    IDLE: {
      meta: { label: 'Idle', waitsFor: 'a follow-up', unbounded: 'a person' },
      on: { ...turns, finish: 'FINISHED', fail: 'ERROR', delete: 'DELETED' },
    },
    QUEUED: {
      meta: { label: 'Queued', waitsFor: "its run's turn", unbounded: 'its run' },
      after: {
        [unaskedMs]: [
          { guard: 'noneCame', target: 'IDLE', actions: 'sweep' },
          { guard: 'someAwaited', target: 'QUEUED', reenter: true },
        ],
      },
      on: turns,
    },
    RUNNING: { meta: { label: 'Running', waitsFor: 'its run', unbounded: 'its run' }, on: turns },
    WAITING_FOR_INPUT: {
      meta: { label: 'Waiting for input', waitsFor: 'a person to answer', unbounded: 'a person answers' },
      on: turns,
    },
    PAUSED: { meta: { label: 'Paused', waitsFor: 'its run to go on', unbounded: 'its run' }, on: turns },
    FINISHED: { tags: 'terminal', meta: { label: 'Finished' } },
    ERROR: { tags: 'terminal', meta: { label: 'Error' } },
    DELETED: { tags: 'terminal', meta: { label: 'Deleted' } },
  },
})

export const session = define({
  kind: 'session',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ofWorktree,
  refuse: ({ context: { members } }, event) => (event.type === 'turnAsked' ? refuseTurn(members, event) : undefined),
  operable: true,
  operatorEvents: ['finish', 'delete'],
})
