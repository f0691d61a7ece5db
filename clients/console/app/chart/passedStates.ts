/** The states that an actor passed, in their order, with the time in each. */
import { addDuration, measureStays, type StateDuration } from './stateDurations.ts'

export interface PassedState {
  readonly status: string
  /** Undefined if the state is terminal, or if the time is not known. */
  readonly duration: StateDuration | undefined
}

interface StatusChange {
  readonly status: string
  readonly at: string
}

/** Consecutive changes with the same status are one state, because a transition may keep the status. */
export function listPassedStates(changes: readonly StatusChange[], hasEnded: boolean): readonly PassedState[] {
  const states: PassedState[] = []
  for (const { entry, duration } of measureStays(changes, hasEnded)) {
    const last = states.at(-1)
    if (last?.status !== entry.status) states.push({ status: entry.status, duration })
    else if (duration !== undefined)
      states[states.length - 1] = { ...last, duration: addDuration(last.duration, duration) }
  }
  return states
}

/**
 * Adds the current status if the history was read before the actor entered it. The end of the state before is not known then.
 */
export function withCurrentStatus(states: readonly PassedState[], status: string): readonly PassedState[] {
  const last = states.at(-1)
  if (last?.status === status) return states
  const ended = last === undefined ? [] : [{ ...last, duration: undefined }]
  return [...states.slice(0, -1), ...ended, { status, duration: undefined }]
}

export interface RunTimes {
  readonly status: string
  readonly createdAt: string
  readonly queuedAt: string | null
  readonly admittedAt: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
}

/** The states of a run whose history is not read. The time of its waits for people is part of the time that it was running. */
export function listRunStates(run: RunTimes): readonly PassedState[] {
  const { status, createdAt, queuedAt, admittedAt, startedAt, endedAt } = run
  const started = status === 'STARTING' ? status : 'RUNNING'
  const changes: StatusChange[] = [{ status: 'QUEUED', at: queuedAt ?? createdAt }]
  if (admittedAt !== null) changes.push({ status: 'ADMITTED', at: admittedAt })
  if (startedAt !== null) changes.push({ status: started, at: startedAt })
  if (endedAt !== null) changes.push({ status, at: endedAt })
  return withCurrentStatus(listPassedStates(changes, endedAt !== null), status)
}

export interface ShortenedStates {
  readonly first: readonly PassedState[]
  readonly hidden: readonly PassedState[]
  readonly last: readonly PassedState[]
}

/** Hides states in the middle if there are more than `max`. The last states explain the current one, so more of them are shown. */
export function shortenStates(states: readonly PassedState[], max: number): ShortenedStates {
  if (states.length <= max) return { first: states, hidden: [], last: [] }
  const firstCount = Math.floor((max - 1) / 3)
  const lastStart = states.length - (max - 1 - firstCount)
  return {
    first: states.slice(0, firstCount),
    hidden: states.slice(firstCount, lastStart),
    last: states.slice(lastStart),
  }
}
