import type { BlobHashes } from '../../ports/blobHashes.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { HashTask } from './hashMessages.ts'
import { HashThreads } from './hashThreads.ts'

/** The bytes that a thread hashes at once: some milliseconds, so that the blobs of one thread take turns. */
const sliceBytes = 16 * 1024 * 1024
/** States of blobs that did not grow for a while are dropped, the oldest first. */
const statesKept = 1_000

interface HashState {
  /** The bytes that the thread has hashed. */
  covered: number
  /** The bytes that the thread was asked to hash. It carries out its tasks in their order. */
  asked: number
  /** The durable bytes of the blob. */
  target: number
  /** The last task. */
  task: Promise<void>
  /** The bytes that the blob had before are read from it, and the thread is asked to hash them. */
  reading: Promise<void> | undefined
}

/** The bytes of a blob that grows are passed to a thread. Threads read the former bytes of files by themselves. */
export class ThreadedBlobHashes implements BlobHashes {
  readonly #blobs: Pick<Blobs, 'read' | 'fileOf'>
  readonly #threads = new HashThreads()
  readonly #states = new Map<string, HashState>()

  constructor(blobs: Pick<Blobs, 'read' | 'fileOf'>) {
    this.#blobs = blobs
  }

  begin(name: string, size: number): void {
    const state = this.#states.get(name)
    if (state !== undefined && state.target > size) this.discard(name)
    const begun = this.#stateOf(name)
    begun.target = Math.max(begun.target, size)
    this.#readRest(name, begun)
  }

  async follow(name: string, offset: number, data: Uint8Array): Promise<void> {
    const state = this.#stateOf(name)
    state.target = Math.max(state.target, offset + data.length)
    if (state.asked !== offset) return this.#readRest(name, state)
    // Another thread can read shared memory. Other bytes are copied, and the copy is handed over.
    const bytes = data.buffer instanceof SharedArrayBuffer ? data : new Uint8Array(data)
    await this.#ask(name, state, { type: 'bytes', from: offset, bytes }).catch(() => {})
  }

  async digest(name: string, size: number): Promise<string> {
    for (;;) {
      const state = this.#stateOf(name)
      state.target = Math.max(state.target, size)
      this.#readRest(name, state)
      await state.reading
      await state.task
      if (this.#states.get(name) !== state || state.covered < size) continue
      if (state.covered > size) throw new Error(`${name} is hashed up to ${state.covered}, and has ${size} bytes`)
      const digest = await this.#threads.run(name, { type: 'digest' })
      // It could have been dropped and begun again while the thread was asked.
      if (digest !== undefined && this.#states.get(name) === state && state.covered === size) return digest
    }
  }

  covered(name: string): number {
    return this.#states.get(name)?.covered ?? 0
  }

  discard(name: string): void {
    if (!this.#states.delete(name)) return
    void this.#threads.run(name, { type: 'discard' }).catch(() => {})
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }

  #stateOf(name: string): HashState {
    const known = this.#states.get(name)
    const state = known ?? { covered: 0, asked: 0, target: 0, task: Promise.resolve(), reading: undefined }
    this.#states.delete(name)
    this.#states.set(name, state)
    if (known === undefined) this.#dropOldest()
    return state
  }

  #dropOldest(): void {
    if (this.#states.size <= statesKept) return
    for (const [name, { covered, asked, reading }] of this.#states) {
      if (reading !== undefined || covered < asked) continue
      this.discard(name)
      return
    }
  }

  #readRest(name: string, state: HashState): void {
    if (state.reading !== undefined || state.asked >= state.target) return
    state.reading = this.#read(name, state).finally(() => {
      state.reading = undefined
    })
    // A later call tries again, and `digest` reports the error.
    state.reading.catch(() => {})
  }

  async #read(name: string, state: HashState): Promise<void> {
    while (state.asked < state.target && this.#states.get(name) === state) {
      const from = state.asked
      const to = Math.min(state.target, from + sliceBytes)
      const path = this.#blobs.fileOf(name)
      if (path !== undefined) await this.#ask(name, state, { type: 'file', path, from, to })
      else await this.#readTo(name, state, to)
    }
  }

  async #readTo(name: string, state: HashState, to: number): Promise<void> {
    for await (const chunk of this.#blobs.read(name, state.asked, to))
      await this.#ask(name, state, { type: 'bytes', from: state.asked, bytes: new Uint8Array(chunk) })
    if (state.asked < to) throw new Error(`${name} ends at ${state.asked}, and ${to} bytes were expected`)
  }

  /** Asks the thread for the next bytes. If it fails, the thread has dropped its state of the blob. */
  #ask(name: string, state: HashState, task: Extract<HashTask, { readonly from: number }>): Promise<void> {
    const to = task.type === 'file' ? task.to : task.from + task.bytes.length
    state.asked = to
    state.task = (async () => {
      if (this.#states.get(name) !== state) throw new Error(`the state of ${name} was dropped`)
      try {
        await this.#threads.run(name, task)
        state.covered = to
      } catch (error) {
        if (this.#states.get(name) === state) this.#states.delete(name)
        throw error
      }
    })()
    state.task.catch(() => {})
    return state.task
  }
}
