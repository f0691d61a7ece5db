/** AI work on a worktree in several turns, each of which is a session run. The conversation continues from one turn to the next. */
import { setup } from 'xstate'
import { readAttachmentIds } from '../../spec/runs/attachments.ts'
import { act, actOn, type Outcome } from '../framework/act.ts'
import { define, type MachineContext, type Tell, typesOf } from '../framework/define.ts'
import type { Members } from '../framework/members.ts'
import { interruptedCode, isOver } from '../runs/runActions.ts'
import { attachAll } from '../runs/runAttachment.ts'
import { ofWorktree } from '../worktrees/ofWorktree.ts'
import { addQueuePause } from './addQueuePause.ts'
import {
  addFollowUp,
  editFollowUp,
  type FollowUpEdited,
  type FollowUpWithdrawn,
  hasQueued,
  refuseChange,
  refuseFurther,
  releaseAllFiles,
  releaseFiles,
  startFollowUp,
  withdrawAll,
  withdrawFollowUp,
} from './followUps.ts'
import {
  askTurn,
  awaitsRun,
  newTurns,
  type RunChanged,
  refuseTurn,
  startTurn,
  statusOfTurns,
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
  /** The revision of the plan that it carries out. Absent if there are none. */
  readonly planRevision?: number
  /** The run of its first turn. */
  readonly runId: string
  readonly createdAt: number
}

export interface SessionContext extends MachineContext, Turns {
  readonly init: SessionInit
  readonly members: Members
  readonly id: string
  /** Queued follow-ups do not start. A turn that did not succeed pauses them, until a person resumes them. */
  readonly isQueuePaused: boolean
}

export type SessionEvent =
  | RunChanged
  | TurnAsked
  | FollowUpEdited
  | FollowUpWithdrawn
  | { type: 'followUpsResumed'; at: number }
  | { type: 'finish'; at: number }
  | { type: 'fail'; at: number; message: string }
  | { type: 'delete'; at: number }

const action = act<SessionContext, SessionEvent, SessionEvent>
const on = actOn<SessionContext, SessionEvent>()

const turns = {
  runChanged: [
    { guard: 'becomesQueued', target: 'QUEUED', actions: 'takeTurn' },
    { guard: 'becomesRunning', target: 'RUNNING', actions: 'takeTurn' },
    { guard: 'becomesWaiting', target: 'WAITING_FOR_INPUT', actions: 'takeTurn' },
    { guard: 'becomesPaused', target: 'PAUSED', actions: 'takeTurn' },
    { guard: 'becomesIdle', target: 'IDLE', actions: 'takeTurn' },
  ],
  turnAsked: [
    { guard: 'mustQueue', actions: 'queueFollowUp' },
    { guard: 'becomesQueued', target: 'QUEUED', actions: 'startTurn' },
    { actions: 'startTurn' },
  ],
  followUpEdited: { actions: 'editFollowUp' },
  followUpWithdrawn: { actions: 'withdrawFollowUp' },
  followUpsResumed: [
    { guard: 'becomesQueued', target: 'QUEUED', actions: 'resumeFollowUps' },
    { actions: 'resumeFollowUps' },
  ],
} as const

/** A new turn is queued behind the present turn, and behind queued ones. */
const mustQueue = ({ members }: SessionContext, event: TurnAsked): boolean =>
  event.mayQueue && (hasQueued(members) || refuseTurn(members, event) !== undefined)

/** The changes of a session whose turn may have ended: the next queued follow-up starts if no turn is active. */
function goOn(context: SessionContext, change: Partial<SessionContext>, at: number): Outcome<SessionContext> {
  const { members, isQueuePaused, conversation } = { ...context, ...change }
  const next =
    statusOfTurns(members) === 'IDLE' && !isQueuePaused ? startFollowUp(members, conversation, at) : undefined
  return next === undefined ? { set: change } : { set: { ...change, members: next.members }, tell: next.tell }
}

/** Applies a report of a run. */
function takeReport(context: SessionContext, event: RunChanged): Outcome<SessionContext> {
  const next = takeTurn(context, event)
  if (next === undefined) return {}
  const { status, problem } = event
  // The late report of an older run, after which a person has already sent a follow-up, does not pause the queue.
  const hasEnded = isOver(status) && statusOfTurns(next.members) === 'IDLE'
  const fails = hasEnded && status !== 'SUCCEEDED' && problem?.code !== interruptedCode
  return goOn(context, { ...next, ...(fails && hasQueued(next.members) ? { isQueuePaused: true } : {}) }, event.at)
}

const sweep = (context: SessionContext, at: number): Outcome<SessionContext> =>
  goOn(context, { members: sweepTurns(context.members, at) }, at)

const resumeFollowUps = (context: SessionContext, at: number): Outcome<SessionContext> =>
  goOn(context, { isQueuePaused: false }, at)

