/**
 * The runs of a plan or a session, with the status that they reported: `live/<id>`, and after the end `over/<id>`. Only one of these runs
 * is active at a time, so the plan or session creates its runs. Only the first one is created by the request that creates the plan or session.
 * If that run never comes, the turn expires.
 */
import { Failure } from '../../spec/core/failure.ts'
import { addUsage, type RunUsage, type UsageTotals } from '../../spec/runs/usageTotals.ts'
import { Members } from '../framework/members.ts'
import { createRun, type NewRun } from '../runs/newRun.ts'
import { isOver, type RunStatus } from '../runs/runActions.ts'
import { turnMembers } from './turnKeys.ts'

export type RunChanged = {
  type: 'runChanged'
  at: number
  runId: string
  number: number
  status: RunStatus
  /** Incremented by the run at each report, because the reports may arrive in any order. */
  step: number
  changedAt: number
  problem: { code: string; message: string } | null
  conversation: string | null
  usage?: RunUsage | null
  /** Whether the run has ended with an answer of its coding CLI. */
  isAnswered?: boolean
}

/** Requests another turn, which creates the run with this ID. */
export type TurnAsked = {
  type: 'turnAsked'
  at: number
  runId: string
  /** Runs that the caller has seen ended, although their last reports may not have arrived here yet. */
  ended: readonly string[]
  newRun: NewRun
  /** Whether a session queues it if the turn cannot start yet. Otherwise it is refused. A plan queues nothing. */
  mayQueue: boolean
}

/** The first turn expires if its run has not reported within this time, ms. */
export const unaskedMs = 60_000

export interface Turns {
  readonly members: Members
  /** The conversation that a follow-up continues. The coding CLI's own name for it. */
  readonly conversation: string | null
  /** Of the ended runs. Absent if none reported any. */
  readonly usage?: UsageTotals
  /** The run with the latest change. `at` is the time of that change, ms; sessions and plans of earlier versions have none. */
  readonly lastRun: { readonly id: string; readonly status: RunStatus; readonly at?: number } | null
}

/** `asked`: the time of the request, ms. Only the first turn has it, until its run has reported. */
type Turn = { readonly status: RunStatus; readonly step: number; readonly asked?: number }

export const newTurns = (init: { readonly runId: string; readonly createdAt: number }): Turns => ({
  members: beginTurn(Members.empty, init.runId, { asked: init.createdAt }),
  conversation: null,
  lastRun: null,
})

/** The run certainly comes, so the turn expires only if it is `asked`. */
export function beginTurn(members: Members, runId: string, asked: Pick<Turn, 'asked'> = {}): Members {
  const turn: Turn = { status: 'QUEUED', step: 0, ...asked }
  return members.with(turnMembers.live.toKey(runId), turn)
}

/** `undefined` if the report is older than one that was applied. */
export function takeTurn(turns: Turns, event: RunChanged): Turns | undefined {
  const { runId, status, step, changedAt } = event
  const before = turns.members.get(turnMembers.live.toKey(runId)) as Turn | undefined
  if (turns.members.has(turnMembers.over.toKey(runId)) || (before !== undefined && before.step >= step))
    return undefined
  const members = isOver(status)
    ? turns.members.without(turnMembers.live.toKey(runId)).with(turnMembers.over.toKey(runId), { status, step })
    : turns.members.with(turnMembers.live.toKey(runId), { status, step })
  const { lastRun } = turns
  return {
    members,
    conversation: event.conversation ?? turns.conversation,
    ...(isOver(status) && event.usage ? { usage: addUsage(turns.usage, event.usage) } : {}),
    // The reports of two runs may arrive in any order.
    lastRun: lastRun?.at === undefined || lastRun.at <= changedAt ? { id: runId, status, at: changedAt } : lastRun,
  }
}

function* liveTurns(members: Members): Generator<readonly [runId: string, Turn]> {
  for (const [key, turn] of members.range(turnMembers.live.prefix)) yield [turnMembers.live.toId(key), turn as Turn]
}

const hasExpired = (turn: Turn, at: number): boolean => turn.asked !== undefined && turn.asked <= at - unaskedMs

/** Whether the run of a requested turn has not reported yet. */
export function awaitsRun(members: Members): boolean {
  for (const [, turn] of liveTurns(members)) if (turn.asked !== undefined) return true
  return false
}

/** Removes the turns whose requests have expired. */
export function sweepTurns(members: Members, at: number): Members {
  let swept = members
  for (const [runId, turn] of liveTurns(members))
    if (hasExpired(turn, at)) swept = swept.without(turnMembers.live.toKey(runId))
  return swept
}

/** The plan or session begins the turn and creates its run. */
export function startTurn({ members }: Turns, event: TurnAsked) {
  return { set: { members: askTurn(members, event) }, tell: createRun(event.runId, event.newRun) }
}

export function askTurn(members: Members, { runId, at }: TurnAsked): Members {
  return beginTurn(sweepTurns(members, at), runId)
}

/** Returns why another turn cannot start: one is active. */
export function refuseTurn(members: Members, { ended, at }: TurnAsked): Failure | undefined {
  for (const [runId, turn] of liveTurns(members)) {
    if (ended.includes(runId) || hasExpired(turn, at)) continue
    return new Failure(
      'FAILED_PRECONDITION',
      'Another of its runs is active. Wait for the end of that run, or cancel it.',
      {
        details: { runId },
      },
    )
  }
  return undefined
}

/** The status of a session, derived from its active runs. */
export function statusOfTurns(members: Members): 'IDLE' | 'QUEUED' | 'RUNNING' | 'WAITING_FOR_INPUT' | 'PAUSED' {
  const statuses = new Set<RunStatus>()
  for (const [, { status }] of liveTurns(members)) statuses.add(status)
  if (statuses.size === 0) return 'IDLE'
  if (statuses.has('WAITING_FOR_INPUT')) return 'WAITING_FOR_INPUT'
  if (statuses.has('PAUSED')) return 'PAUSED'
  return statuses.size === 1 && statuses.has('QUEUED') ? 'QUEUED' : 'RUNNING'
}
