/** Reads crash reports in worker threads, with bounds on their time, their memory and their number. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Failure, type FailureCode } from '../../../../spec/core/failure.ts'
import { Semaphore } from '../../../limits/semaphore.ts'
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
    thread.ref()
    const { withinMs, heapMb } = this.#bounds
    const late = AbortSignal.timeout(withinMs)
    let answer: FromCrashReportThread
    try {
      const answered = once(thread, 'message', { signal: late })
      thread.postMessage(sent)
      ;[answer] = (await answered) as [FromCrashReportThread]
    } catch (error) {
      // It may be in a call that cannot be interrupted. Until that ends, it takes the place of another one.
      await thread.terminate()
      if (late.aborted) throw tooComplex(`reading it takes more than ${withinMs / 1_000} s`)
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw tooComplex(`reading it needs more than ${heapMb} MB`)
      throw error
    }
    if (answer.memory > keptMemory) await thread.terminate()
    else this.#keep(thread)
    if (answer.type === 'checked') return answer.checked
    throw new Failure(answer.code, answer.message, answer.details && { details: answer.details })
  }

  /** A thread that waits does not keep the process running. */
  #keep(thread: Worker): void {
    thread.unref()
    this.#idle.push(thread)
  }

  #start(): Worker {
    const thread = new Worker(new URL('./crashReportThread.ts', import.meta.url), {
      // The options of this process may be valid for it alone.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: this.#bounds.heapMb },
    })
    // An error of a thread that reads is that of its report.
    thread.on('error', () => {})
    thread.once('exit', () => {
      const place = this.#idle.indexOf(thread)
      if (place >= 0) this.#idle.splice(place, 1)
    })
    return thread
  }
}

function tooComplex(reason: string): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `The report is too complex: ${reason}.`, { details: { field: 'body' } })
}
