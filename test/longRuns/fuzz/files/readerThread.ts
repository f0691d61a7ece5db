/** Reads files in a thread of the fuzzer, with bounds on the time and the memory of each. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FileOutcome, FuzzedReader } from './fuzzedReader.ts'
import type { FromReaderThread, ReaderThreadData, ToReaderThread } from './threadMessages.ts'

export interface ThreadBounds {
  /** Milliseconds until a thread that reads one file is terminated. */
  readonly withinMs: number
  /** The heap of the thread. */
  readonly heapMb: number
}

export interface ReadBatch {
  /** One for each file. */
  readonly outcomes: readonly FileOutcome[]
  readonly covering: ReadonlySet<number>
}

export interface CollectedThread {
  readonly memory: number
  readonly coverage: { readonly all: number; readonly executed: number }
}

/** Between two looks at the file that the thread reads, ms. */
const lookEachMs = 100

export class ReaderThread {
  readonly #module: string
  readonly #reader: Pick<FuzzedReader, 'name' | 'sources'>
  readonly #bounds: ThreadBounds
  readonly #place = new Int32Array(new SharedArrayBuffer(4))
  #thread: Worker | undefined

  /** @param module the URL of the module with `fuzzedReaders` */
  constructor(module: string, reader: Pick<FuzzedReader, 'name' | 'sources'>, bounds: ThreadBounds) {
    this.#module = module
    this.#reader = reader
    this.#bounds = bounds
  }

  /** A file that ends the thread has an outcome with that fault. The files after it are read in a new thread. */
  async read(files: readonly Buffer[]): Promise<ReadBatch> {
    const outcomes: FileOutcome[] = []
    const covering = new Set<number>()
    while (outcomes.length < files.length) {
      const from = outcomes.length
      const rest = files.slice(from)
      try {
        const answer = await this.#ask({ type: 'files', files: rest }, 'outcomes')
        outcomes.push(...answer.outcomes)
        for (const index of answer.covering) covering.add(from + index)
      } catch (error) {
        const index = Atomics.load(this.#place, 0)
        await this.close()
        // Those before it have ended well, and are not read again: their outcomes were lost with the thread.
        if (index > 0) {
          const before = await this.read(rest.slice(0, index))
          outcomes.push(...before.outcomes)
        }
        outcomes.push(endedBy(error))
      }
    }
    return { outcomes, covering }
  }

  async collect(): Promise<CollectedThread> {
    return await this.#ask({ type: 'collect' }, 'collected')
  }

  async close(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }

  async #ask<T extends FromReaderThread['type']>(
    message: ToReaderThread,
    type: T,
  ): Promise<Extract<FromReaderThread, { readonly type: T }>> {
    const thread = this.#thread ?? (await this.#start())
    Atomics.store(this.#place, 0, 0)
    const late = new AbortController()
    const answered = once(thread, 'message', { signal: late.signal })
    thread.postMessage(message)
    const ended = new AbortController()
    const watched = this.#watch(ended.signal, late)
    try {
      const [answer] = (await answered) as [FromReaderThread]
      if (answer.type !== type) throw new Error(`the thread has answered ${answer.type}`)
      return answer as Extract<FromReaderThread, { readonly type: T }>
    } finally {
      ended.abort()
      await watched
    }
  }

  /** Aborts if one file takes too long. */
  async #watch(ended: AbortSignal, late: AbortController): Promise<void> {
    let seen = -1
    let since = performance.now()
    while (!ended.aborted) {
      const index = Atomics.load(this.#place, 0)
      if (index !== seen) since = performance.now()
      seen = index
      if (performance.now() - since > this.#bounds.withinMs) return late.abort(new TooLate(this.#bounds.withinMs))
      await sleep(lookEachMs, undefined, { signal: ended }).catch(() => {})
    }
  }

  async #start(): Promise<Worker> {
    const workerData: ReaderThreadData = {
      module: this.#module,
      reader: this.#reader.name,
      sources: this.#reader.sources,
      place: this.#place.buffer,
    }
    const thread = new Worker(new URL('./readFiles.ts', import.meta.url), {
      workerData,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: this.#bounds.heapMb },
    })
    // An error of the thread is that of the file that it reads.
    thread.on('error', () => {})
    await once(thread, 'message')
    this.#thread = thread
    return thread
  }
}

class TooLate extends Error {
  override readonly name = 'TooLate'

  constructor(ms: number) {
    super(`one file has taken more than ${ms / 1_000} s`)
  }
}

function endedBy(error: unknown): FileOutcome {
  const cause = error instanceof Error && error.name === 'AbortError' ? error.cause : error
  const fault =
    cause instanceof TooLate
      ? cause.message
      : cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? 'the thread was out of memory'
        : `an error has ended the thread: ${cause instanceof Error ? cause.stack : String(cause)}`
  return {
    isRead: false,
    digest: fault,
    form: fault.slice(0, 80),
    faults: [fault],
    hasEndedThread: true,
    ms: 0,
    memory: 0,
  }
}
