/** The moment of a run that its page shows: a transition of the run, by its sequence in the query of the address (`?at=12`). */
import type { ActorTransition } from '../../data/actorTransition.ts'
import { setFilters, useFilters } from '../../router.ts'

export interface TimeCursor {
  /** The sequence of a transition. Undefined for the present. */
  readonly at: number | undefined
  /** @param sequence undefined for the present */
  moveTo(sequence: number | undefined): void
  /** Adds the moment to an address of the same run. */
  addTo(path: string): string
}

export function useTimeCursor(): TimeCursor {
  const { at: text = '' } = useFilters()
  const at = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
  return {
    at,
    moveTo: (sequence) => setFilters({ at: sequence === undefined ? '' : String(sequence) }),
    addTo: (path) => (at === undefined ? path : `${path}?at=${at}`),
  }
}

/**
 * Returns the number of the transition at the moment, from 1, and the function that selects another one. It is at least the first: a transition
 * that the address names may have been removed.
 */
export function toSelection(transitions: readonly ActorTransition[], { at, moveTo }: TimeCursor) {
  return {
    selected:
      at === undefined ? undefined : Math.max(1, transitions.findLastIndex(({ sequence }) => sequence <= at) + 1),
    select: (number: number | undefined) =>
      moveTo(number === undefined ? undefined : transitions[number - 1]?.sequence),
  }
}
