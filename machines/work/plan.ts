/** A document that a plan run creates or revises, and that a session carries out. */
import { setup } from 'xstate'
import { notify } from '../devices/notify.ts'
import { act, actOn } from '../framework/act.ts'
import { define, type MachineContext, typesOf } from '../framework/define.ts'
import type { Members } from '../framework/members.ts'
import { refuseStale } from '../framework/revision.ts'
import { ofWorktree } from '../worktrees/ofWorktree.ts'
import { addRevision } from './addRevision.ts'
import { addsRevision, type PlanEdited, reviseByEdit, reviseByRun } from './planRevisions.ts'
import type { SessionInit } from './session.ts'
import { newTurns, type RunChanged, refuseTurn, startTurn, type TurnAsked, type Turns, takeTurn } from './turns.ts'

export type PlanInit = {
  readonly worktreeId: string
  readonly codebaseId: string
  readonly agentId: string
  readonly title: string
  /** The run of its first turn. */
  readonly runId: string
  readonly createdAt: number
}

type Status = 'DRAFT' | 'READY' | 'RUNNING' | 'COMPLETED' | 'FAILED'

export interface PlanContext extends MachineContext, Turns {
  readonly init: PlanInit
  readonly members: Members
  readonly id: string
  /** The session that carries the plan out. */
  readonly sessionId: string | null
  /** The number of revisions. */
  readonly revision: number
  /** The state to which `unarchive` returns. */
  readonly archivedFrom: Status | null
}

export type PlanEvent =
  | RunChanged
  | TurnAsked
  /** `session` is used to create the session if the request was interrupted before it did. */
  | { type: 'play'; at: number; sessionId: string; session: SessionInit }
  | { type: 'sessionOver'; at: number; sessionId: string; succeeded: boolean }
  | PlanEdited
  | { type: 'archive'; at: number }
  | { type: 'unarchive'; at: number }

const action = act<PlanContext, PlanEvent, PlanEvent>
const on = actOn<PlanContext, PlanEvent>()

const runOutcomes = [
  { guard: 'isAnswered', target: 'READY', actions: 'takeTurn' },
  { guard: 'isNews', actions: 'takeTurn' },
] as const

const revised = {
  runChanged: runOutcomes,
  turnAsked: { actions: 'startTurn' },
  edit: { target: 'READY', actions: 'edit' },
} as const

const archive = (from: Status) =>
  ({
    target: 'ARCHIVED',
    actions: act<PlanContext, PlanEvent, PlanEvent>(() => ({ set: { archivedFrom: from } })),
  }) as const

