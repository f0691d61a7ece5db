import type { Retention } from '../storage.ts'

const everyMs = 3_600_000

interface HousekeepingParts {
  readonly storage: { housekeeping(now: number, retention: Retention): Promise<void> }
  readonly retention: Retention
  readonly clock: { now(): number }
  /** Compares blobs and actors. */
  sweepBlobs(): Promise<void>
  problem(error: unknown): void
}

/** Starts the housekeeping now and every hour. @returns a function that stops it */
export function scheduleHousekeeping({
  storage,
  retention,
  clock,
  sweepBlobs,
  problem,
}: HousekeepingParts): () => void {
  let isRunning = false
  /** One of the two that fails does not stop the other. A round that takes longer than an hour replaces the next one. */
  const keep = async () => {
    if (isRunning) return
    isRunning = true
    await storage.housekeeping(clock.now(), retention).catch(problem)
    await sweepBlobs().catch(problem)
    isRunning = false
  }
  void keep()
  const interval = setInterval(() => void keep(), everyMs)
  return () => clearInterval(interval)
}
