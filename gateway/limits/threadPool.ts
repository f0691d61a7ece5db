/** Worker threads of one program file, with bounds on their number, their heap and their silence. A thread is kept for the next task. */
import { Worker } from 'node:worker_threads'
import { Semaphore } from './semaphore.ts'

export interface ThreadBounds {
  readonly atOnce: number
  /** The heap of a thread. */
  readonly heapMb: number
}

/** The thread was terminated, or has ended by itself. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
  /** LATE: it was silent for too long. MEMORY: it needed more than its heap. FAILED: another error, which is the cause. */
  readonly reason: 'LATE' | 'MEMORY' | 'FAILED'

  constructor(reason: ThreadEnded['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** The time that a thread still has. A time in which the process or its machine is stopped, or busy, hardly counts. */
export interface TimeLeft {
  ms: number
}

/** A wait is counted in parts of this length, ms. However late a part ends, no more is counted. */
const partMs = 1_000

/** A thread in the hands of one task. */
export interface TaskThread<To, From> {
  post(message: To, moved?: readonly ArrayBuffer[]): void
  /** The next message of the thread. The time for which it is waited is taken from `time`. @throws ThreadEnded */
  next(time: TimeLeft): Promise<From>
  /** The thread is not used again, for example because it has used much memory. */
  retire(): void
}

export class ThreadPool<To, From> {
  readonly #file: URL
  readonly #bounds: ThreadBounds
  readonly #turns: Semaphore
  readonly #idle: PooledThread<To, From>[] = []

  constructor(file: URL, bounds: ThreadBounds) {
    this.#file = file
    this.#bounds = bounds
    this.#turns = new Semaphore(bounds.atOnce)
  }

  /** Tasks that wait for a thread. */
  get waiting(): number {
    return this.#turns.waiting
  }

  /** After an error of the task, its thread is terminated, because it may still be at work. */
  async run<T>(task: (thread: TaskThread<To, From>) => Promise<T>): Promise<T> {
    return await this.#turns.run(async () => {
      const thread = this.#take()
      let isKept = false
      try {
        const result = await task(thread)
        isKept = thread.isUsable
        return result
      } finally {
        if (isKept) this.#keep(thread)
        else await thread.terminate()
      }
    })
  }

  close(): void {
    for (const thread of this.#idle.splice(0)) void thread.terminate()
  }

  #take(): PooledThread<To, From> {
    for (let thread = this.#idle.pop(); thread !== undefined; thread = this.#idle.pop())
      if (thread.isUsable) {
        thread.worker.ref()
        return thread
      }
    return new PooledThread(this.#file, this.#bounds.heapMb)
  }

  /** A thread that waits does not keep the process running. */
  #keep(thread: PooledThread<To, From>): void {
    thread.worker.unref()
    this.#idle.push(thread)
  }
}

class PooledThread<To, From> implements TaskThread<To, From> {
  readonly worker: Worker
  readonly #messages: From[] = []
  #ended: ThreadEnded | undefined
  #isRetired = false
  #wake: () => void = () => {}

  constructor(file: URL, heapMb: number) {
    this.worker = new Worker(file, {
      // The options of this process may be valid for it alone.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    this.worker.on('message', (message: From) => {
      this.#messages.push(message)
      this.#wake()
    })
    this.worker.on('error', (error) => this.#end(errorOf(error, heapMb)))
    this.worker.once('exit', (code) => this.#end(new ThreadEnded('FAILED', `the thread has ended with ${code}`)))
  }

  get isUsable(): boolean {
    return this.#ended === undefined && !this.#isRetired
  }

  post(message: To, moved: readonly ArrayBuffer[] = []): void {
    this.worker.postMessage(message, moved)
  }

  async next(time: TimeLeft): Promise<From> {
    const withinMs = time.ms
    for (;;) {
      const message = this.#messages.shift()
      if (message !== undefined) return message
      if (this.#ended !== undefined) throw this.#ended
      if (time.ms <= 0) throw new ThreadEnded('LATE', `the thread was silent for ${withinMs / 1_000} s`)
      const part = Math.min(time.ms, partMs)
      const from = performance.now()
      await this.#signOfLife(part)
      time.ms -= Math.min(performance.now() - from, part)
    }
  }

  retire(): void {
    this.#isRetired = true
  }

  async terminate(): Promise<void> {
    await this.worker.terminate()
  }

  async #signOfLife(withinMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(resolve, Math.ceil(withinMs))
    await promise
    clearTimeout(timer)
  }

  #end(ended: ThreadEnded): void {
    this.#ended ??= ended
    this.#wake()
  }
}

function errorOf(error: unknown, heapMb: number): ThreadEnded {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new ThreadEnded('MEMORY', `the thread needed more than ${heapMb} MB`, error)
  return new ThreadEnded('FAILED', error instanceof Error ? error.message : String(error), error)
}
