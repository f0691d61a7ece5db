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

/**
 * Starts the housekeeping now and every hour. A round that the stop interrupts fails with the storage, and the next start repeats it.
 * @returns a function that stops it
 */
export function scheduleHousekeeping({
  storage,
  retention,
  clock,
  sweepBlobs,
  problem,
}: HousekeepingParts): () => void {
  let isRunning = false
  let isStopped = false
  const report = (error: unknown): void => {
    if (!isStopped) problem(error)
  }
  /** One of the two that fails does not stop the other. A round that takes longer than an hour replaces the next one. */
  const keep = async () => {
    if (isRunning) return
    isRunning = true
    await storage.housekeeping(clock.now(), retention).catch(report)
    if (!isStopped) await sweepBlobs().catch(report)
    isRunning = false
  }
  void keep()
  const interval = setInterval(() => void keep(), everyMs)
  return () => {
    isStopped = true
    clearInterval(interval)
  }
}