const machine = setup({
  types: typesOf<PlanContext, PlanEvent>(),
  guards: {
    // A run may succeed without an answer, and then there is no plan to carry out.
    isAnswered: ({ context, event }) =>
      event.type === 'runChanged' && addsRevision(event) && takeTurn(context, event) !== undefined,
    isNews: ({ context, event }) => event.type === 'runChanged' && takeTurn(context, event) !== undefined,
    sessionSucceeded: ({ context, event }) =>
      event.type === 'sessionOver' && event.sessionId === context.sessionId && event.succeeded,
    wasDraft: ({ context }) => context.archivedFrom === 'DRAFT',
    wasRunning: ({ context }) => context.archivedFrom === 'RUNNING',
    wasCompleted: ({ context }) => context.archivedFrom === 'COMPLETED',
    wasFailed: ({ context }) => context.archivedFrom === 'FAILED',
    sessionEnded: ({ context, event }) => event.type === 'sessionOver' && event.sessionId === context.sessionId,
  },
  actions: {
    startTurn: on('turnAsked', startTurn),
    takeTurn: on('runChanged', (context, event) => {
      const next = takeTurn(context, event)
      return next === undefined ? {} : { set: { ...next, ...reviseByRun({ ...context, ...next }, event) } }
    }),
    edit: on('edit', (context, event) => ({ set: reviseByEdit(context, event) })),
    returnReady: action(() => ({ set: { archivedFrom: 'READY' } })),
    returnPlayed: on('sessionOver', (_, { succeeded }) => ({
      set: { archivedFrom: succeeded ? 'COMPLETED' : 'FAILED' },
    })),
    notifyEnded: on('sessionOver', ({ init }, { succeeded, at }) => {
      const { title: name, agentId } = init
      const status = succeeded ? 'COMPLETED' : 'FAILED'
      return { effects: [notify({ reason: 'PLAN_ENDED', status, at, name, agentId })] }
    }),
    play: on('play', (_, { sessionId, session }) => ({
      set: { sessionId },
      tell: [{ to: { kind: 'session', id: sessionId }, event: { type: 'create' }, create: session }],
    })),
  },
}).createMachine({
  id: 'plan',
  context: ({ input: { id, init } }) => ({
    ...newTurns(init),
    ...{ init, id, sessionId: null, revision: 0, archivedFrom: null },
  }),
  initial: 'DRAFT',
  states: {
    DRAFT: {
      meta: { label: 'Draft', waitsFor: 'a run to make it', unbounded: 'its runs, or a person' },
      on: { ...revised, archive: archive('DRAFT') },
    },
    READY: {
      meta: { label: 'Ready', waitsFor: 'a person to play or revise it', unbounded: 'a person' },
      on: { ...revised, play: { target: 'RUNNING', actions: 'play' }, archive: archive('READY') },
    },
    RUNNING: {
      meta: { label: 'Being carried out', waitsFor: 'its session', unbounded: 'its session, or a person archives it' },
      on: {
        runChanged: { guard: 'isNews', actions: 'takeTurn' },
        sessionOver: [
          { guard: 'sessionSucceeded', target: 'COMPLETED', actions: 'notifyEnded' },
          { guard: 'sessionEnded', target: 'FAILED', actions: 'notifyEnded' },
        ],
        archive: archive('RUNNING'),
      },
    },
    COMPLETED: {
      meta: { label: 'Completed', unbounded: 'a person archives or plays it again' },
      on: { ...revised, play: { target: 'RUNNING', actions: 'play' }, archive: archive('COMPLETED') },
    },
    FAILED: {
      meta: { label: 'Failed', unbounded: 'a person archives or plays it again' },
      // The session may continue with another turn and then succeed.
      on: {
        ...revised,
        sessionOver: { guard: 'sessionSucceeded', target: 'COMPLETED', actions: 'notifyEnded' },
        play: { target: 'RUNNING', actions: 'play' },
        archive: archive('FAILED'),
      },
    },
    ARCHIVED: {
      meta: { label: 'Archived', unbounded: 'a person unarchives it' },
      on: {
        // An archived plan still receives the results of active work. They decide the state after `unarchive`.
        runChanged: [
          { guard: 'isAnswered', actions: ['takeTurn', 'returnReady'] },
          { guard: 'isNews', actions: 'takeTurn' },
        ],
        sessionOver: { guard: 'sessionEnded', actions: 'returnPlayed' },
        unarchive: [
          { guard: 'wasDraft', target: 'DRAFT' },
          { guard: 'wasRunning', target: 'RUNNING' },
          { guard: 'wasCompleted', target: 'COMPLETED' },
          { guard: 'wasFailed', target: 'FAILED' },
          { target: 'READY' },
        ],
      },
    },
  },
})

export const plan = define({
  kind: 'plan',
  version: 2,
  migrations: { 1: addRevision },
  machine,
  effects: ['tell', 'notify'],
  columns: ofWorktree,
  refuse: ({ context }, event) => {
    if (event.type === 'turnAsked') return refuseTurn(context.members, event)
    return event.type === 'edit' ? refuseStale('The plan is', context, event) : undefined
  },
  search: ({ context: { init } }) => ({ title: init.title, text: '' }),
  repeats: ({ value }, event) =>
    (event.type === 'archive' && value === 'ARCHIVED') || (event.type === 'unarchive' && value !== 'ARCHIVED'),
  operable: true,
  operatorStates: ['READY', 'FAILED'],
  operatorEvents: { archive: { label: 'Archive plan' }, unarchive: { label: 'Unarchive plan' } },
})
