/** The runs of a plan or a session, as they told how they stand: `live/<id>` and, once over, `over/<id>`. */
import { Members } from './members.ts'
import type { RunStatus } from './runSteps.ts'

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

export interface Turns {
  readonly members: Members
  /** With which a follow-up goes on; the coding CLI's own name for it. */
  readonly conversation: string | null
  readonly lastRun: { readonly id: string; readonly status: RunStatus } | null
}

type Turn = { readonly status: RunStatus; readonly step: number }

export const newTurns = (): Turns => ({ members: Members.empty, conversation: null, lastRun: null })

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

/** How a session stands, from the runs that are under way. */
export function standing(turns: Turns): 'IDLE' | 'QUEUED' | 'RUNNING' | 'WAITING_FOR_INPUT' | 'PAUSED' {
  const statuses = new Set<RunStatus>()
  for (const [, turn] of turns.members.range('live/')) statuses.add((turn as Turn).status)
  if (statuses.size === 0) return 'IDLE'
  if (statuses.has('WAITING_FOR_INPUT')) return 'WAITING_FOR_INPUT'
  if (statuses.has('PAUSED')) return 'PAUSED'
  return statuses.size === 1 && statuses.has('QUEUED') ? 'QUEUED' : 'RUNNING'
}
