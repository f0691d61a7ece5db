/** The parts of modules that were executed in this thread, by V8's block coverage. */
import { Session } from 'node:inspector/promises'

interface CoveredFunction {
  readonly key: string
  readonly script: string
  readonly start: number
  /** For each character of the function: whether it was executed. */
  readonly executed: Uint8Array
}

export type CoverageSample = readonly CoveredFunction[]

export class Coverage {
  readonly #session: Session
  readonly #sources: readonly string[]
  readonly #functions = new Map<string, CoveredFunction>()

  private constructor(session: Session, sources: readonly string[]) {
    this.#session = session
    this.#sources = sources
  }

  /** It must start before the modules are loaded. */
  static async start(sources: readonly string[]): Promise<Coverage> {
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    return new Coverage(session, sources)
  }

  /** The parts that were executed since the last sample. It takes a millisecond, as long as some reads. */
  async sample(): Promise<CoverageSample> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => this.#sources.some((source) => url.endsWith(source)))
      .flatMap(({ url, functions }) =>
        functions.flatMap(({ functionName, ranges }) => {
          const [whole] = ranges
          if (whole === undefined) return []
          const { startOffset: start, endOffset } = whole
          const executed = new Uint8Array(endOffset - start)
          // A range is within one before it, or behind it.
          for (const range of ranges)
            executed.fill(Number(range.count > 0), range.startOffset - start, range.endOffset - start)
          return [{ key: `${url} ${functionName} ${start} ${endOffset}`, script: url, start, executed }]
        }),
      )
  }

  hasNew(sample: CoverageSample): boolean {
    return sample.some(({ key, executed }) => {
      const own = this.#functions.get(key)?.executed
      return executed.some((one, at) => one === 1 && own?.[at] !== 1)
    })
  }

  add(sample: CoverageSample): void {
    for (const one of sample) {
      const own = this.#functions.get(one.key)
      if (own === undefined) this.#functions.set(one.key, one)
      else for (const [at, executed] of one.executed.entries()) if (executed === 1) own.executed[at] = 1
    }
  }

  /** The characters of the modules: all of them, and those that were executed. */
  count(): { readonly all: number; readonly executed: number } {
    const scripts = Map.groupBy(this.#functions.values(), ({ script }) => script)
    let [all, executed] = [0, 0]
    for (const functions of scripts.values()) {
      const characters = new Uint8Array(Math.max(...functions.map((one) => one.start + one.executed.length)))
      // A function in another one comes after it and counts for itself.
      const fromOutside = functions.toSorted((a, b) => a.start - b.start || b.executed.length - a.executed.length)
      for (const one of fromOutside) characters.set(one.executed, one.start)
      all += characters.length
      executed += characters.reduce((sum, character) => sum + character, 0)
    }
    return { all, executed }
  }
}
