/** Threads that compress blocks. The main thread stays free to answer signals. */
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { deflateBlock } from './deflateBlock.ts'

interface DeflateRequest {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isLast: boolean
}

/** A thread loads the file that this module is part of: the program is one file. Its part in it is chosen by this value. */
const role = 'signalbox-dsym deflate'

/** More would only wait for the disk. */
const mostWorkers = 8

interface Job extends DeflateRequest {
  resolve(bytes: Uint8Array): void
  reject(error: unknown): void
}

export class DeflateWorkers {
  readonly #workers: Worker[] = []
  readonly #idle: Worker[] = []
  readonly #waiting: Job[] = []
  readonly #active = new Map<Worker, Job>()
  #failure: unknown

  constructor(count = Math.min(mostWorkers, availableParallelism())) {
    for (let index = 0; index < count; index++) this.#start()
  }

  get count(): number {
    return this.#workers.length
  }

  /** The bytes are moved to the thread, and are empty afterwards. */
  deflate(bytes: Uint8Array<ArrayBuffer>, isLast: boolean): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      this.#waiting.push({ bytes, isLast, resolve, reject })
      this.#assign()
    })
  }

  /** Blocks that are not compressed yet are rejected. */
  async end(): Promise<void> {
    this.#fail(new Error('The compression was stopped.'))
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  #start(): void {
    const worker = new Worker(new URL(import.meta.url), { workerData: role })
    worker.on('message', (bytes: Uint8Array) => {
      this.#active.get(worker)?.resolve(bytes)
      this.#active.delete(worker)
      this.#idle.push(worker)
      this.#assign()
    })
    worker.on('error', (error) => this.#fail(error))
    this.#workers.push(worker)
    this.#idle.push(worker)
  }

  #assign(): void {
    for (let job = this.#waiting[0]; job !== undefined; job = this.#waiting[0]) {
      const worker = this.#idle.pop()
      if (worker === undefined) return
      this.#waiting.shift()
      this.#active.set(worker, job)
      const request: DeflateRequest = { bytes: job.bytes, isLast: job.isLast }
      worker.postMessage(request, [job.bytes.buffer])
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    for (const job of [...this.#active.values(), ...this.#waiting.splice(0)]) job.reject(this.#failure)
    this.#active.clear()
  }
}

if (!isMainThread && workerData === role)
  parentPort?.on('message', ({ bytes, isLast }: DeflateRequest) => {
    const result = deflateBlock(bytes, isLast)
    parentPort?.postMessage(result, [result.buffer])
  })
