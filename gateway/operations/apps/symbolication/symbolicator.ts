/** Symbolicates crash reports in worker threads, with bounds on their time, their memory and their number. */
import { Failure } from '../../../../spec/core/failure.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { ThreadEnded, ThreadPool } from '../../../limits/threadPool.ts'
import { readRequested } from '../dsymFiles/requestedBytes.ts'
import type { FromSymbolicationThread, TableToUse, ToSymbolicationThread } from './symbolicationThread.ts'

export interface SymbolicationJob {
  /** Reads the file with the threads and images (`encodeThreads`). Called when a thread is free, because it may have 100 MiB. */
  readonly readContent: () => Promise<Uint8Array>
  readonly tables: readonly TableToUse[]
}

export type SymbolicationResult = Omit<Extract<FromSymbolicationThread, { readonly type: 'symbolicated' }>, 'type'>

/** The report cannot be symbolicated, however often it is tried. */
export class SymbolicationProblem extends Error {
  override readonly name = 'SymbolicationProblem'
}

export interface SymbolicatorBounds {
  readonly atOnce: number
  /** Reports that wait for a thread. */
  readonly waiting: number
  /** A report of 100 MiB needs several times as much. */
  readonly heapMb: number
  /** For one report. */
  readonly withinMs: number
  /** Bytes of the threads and images as JSON. Those after the symbolication are not bounded by it. */
  readonly mostBytes: number
}

/** Bytes of compressed content after which a thread ends, because it would give back little of its memory. */
const keptBytes = 4 * 1024 * 1024

const defaultBounds: SymbolicatorBounds = {
  atOnce: 2,
  waiting: 1_000,
  heapMb: 1_024,
  withinMs: 60_000,
  mostBytes: 256 * 1024 * 1024,
}

export class Symbolicator {
  readonly #blobs: Pick<Blobs, 'read'>
  readonly #bounds: SymbolicatorBounds
  readonly #threads: ThreadPool<ToSymbolicationThread, FromSymbolicationThread>

  constructor(blobs: Pick<Blobs, 'read'>, bounds: Partial<SymbolicatorBounds> = {}) {
    this.#blobs = blobs
    this.#bounds = { ...defaultBounds, ...bounds }
    this.#threads = new ThreadPool(new URL('./symbolicationThread.ts', import.meta.url), this.#bounds)
  }

  /** @throws SymbolicationProblem; Failure UNAVAILABLE if too many reports wait, or the storage does not return the symbols */
  async run({ readContent, tables }: SymbolicationJob): Promise<SymbolicationResult> {
    const { mostBytes, waiting, withinMs } = this.#bounds
    if (this.#threads.waiting >= waiting)
      throw new Failure('UNAVAILABLE', 'Too many crash reports are being symbolicated.')
    // The time of the storage does not count.
    const time = { ms: withinMs }
    return await this.#threads.run(async (thread) => {
      const content = await readContent()
      thread.post({ type: 'symbolicate', content, mostBytes, tables })
      for (;;) {
        const message = await thread.next(time).catch((error) => {
          throw problemOf(error, this.#bounds)
        })
        if (message.type === 'refused') throw new SymbolicationProblem(message.problem)
        if (message.type === 'symbolicated') {
          if (content.length + message.content.length > keptBytes) thread.retire()
          return message
        }
        const { request } = message
        try {
          const bytes = await readRequested(message, this.#blobs)
          thread.post({ type: 'bytes', request, bytes }, [bytes.buffer])
        } catch (error) {
          if (error instanceof Failure && error.retryable) throw error
          // The blob is gone or cut off: then the image has no symbols.
          thread.post({ type: 'noBytes', request, problem: error instanceof Error ? error.message : String(error) })
        }
      }
    })
  }

  close(): void {
    this.#threads.close()
  }
}

function problemOf(error: unknown, { withinMs, heapMb }: SymbolicatorBounds): unknown {
  if (!(error instanceof ThreadEnded)) return error
  if (error.reason === 'LATE')
    return new SymbolicationProblem(`The report is too complex: it takes more than ${withinMs / 1_000} s.`)
  if (error.reason === 'MEMORY')
    return new SymbolicationProblem(`The report is too complex: it needs more than ${heapMb} MB.`)
  return error
}
