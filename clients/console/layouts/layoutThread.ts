/** The thread that lays out charts, started when it is needed and ended when it has had no request for some time. */
import { Worker } from 'node:worker_threads'
import type { LayoutRequest, LayoutResponse } from './layoutMessage.ts'

/** The engine holds about 60 MB. */
const idleMs = 600_000
/** More than any chart takes, so a thread that has not answered by then never will. */
const withinMs = 30_000

interface Waiting {
  resolve(json: string): void
  reject(error: Error): void
}

export class LayoutThread {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #next = 1
  readonly #waiting = new Map<number, Waiting>()

  /** @returns the layout as JSON */
  async layOut(request: Omit<LayoutRequest, 'id'>): Promise<string> {
    this.#worker ??= this.#open()
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#end(new Error('the thread was idle')), idleMs).unref()
    const id = this.#next++
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#waiting.set(id, { resolve, reject })
    const late = setTimeout(() => this.#end(new Error(`no layout came within ${withinMs} ms`)), withinMs)
    // A process that waits for a chart must not end before it.
    this.#worker.ref()
    this.#worker.postMessage({ id, ...request } satisfies LayoutRequest)
    try {
      return await promise
    } finally {
      clearTimeout(late)
      if (this.#waiting.size === 0) this.#worker?.unref()
    }
  }

  #open(): Worker {
    // The options of this process may be valid for it alone.
    const worker = new Worker(new URL('./layoutWorker.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    worker.unref()
    worker.on('message', (response: LayoutResponse) => {
      const waiting = this.#waiting.get(response.id)
      this.#waiting.delete(response.id)
      if ('json' in response) waiting?.resolve(response.json)
      else waiting?.reject(new Error(`the chart cannot be laid out: ${response.problem}`))
    })
    worker.once('error', (error) => this.#end(error as Error, worker))
    worker.once('exit', (code) => this.#end(new Error(`the thread ended with exit code ${code}`), worker))
    return worker
  }

  /** The next request starts a new thread. */
  #end(reason: Error, worker = this.#worker): void {
    if (worker === undefined || worker !== this.#worker) return
    this.#worker = undefined
    void worker.terminate()
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
  }
}
