import type { Violation } from '../seen.ts'

/** One violation, as the list that a function of a checker returns. */
export const violation = (what: string, ...ids: readonly string[]): Violation[] => [{ what, ids }]
