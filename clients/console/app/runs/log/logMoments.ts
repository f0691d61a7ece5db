/** The times at which the output of a job grew, so that the log can be shown as of a moment. */

/** A log has an entry for each such time, in milliseconds, and not for each chunk. */
const resolutionMs = 1_000

export class LogMoments {
  /** In ascending order. */
  readonly #times: number[] = []
  /** The number of lines after the output of that time. */
  readonly #counts: number[] = []

  /** @param at milliseconds since 1970 */
  add(at: number, count: number): void {
    const last = this.#times.at(-1) ?? Number.NEGATIVE_INFINITY
    if (at - last < resolutionMs) this.#counts[Math.max(0, this.#counts.length - 1)] = count
    else {
      this.#times.push(at)
      this.#counts.push(count)
    }
  }

  /** Returns the last line that there was at the time. The first one if there was none. */
  findLine(at: number): number {
    const index = this.#times.findLastIndex((time) => time <= at)
    return Math.max(0, (this.#counts[index] ?? 0) - 1)
  }

  /** Returns when the line began, to the second, in milliseconds since 1970. Undefined if nothing has arrived. */
  findTime(line: number): number | undefined {
    let [low, high] = [0, this.#counts.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#counts[middle] ?? 0) > line) high = middle
      else low = middle + 1
    }
    return this.#times[low]
  }
}
