/** The threads that hash. They start with the first task. All tasks of one blob are carried out by one thread, in their order. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { HashAnswer, HashRequest, HashTask } from './hashMessages.ts'

/** One core is left to the main thread. A disk rarely delivers more than four threads hash. */
const threadCount = Math.min(4, Math.max(1, availableParallelism() - 1))

interface Waiting {
  resolve(digest: string | undefined): void
  reject(error: Error): void
}

export class HashThreads {
  readonly #threads: (HashThread | undefined)[] = []

  /** The digest, if the task asks for it. @throws Error if the task failed; the state of the blob is then gone */
  async run(name: string, task: HashTask): Promise<string | undefined> {
    const place = placeOf(name)
    const known = this.#threads[place]
    const thread = known === undefined || known.hasEnded ? new HashThread() : known
    this.#threads[place] = thread
    return await thread.run(name, task)
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread?.close()))
  }
}

/** The thread of a blob. */
function placeOf(name: string): number {
  let sum = 0
  for (let at = 0; at < name.length; at++) sum = (sum * 31 + name.charCodeAt(at)) >>> 0
  return sum % threadCount
}

class HashThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  hasEnded = false

  constructor() {
    this.#worker = new Worker(new URL('./hashThread.ts', import.meta.url), {
      // The options of this process may be valid for it alone.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    this.#worker.on('message', (answer: HashAnswer) => this.#settle(answer))
    this.#worker.on('error', (error: Error) => this.#end(error))
    this.#worker.on('exit', (code) => this.#end(new Error(`a thread that hashes ended with exit code ${code}`)))
    this.#worker.unref()
  }

  run(name: string, task: HashTask): Promise<string | undefined> {
    const number = ++this.#last
    const request: HashRequest = { number, name, ...task }
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      // The process does not end while a task is awaited.
      this.#worker.ref()
      this.#worker.postMessage(request, task.type === 'bytes' ? transferable(task.bytes) : [])
    })
  }

  async close(): Promise<void> {
    this.#end(new Error('the server is stopping'))
    await this.#worker.terminate()
  }

  #settle({ number, digest, problem }: HashAnswer): void {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    if (this.#waiting.size === 0) this.#worker.unref()
    if (problem === undefined) waiting?.resolve(digest)
    else waiting?.reject(new Error(problem))
  }

  #end(error: Error): void {
    this.hasEnded = true
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** Memory that is not shared is handed over. */
function transferable({ buffer }: Uint8Array): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer ? [buffer] : []
}
