import type { Retention } from '../storage.ts'

const everyMs = 3_600_000

interface HousekeepingParts {
  readonly storage: { housekeeping(now: number, retention: Retention): Promise<void> }
  readonly retention: Retention
  readonly clock: { now(): number }
  problem(error: unknown): void
}

/** Starts the housekeeping now and every hour. @returns a function that stops it */
export function scheduleHousekeeping({ storage, retention, clock, problem }: HousekeepingParts): () => void {
  const keep = () => void storage.housekeeping(clock.now(), retention).catch(problem)
  keep()
  const interval = setInterval(keep, everyMs)
  return () => clearInterval(interval)
}
