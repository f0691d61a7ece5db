/** Reads crash reports in worker threads, with bounds on their time, their memory and their number. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Failure, type FailureCode } from '../../../../spec/core/failure.ts'
import { Semaphore } from '../../../limits/semaphore.ts'
import type { CheckedCrashReport, SentCrashReport } from './checkCrashReport.ts'

export type FromCrashReportThread =
  | { readonly type: 'checked'; readonly checked: CheckedCrashReport }
  | {
      readonly type: 'refused'
      readonly code: FailureCode
      readonly message: string
      readonly details: Failure['details']
    }

interface ReaderBounds {
  readonly atOnce: number
  /** Reports that wait until others are read. Each has up to 20 MiB. */
  readonly waiting: number
  readonly withinMs: number
  /** The heap of a thread: a report of 100 MiB needs several times as much when it is read. */
  readonly heapMb: number
}

const defaultBounds: ReaderBounds = { atOnce: 2, waiting: 16, withinMs: 20_000, heapMb: 1_024 }

export class CrashReportReader {
  readonly #bounds: ReaderBounds
  readonly #turns: Semaphore
  /** Threads that have read a report and wait for another one. */
  readonly #idle: Worker[] = []

  constructor(bounds: Partial<ReaderBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds }
    this.#turns = new Semaphore(this.#bounds.atOnce)
  }

  /** @throws Failure BAD_USER_INPUT, PAYLOAD_TOO_LARGE; UNAVAILABLE if too many reports wait */
  async read(sent: SentCrashReport): Promise<CheckedCrashReport> {
    if (this.#turns.waiting >= this.#bounds.waiting)
      throw new Failure('UNAVAILABLE', 'Too many crash reports are being read. Send it again in some seconds.', {
        retryAfterMs: 5_000,
      })
    return await this.#turns.run(() => this.#run(sent))
  }

  close(): void {
    for (const thread of this.#idle.splice(0)) void thread.terminate()
  }

  async #run(sent: SentCrashReport): Promise<CheckedCrashReport> {
    const thread = this.#idle.pop() ?? this.#start()
    const { withinMs, heapMb } = this.#bounds
    const late = AbortSignal.timeout(withinMs)
    let answer: FromCrashReportThread
    try {
      const answered = once(thread, 'message', { signal: late })
      thread.postMessage(sent)
      ;[answer] = (await answered) as [FromCrashReportThread]
    } catch (error) {
      void thread.terminate()
      if (late.aborted) throw tooComplex(`reading it takes more than ${withinMs / 1_000} s`)
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw tooComplex(`reading it needs more than ${heapMb} MB`)
      throw error
    }
    this.#idle.push(thread)
    if (answer.type === 'checked') return answer.checked
    throw new Failure(answer.code, answer.message, answer.details && { details: answer.details })
  }

  #start(): Worker {
    const thread = new Worker(new URL('./crashReportThread.ts', import.meta.url), {
      // The options of this process may be valid for it alone.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: this.#bounds.heapMb },
    })
    // It does not keep the process running. An error of a thread that reads is that of its report.
    thread.unref()
    thread.on('error', () => {})
    return thread
  }
}

function tooComplex(reason: string): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The report is too complex: ${reason}.`, { details: { field: 'body' } })
}
