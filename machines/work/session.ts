/** AI work on a worktree in several turns, each of which is a session run. The conversation continues from one turn to the next. */
import { setup } from 'xstate'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import type { Members } from '../framework/members.ts'
import { ofWorktree } from '../worktrees/ofWorktree.ts'
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
  /** The plan that the session carries out. */
  readonly planId: string | null
  /** The run of its first turn. */
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

const step = act<SessionContext, SessionEvent, SessionEvent>
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
    sweep: step(({ context, event }) => ({ set: { members: sweepTurns(context.members, event.at) } })),
    /** For an end without the result of a run: a person ended the session, or its run never came. */
    tellPlan: step(({ context, event }) => {
      const succeeded = event.type !== 'fail' && context.lastRun?.status === 'SUCCEEDED'
      return { tell: sessionOver(context, succeeded) }
    }),
    takeTurn: on('runChanged', (context, event) => {
      const next = takeTurn(context, event) ?? {}
      if (!isOver(event.status)) return { set: next }
      return { set: next, tell: sessionOver(context, event.status === 'SUCCEEDED') }
    }),
  },
}).createMachine({
  id: 'session',
  context: ({ input: { id, init } }) => ({ ...newTurns(init), init, id }),
  initial: 'QUEUED',
  states: {
    IDLE: {
      meta: { label: 'Idle', waitsFor: 'a follow-up', unbounded: 'a person' },
      on: {
        ...turns,
        finish: { target: 'FINISHED', actions: 'tellPlan' },
        fail: { target: 'ERROR', actions: 'tellPlan' },
        delete: { target: 'DELETED', actions: 'tellPlan' },
      },
    },
    QUEUED: {
      meta: { label: 'Queued', waitsFor: "its run's turn", unbounded: 'its run' },
      after: {
        [unaskedMs]: [
          { guard: 'noneCame', target: 'IDLE', actions: ['sweep', 'tellPlan'] },
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

/** The message to the plan that the session carries out, if there is one. No other actor waits for the session. */
function sessionOver({ init, id }: SessionContext, succeeded: boolean): readonly Tell[] {
  if (init.planId === null) return []
  return [{ to: { kind: 'plan', id: init.planId }, event: { type: 'sessionOver', sessionId: id, succeeded } }]
}

/** The final state of each event that ends a session. */
const endings: Readonly<Record<string, string>> = { finish: 'FINISHED', fail: 'ERROR', delete: 'DELETED' }

export const session = define({
  kind: 'session',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ofWorktree,
  refuse: ({ context: { members } }, event) => (event.type === 'turnAsked' ? refuseTurn(members, event) : undefined),
  search: ({ value, context: { init } }) => (value === 'DELETED' ? undefined : { title: init.title, text: '' }),
  repeats: ({ value }, event) => endings[event.type] === value,
  operable: true,
  operatorStates: ['IDLE'],
  operatorEvents: { finish: { label: 'Finish session' }, delete: { label: 'Delete session' } },
})
