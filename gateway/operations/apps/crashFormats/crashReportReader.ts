/** Reads crash reports in worker threads, with bounds on their time, their memory and their number. */
import { Failure, type FailureCode } from '../../../../spec/core/failure.ts'
import { ThreadEnded, ThreadPool } from '../../../limits/threadPool.ts'
import type { CheckedCrashReport, SentCrashReport } from './checkCrashReport.ts'

export type CrashReportAnswer =
  | { readonly type: 'checked'; readonly checked: CheckedCrashReport }
  | {
      readonly type: 'refused'
      readonly code: FailureCode
      readonly message: string
      readonly details: Failure['details']
    }

export type FromCrashReportThread = CrashReportAnswer & {
  /** Bytes of memory of the thread. */
  readonly memory: number
}

interface ReaderBounds {
  readonly atOnce: number
  /** Reports that wait until others are read. Each has up to 20 MiB. */
  readonly waiting: number
  readonly withinMs: number
  /** The heap of a thread: a report of 100 MiB needs several times as much when it is read. */
  readonly heapMb: number
}

/** Bytes of memory of a thread that is kept for the next report. A thread with more ends, because it would give back little of it. */
const keptMemory = 64 * 1024 * 1024

const defaultBounds: ReaderBounds = { atOnce: 2, waiting: 16, withinMs: 20_000, heapMb: 1_024 }

export class CrashReportReader {
  readonly #bounds: ReaderBounds
  readonly #threads: ThreadPool<SentCrashReport, FromCrashReportThread>

  constructor(bounds: Partial<ReaderBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds }
    this.#threads = new ThreadPool(new URL('./crashReportThread.ts', import.meta.url), this.#bounds)
  }

  /** @throws Failure BAD_USER_INPUT, PAYLOAD_TOO_LARGE; UNAVAILABLE if too many reports wait */
  async read(sent: SentCrashReport): Promise<CheckedCrashReport> {
    if (this.#threads.waiting >= this.#bounds.waiting)
      throw new Failure('UNAVAILABLE', 'Too many crash reports are being read. Send it again in some seconds.', {
        retryAfterMs: 5_000,
      })
    const answer = await this.#ask(sent)
    if (answer.type === 'checked') return answer.checked
    throw new Failure(answer.code, answer.message, answer.details && { details: answer.details })
  }

  close(): void {
    this.#threads.close()
  }

  /** The thread may be in a call that cannot be interrupted. Until that ends, it takes the place of another one. */
  async #ask(sent: SentCrashReport): Promise<FromCrashReportThread> {
    const { withinMs, heapMb } = this.#bounds
    try {
      return await this.#threads.run(async (thread) => {
        thread.post(sent)
        const answer = await thread.next({ ms: withinMs })
        if (answer.memory > keptMemory) thread.retire()
        return answer
      })
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error
      if (error.reason === 'LATE') throw tooComplex(`reading it takes more than ${withinMs / 1_000} s`)
      if (error.reason === 'MEMORY') throw tooComplex(`reading it needs more than ${heapMb} MB`)
      throw error
    }
  }
}

function tooComplex(reason: string): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The report is too complex: ${reason}.`, { details: { field: 'body' } })
}