const becomes =
  (status: ReturnType<typeof statusOfTurns>) =>
  ({ context, event }: { context: SessionContext; event: SessionEvent }): boolean => {
    switch (event.type) {
      case 'turnAsked':
        return statusOfTurns(askTurn(context.members, event)) === status
      case 'runChanged':
        return membersAfter(takeReport(context, event), status)
      case 'followUpsResumed':
        return membersAfter(resumeFollowUps(context, event.at), status)
      default:
        return false
    }
  }

const membersAfter = ({ set }: Outcome<SessionContext>, status: ReturnType<typeof statusOfTurns>): boolean =>
  set?.members !== undefined && statusOfTurns(set.members) === status

const machine = setup({
  types: typesOf<SessionContext, SessionEvent>(),
  guards: {
    becomesIdle: becomes('IDLE'),
    becomesQueued: becomes('QUEUED'),
    becomesRunning: becomes('RUNNING'),
    becomesWaiting: becomes('WAITING_FOR_INPUT'),
    becomesPaused: becomes('PAUSED'),
    someAwaited: ({ context }) => awaitsRun(context.members),
    noneCame: ({ context, event }) => membersAfter(sweep(context, event.at), 'IDLE'),
    mustQueue: ({ context, event }) => event.type === 'turnAsked' && mustQueue(context, event),
  },
  actions: {
    startTurn: on('turnAsked', startTurn),
    sweep: action(({ context, event }) => sweep(context, event.at)),
    queueFollowUp: on('turnAsked', ({ members, isQueuePaused }, { runId, newRun }) => ({
      set: { members: addFollowUp(members, runId, newRun), isQueuePaused: isQueuePaused && hasQueued(members) },
      tell: attachAll(runId, readAttachmentIds(newRun.run.spec)),
    })),
    editFollowUp: on('followUpEdited', ({ members }, event) => ({ set: { members: editFollowUp(members, event) } })),
    withdrawFollowUp: on('followUpWithdrawn', ({ members, isQueuePaused }, { runId }) => {
      const left = withdrawFollowUp(members, runId)
      // A pause is for the follow-ups that were queued when a run failed, and for those behind them.
      return {
        set: { members: left, isQueuePaused: isQueuePaused && hasQueued(left) },
        tell: releaseFiles(members, runId),
      }
    }),
    resumeFollowUps: action(({ context, event }) => resumeFollowUps(context, event.at)),
    withdrawAll: action(({ context: { members } }) => ({
      set: { members: withdrawAll(members) },
      tell: releaseAllFiles(members),
    })),
    /** For an end without the result of a run: a person ended the session, or its run never came. */
    tellPlan: action(({ context, event }) => {
      const succeeded = event.type !== 'fail' && context.lastRun?.status === 'SUCCEEDED'
      return { tell: sessionOver(context, succeeded) }
    }),
    takeTurn: on('runChanged', (context, event) => {
      const outcome = takeReport(context, event)
      // The plan waits for the queued follow-ups too.
      if (!isOver(event.status) || outcome.tell !== undefined) return outcome
      return { ...outcome, tell: sessionOver(context, event.status === 'SUCCEEDED') }
    }),
  },
}).createMachine({
  id: 'session',
  context: ({ input: { id, init } }) => ({ ...newTurns(init), init, id, isQueuePaused: false }),
  initial: 'QUEUED',
  states: {
    IDLE: {
      meta: { label: 'Idle', waitsFor: 'a follow-up', unbounded: 'a person' },
      on: {
        ...turns,
        finish: { target: 'FINISHED', actions: ['tellPlan', 'withdrawAll'] },
        fail: { target: 'ERROR', actions: ['tellPlan', 'withdrawAll'] },
        delete: { target: 'DELETED', actions: ['tellPlan', 'withdrawAll'] },
      },
    },
    QUEUED: {
      meta: { label: 'Queued', waitsFor: "its run's turn", unbounded: 'its run' },
      after: {
        [unaskedMs]: [
          { guard: 'noneCame', target: 'IDLE', actions: ['sweep', 'tellPlan'] },
          { guard: 'someAwaited', target: 'QUEUED', reenter: true, actions: 'sweep' },
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
  version: 2,
  migrations: { 1: addQueuePause },
  machine,
  effects: ['tell'],
  columns: ofWorktree,
  refuse: ({ context }, event) => {
    const { members } = context
    switch (event.type) {
      case 'turnAsked':
        return mustQueue(context, event) ? refuseFurther(members) : refuseTurn(members, event)
      case 'followUpEdited':
      case 'followUpWithdrawn':
        return refuseChange(members, event)
      default:
        return undefined
    }
  },
  search: ({ value, context: { init } }) => (value === 'DELETED' ? undefined : { title: init.title, text: '' }),
  repeats: ({ value, context }, event) =>
    endings[event.type] === value ||
    (event.type === 'followUpsResumed' && !Object.values(endings).includes(value) && !context.isQueuePaused),
  operable: true,
  operatorStates: ['IDLE'],
  operatorEvents: { finish: { label: 'Finish session' }, delete: { label: 'Delete session' } },
})
