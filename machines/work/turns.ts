/**
 * The runs of a plan or a session, as they told how they stand: `live/<id>` and, once over, `over/<id>`. One turn is under way at
 * a time, so each is asked for here before its run is made; a run that then never comes is forgotten.
 */
import { Failure } from '../../spec/core/failure.ts'
import { Members } from '../framework/members.ts'
import type { RunStatus } from '../runs/runSteps.ts'

export type RunChanged = {
  type: 'runChanged'
  at: number
  runId: string
  number: number
  status: RunStatus
  /** Raised by the run with each word, since the order of arrival is not given. */
  step: number
  changedAt: number
  problem: { code: string; message: string } | null
  conversation: string | null
}

/** Another turn: the run with this ID is about to be made. */
export type TurnAsked = {
  type: 'turnAsked'
  at: number
  runId: string
  /** Runs that the asker has seen over, though their last word may still be on its way here. */
  ended: readonly string[]
}

/** What was asked for and has no run that made itself known by then is forgotten, ms. */
export const unaskedMs = 60_000

export interface Turns {
  readonly members: Members
  /** With which a follow-up goes on; the coding CLI's own name for it. */
  readonly conversation: string | null
  readonly lastRun: { readonly id: string; readonly status: RunStatus } | null
}

/** `asked`: when, ms, while its run has not made itself known. */
type Turn = { readonly status: RunStatus; readonly step: number; readonly asked?: number }

/** The first turn is asked for by what makes the plan or session. */
export const newTurns = (init: { readonly runId: string; readonly createdAt: number }): Turns => ({
  members: Members.empty.with(`live/${init.runId}`, askedTurn(init.createdAt)),
  conversation: null,
  lastRun: null,
})

const askedTurn = (at: number): Turn => ({ status: 'QUEUED', step: 0, asked: at })

const over: ReadonlySet<RunStatus> = new Set(['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'])

export const isOver = (status: RunStatus): boolean => over.has(status)

/** `undefined` where it is no news: an older word that came later. */
export function takeTurn(turns: Turns, event: RunChanged): Turns | undefined {
  const { runId, status, step } = event
  const before = turns.members.get(`live/${runId}`) as Turn | undefined
  if (turns.members.has(`over/${runId}`) || (before !== undefined && before.step >= step)) return undefined
  const members = isOver(status)
    ? turns.members.without(`live/${runId}`).with(`over/${runId}`, { status, step })
    : turns.members.with(`live/${runId}`, { status, step })
  const { lastRun } = turns
  return {
    members,
    conversation: event.conversation ?? turns.conversation,
    // IDs sort by time: the latest turn is the one that counts.
    lastRun: lastRun === null || lastRun.id <= runId ? { id: runId, status } : lastRun,
  }
}

function* liveTurns(members: Members): Generator<readonly [runId: string, Turn]> {
  for (const [key, turn] of members.range('live/')) yield [key.slice('live/'.length), turn as Turn]
}

const isForgotten = (turn: Turn, at: number): boolean => turn.asked !== undefined && turn.asked <= at - unaskedMs

/** Whether a turn was asked for whose run has not made itself known. */
export function awaitsRun(members: Members): boolean {
  for (const [, turn] of liveTurns(members)) if (turn.asked !== undefined) return true
  return false
}

/** Without those whose runs never came. */
export function sweepTurns(members: Members, at: number): Members {
  let swept = members
  for (const [runId, turn] of liveTurns(members)) if (isForgotten(turn, at)) swept = swept.without(`live/${runId}`)
  return swept
}

export function askTurn(members: Members, { runId, at }: TurnAsked): Members {
  return sweepTurns(members, at).with(`live/${runId}`, askedTurn(at))
}

/** Why another turn can't begin: one is under way. */
export function refuseTurn(members: Members, { ended, at }: TurnAsked): Failure | undefined {
  for (const [runId, turn] of liveTurns(members)) {
    if (ended.includes(runId) || isForgotten(turn, at)) continue
    return new Failure('FAILED_PRECONDITION', 'A run of it is under way: wait for its end, or cancel it.', {
      details: { runId },
    })
  }
  return undefined
}

/** How a session stands, from the runs that are under way. */
export function standing(members: Members): 'IDLE' | 'QUEUED' | 'RUNNING' | 'WAITING_FOR_INPUT' | 'PAUSED' {
  const statuses = new Set<RunStatus>()
  for (const [, { status }] of liveTurns(members)) statuses.add(status)
  if (statuses.size === 0) return 'IDLE'
  if (statuses.has('WAITING_FOR_INPUT')) return 'WAITING_FOR_INPUT'
  if (statuses.has('PAUSED')) return 'PAUSED'
  return statuses.size === 1 && statuses.has('QUEUED') ? 'QUEUED' : 'RUNNING'
}
