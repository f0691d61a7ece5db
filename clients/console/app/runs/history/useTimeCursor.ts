/** The moment of a run that its page shows: a transition of the run, by its sequence in the query of the address (`?at=12`). */
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
