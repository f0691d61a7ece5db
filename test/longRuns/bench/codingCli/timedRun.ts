/** One turn of a coding CLI with its times, in milliseconds. */
export interface TimedRun {
  /** From the beginning until the first text has arrived. */
  readonly total: number
  /** The parts of it, in their order. */
  readonly phases: Readonly<Record<string, number>>
}

/** Milliseconds since 1970 with fractions, as other processes of this machine have them too. */
export const clockTime = (): number => performance.timeOrigin + performance.now()

/** @param times the beginning of each phase by its name, and the end of the last one */
export function timedRun(begins: readonly (readonly [phase: string, at: number])[], end: number): TimedRun {
  const phases = begins.map(([phase, at], index) => [phase, (begins[index + 1]?.[1] ?? end) - at] as const)
  return { total: end - (begins[0]?.[1] ?? end), phases: Object.fromEntries(phases) }
}
