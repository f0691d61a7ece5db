/** What a PlanRun makes or revises, and a Session carries out. */
import { setup } from 'xstate'
import { act } from './act.ts'
import { define, type MachineContext, type MachineInput } from './define.ts'
import type { Members } from './members.ts'
import { askTurn, newTurns, type RunChanged, refuseTurn, type TurnAsked, type Turns, takeTurn } from './turns.ts'

export type PlanInit = {
  readonly worktreeId: string
  readonly codebaseId: string
  readonly agentId: string
  readonly title: string
  /** Its first turn. */
  readonly runId: string
  readonly createdAt: number
}

export interface PlanContext extends MachineContext, Turns {
  readonly init: PlanInit
  readonly members: Members
  readonly id: string
  /** The session that carries it out. */
  readonly sessionId: string | null
}

export type PlanEvent =
  | RunChanged
  | TurnAsked
  | { type: 'play'; at: number; sessionId: string }
  | { type: 'sessionOver'; at: number; sessionId: string; succeeded: boolean }
  | { type: 'archive'; at: number }

const step = act<PlanContext, PlanEvent, PlanEvent>

const made = [
  { guard: 'succeeded', target: 'READY', actions: 'takeTurn' },
  { guard: 'isNews', actions: 'takeTurn' },
] as const

const revised = { runChanged: made, turnAsked: { actions: 'askTurn' } } as const

const machine = setup({
  types: {
    context: {} as PlanContext,
    events: {} as PlanEvent,
    input: {} as MachineInput,
    tags: {} as 'terminal',
  },
  guards: {
    succeeded: ({ context, event }) =>
      event.type === 'runChanged' && event.status === 'SUCCEEDED' && takeTurn(context, event) !== undefined,
    isNews: ({ context, event }) => event.type === 'runChanged' && takeTurn(context, event) !== undefined,
    playedWell: ({ context, event }) =>
      event.type === 'sessionOver' && event.sessionId === context.sessionId && event.succeeded,
    playedOut: ({ context, event }) => event.type === 'sessionOver' && event.sessionId === context.sessionId,
  },
  actions: {
    askTurn: step(({ context, event }) =>
      event.type === 'turnAsked' ? { set: { members: askTurn(context.members, event) } } : {},
    ),
    takeTurn: step(({ context, event }) =>
      event.type === 'runChanged' ? { set: takeTurn(context, event) ?? {} } : {},
    ),
    play: step(({ event }) => (event.type === 'play' ? { set: { sessionId: event.sessionId } } : {})),
  },
}).createMachine({
  id: 'plan',
  context: ({ input }) => {
    const init = input.init as unknown as PlanInit
    return { ...newTurns(init), init, id: input.id, sessionId: null }
  },
  initial: 'DRAFT',
  states: {
    DRAFT: {
      meta: { label: 'Draft', waitsFor: 'a run to make it', unbounded: 'its runs, or a person' },
      on: { ...revised, archive: 'ARCHIVED' },
    },
    READY: {
      meta: { label: 'Ready', waitsFor: 'a person to play or revise it', unbounded: 'a person' },
      on: { ...revised, play: { target: 'RUNNING', actions: 'play' }, archive: 'ARCHIVED' },
    },
    RUNNING: {
      meta: { label: 'Being carried out', waitsFor: 'its session', unbounded: 'its session, or a person archives it' },
      on: {
        runChanged: { guard: 'isNews', actions: 'takeTurn' },
        sessionOver: [
          { guard: 'playedWell', target: 'COMPLETED' },
          { guard: 'playedOut', target: 'FAILED' },
        ],
        archive: 'ARCHIVED',
      },
    },
    COMPLETED: {
      meta: { label: 'Completed', unbounded: 'a person archives or plays it again' },
      on: { ...revised, play: { target: 'RUNNING', actions: 'play' }, archive: 'ARCHIVED' },
    },
    FAILED: {
      meta: { label: 'Failed', unbounded: 'a person archives or plays it again' },
      // The session may go on with another turn, and succeed after all.
      on: {
        ...revised,
        sessionOver: { guard: 'playedWell', target: 'COMPLETED' },
        play: { target: 'RUNNING', actions: 'play' },
        archive: 'ARCHIVED',
      },
    },
    ARCHIVED: { tags: 'terminal', meta: { label: 'Archived' } },
  },
})

export const plan = define({
  kind: 'plan',
  version: 1,
  machine,
  effects: ['tell'],
  columns: ({ context }) => {
    const { init } = context as PlanContext
    return { agentId: init.agentId, worktreeId: init.worktreeId, scopeId: init.codebaseId }
  },
  refuse: ({ context }, message) => {
    const event = message as unknown as PlanEvent
    return event.type === 'turnAsked' ? refuseTurn((context as PlanContext).members, event) : undefined
  },
  repeats: ({ value }, event) => event.type === 'archive' && value === 'ARCHIVED',
  operable: true,
  operatorEvents: ['archive'],
})
