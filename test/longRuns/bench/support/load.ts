/** A closed loop: callers that each send the next request as soon as the last one is answered; and the results. */
import { performance } from 'node:perf_hooks'

export interface LoadResult {
  readonly perSecond: number
  /** Milliseconds from the request to the answer. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of this process's processor time for each answer. It is independent of other load on the machine. */
  readonly cpuMicros: number
}

export interface LoadOptions {
  readonly inFlight: number
  /** Milliseconds of measuring, after `warmupMs` that are not counted. */
  readonly forMs: number
  readonly warmupMs: number
  ask(caller: number): Promise<unknown>
}

export async function runLoad({ inFlight, forMs, warmupMs, ask }: LoadOptions): Promise<LoadResult> {
  const begin = performance.now() + warmupMs
  const end = begin + forMs
  const latencies: number[] = []
  let cpu: NodeJS.CpuUsage | undefined
  const caller = async (index: number): Promise<void> => {
    for (let asked = performance.now(); asked < end; asked = performance.now()) {
      if (asked >= begin) cpu ??= process.cpuUsage()
      await ask(index)
      const answered = performance.now()
      if (asked >= begin && answered < end) latencies.push(answered - asked)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, (_, index) => caller(index)))
  const { user, system } = process.cpuUsage(cpu)
  latencies.sort((a, b) => a - b)
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
  return {
    perSecond: latencies.length / (forMs / 1000),
    p50: at(0.5),
    p99: at(0.99),
    cpuMicros: (user + system) / latencies.length,
  }
}

/** Pseudo-random numbers that are the same in each run. Source: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
