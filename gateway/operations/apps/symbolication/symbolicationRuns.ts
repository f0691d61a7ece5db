/**
 * Symbolicates crash reports for effects, whose claims last 30 s. A symbolication that takes longer than its caller may wait continues, and the
 * next caller waits for it if the report has the same symbols. So two processes do not symbolicate one report again and again.
 */

import type { Clock } from '../../../../actors/ports/clock.ts'
import {
  findSymbols,
  nameFrames,
  outcomeOf,
  type ReportSymbols,
  type SymbolicationOutcome,
  type SymbolicationParts,
} from './symbolicateReport.ts'

/** A result is kept for this time, ms. The next caller comes after 15 s. */
const keptMs = 60_000

interface RunsParts extends SymbolicationParts {
  readonly clock: Pick<Clock, 'after'>
}

export class SymbolicationRuns {
  readonly #parts: RunsParts
  readonly #runs = new Map<string, Promise<SymbolicationOutcome>>()

  constructor(parts: RunsParts) {
    this.#parts = parts
  }

  /** @returns `symbolicationDelayed` if it takes longer than `withinMs` */
  async symbolicate(crashId: string, withinMs: number): Promise<SymbolicationOutcome> {
    let symbols: ReportSymbols
    try {
      symbols = await findSymbols(crashId, this.#parts.views)
    } catch (error) {
      return outcomeOf(error)
    }
    // Later symbols need another run.
    const key = JSON.stringify([crashId, symbols])
    const run = this.#runs.get(key) ?? this.#begin(key, crashId, symbols)
    const late = Promise.withResolvers<undefined>()
    const cancel = this.#parts.clock.after(withinMs, () => late.resolve(undefined))
    const outcome = await Promise.race([run, late.promise]).finally(cancel)
    if (outcome === undefined) return { type: 'symbolicationDelayed', message: 'The symbolication is not finished.' }
    this.#runs.delete(key)
    return outcome
  }

  #begin(key: string, crashId: string, symbols: ReportSymbols): Promise<SymbolicationOutcome> {
    const run = nameFrames(crashId, symbols, this.#parts)
    this.#runs.set(key, run)
    const remove = (): void => {
      if (this.#runs.get(key) === run) this.#runs.delete(key)
    }
    // An error is not kept: the next caller tries again.
    void run.then(() => this.#parts.clock.after(keptMs, remove), remove)
    return run
  }
}
