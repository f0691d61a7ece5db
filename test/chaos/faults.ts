/** Faults that the chaos must find, with the checkers that may find each. */
import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = []
