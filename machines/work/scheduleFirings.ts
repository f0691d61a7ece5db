/** The firings of a schedule: those that wait, the one whose run is being requested, and the latest ones with their outcomes. */
import type { Json } from '../../spec/core/actor.ts'
import type { Outcome } from '../framework/act.ts'
import type { MachineContext } from '../framework/define.ts'
import type { Members } from '../framework/members.ts'
import { requestOperation } from '../framework/requestOperation.ts'
import { scheduleMembers } from './scheduleKeys.ts'
import type { ScheduleContent } from './scheduleTimes.ts'

export const firingCauses = ['SCHEDULE', 'TRIGGER', 'BACKFILL'] as const

export type WaitingFiring = {
  readonly scheduledAt: number
  readonly cause: (typeof firingCauses)[number]
  /** The run that has requested the firing. */
  readonly restrictedBy?: string
}

export type FiringProblem = { readonly code: string; readonly message: string }

export type Firing = WaitingFiring & {
  /** Counts the firings of the schedule from 1. */
  readonly number: number
  readonly firedAt: number
  /** Null until the request is answered, and if it is refused. */
  readonly runId: string | null
  readonly problem: FiringProblem | null
}

/** The number of firings that are kept, and of those that may wait. */
export const firingsKept = 20
export const waitingMax = 1_000

export interface FiringContext extends MachineContext {
  readonly init: { readonly workflowId: string } & MachineContext['init']
  readonly members: Members
  readonly content: ScheduleContent
  /** The run that has written the content. Absent if a person has. */
  readonly restrictedBy?: string | null
  /** The number of firings. */
  readonly fired: number
  /** The number of firings that were ever added to those that wait. */
  readonly added: number
  readonly waiting: number
  /** The firing whose run is being requested. */
  readonly requested: Firing | null
  readonly lastFiring: Firing | null
}

type Changes = Partial<Omit<FiringContext, 'init'>>

/** Adds firings to those that wait. If no run is being requested, that of the first one is. */
export function addFirings<C extends FiringContext>(
  context: C,
  firings: readonly WaitingFiring[],
  at: number,
): Outcome<C> {
  const entries = firings.map((firing, index): [string, Json] => [
    scheduleMembers.waiting.toKey(context.added + index + 1),
    firing,
  ])
  const added = {
    members: context.members.withAll(entries),
    added: context.added + firings.length,
    waiting: context.waiting + firings.length,
  }
  return startNext(context, added, at)
}

/** Records the outcome of the requested firing, and requests the run of the next one. */
export function settleFiring<C extends FiringContext>(
  context: C,
  result: Partial<Pick<Firing, 'runId' | 'problem'>>,
  at: number,
): Outcome<C> {
  if (context.requested === null) return {}
  const firing = { ...context.requested, ...result }
  const members = context.members.with(scheduleMembers.firing.toKey(firing.number), firing)
  return startNext(context, { members, requested: null, lastFiring: firing }, at)
}

function startNext<C extends FiringContext>(context: C, changes: Changes, at: number): Outcome<C> {
  const { members, requested, waiting, fired, init, content, restrictedBy } = { ...context, ...changes }
  const first = requested === null ? members.first(scheduleMembers.waiting.prefix) : undefined
  if (first === undefined) return { set: changes as Partial<C> }
  const [key, value] = first
  const firing: Firing = { ...(value as WaitingFiring), number: fired + 1, firedAt: at, runId: null, problem: null }
  const { firing: keys } = scheduleMembers
  const kept = members
    .without(key)
    .without(keys.toKey(firing.number - firingsKept))
    .with(keys.toKey(firing.number), firing)
  const set = { ...changes, members: kept, waiting: waiting - 1, fired: firing.number, requested: firing }
  return {
    set: { ...set, lastFiring: firing } as Partial<C>,
    effects: [requestRun(init.workflowId, content, firing, restrictedBy)],
  }
}

/**
 * The one place that decides what the workflow receives. The start has at most the authority of the run that has written the content. If a
 * person has, it has at most that of the run that has requested the firing.
 */
function requestRun(
  workflowId: string,
  { worktreeId, inputs }: ScheduleContent,
  firing: Firing,
  author: string | null | undefined,
) {
  const { number, scheduledAt, firedAt } = firing
  const restrictedBy = author ?? firing.restrictedBy
  return requestOperation({
    operation: 'startWorkflow',
    input: { workflowId, worktreeId, ...(Object.keys(inputs).length === 0 ? {} : { inputs }) },
    request: { number, scheduledAt },
    at: firedAt,
    ...(restrictedBy === undefined ? {} : { restrictedBy }),
  })
}

export function withoutWaiting({ members }: Pick<FiringContext, 'members'>): Members {
  return members.withoutAll([...members.range(scheduleMembers.waiting.prefix)].map(([key]) => key))
}
