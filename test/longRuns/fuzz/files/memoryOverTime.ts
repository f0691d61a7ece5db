/** The memory of the process over time. Threads that begin and end make it rise and fall, so the least of a while is compared. */
export interface MemorySummary {
  /** Bytes: the least in a twentieth of the time after the process is warm, the least in the last twentieth, and the most. */
  readonly early: number
  readonly late: number
  readonly most: number
}

/** The heaps of the threads, their kept files and their coverage grow for some minutes, and then stay. */
const warmMs = 300_000

export class MemoryOverTime {
  readonly #begun = performance.now()
  readonly #partMs: number
  readonly #samples: { readonly at: number; readonly bytes: number }[] = []

  /** @param forMs the expected time of all */
  constructor(forMs: number) {
    this.#partMs = forMs / 20
  }

  /** @returns the memory now */
  sample(): number {
    const bytes = process.memoryUsage.rss()
    this.#samples.push({ at: performance.now() - this.#begun, bytes })
    return bytes
  }

  summarize(): MemorySummary {
    const end = this.#samples.at(-1)?.at ?? 0
    const least = (from: number, to: number) =>
      Math.min(...this.#samples.filter(({ at }) => at >= from && at <= to).map(({ bytes }) => bytes))
    const late = least(end - this.#partMs, end)
    const from = Math.max(this.#partMs, warmMs)
    const early = least(from, from + this.#partMs)
    const most = Math.max(...this.#samples.map(({ bytes }) => bytes))
    // A run that ends before that has no early memory.
    return { early: Number.isFinite(early) ? early : late, late, most }
  }
}
