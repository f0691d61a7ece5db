import { Failure } from '../../../../spec/core/failure.ts'
import { bulkExamplesMax, bulkRefusalsMax } from '../../../../spec/runs/bulkRunActions.ts'

interface Refusal {
  readonly code: string
  readonly message: string
  readonly count: number
  readonly runIds: readonly string[]
}

/** Groups refused runs by their reason. */
export class Refusals {
  readonly #groups = new Map<string, Refusal>()
  #triedCount = 0

  /** @throws the error, if it is no refusal */
  add(error: unknown, runId: string): void {
    if (!(error instanceof Failure)) throw error
    this.#triedCount++
    this.#count(error, 1, [runId])
  }

  /** Adds runs that were only counted. */
  addCounted(code: string, message: string, count: number): void {
    if (count > 0) this.#count({ code, message }, count, [])
  }

  /** The number of refused runs that were tried. */
  get triedCount(): number {
    return this.#triedCount
  }

  /** The most frequent reasons first. */
  toOutput() {
    const groups = [...this.#groups.values()].sort((a, b) => b.count - a.count)
    return {
      refusals: groups.slice(0, bulkRefusalsMax).map(({ runIds, ...group }) => ({ ...group, runIds: [...runIds] })),
      moreRefusals: Math.max(0, groups.length - bulkRefusalsMax),
    }
  }

  #count(
    { code, message }: { readonly code: string; readonly message: string },
    count: number,
    ids: readonly string[],
  ) {
    const key = `${code} ${message}`
    const known = this.#groups.get(key) ?? { code, message, count: 0, runIds: [] }
    const runIds = [...known.runIds, ...ids].slice(0, bulkExamplesMax)
    this.#groups.set(key, { ...known, count: known.count + count, runIds })
  }
}
