import type { BlobHashes } from '../../ports/blobHashes.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { HashThreads } from './hashThreads.ts'

/** The bytes that a thread hashes at once: some milliseconds, so that the blobs of one thread take turns. */
const sliceBytes = 16 * 1024 * 1024
/** States of blobs that did not grow for a while are dropped, the oldest first. */
const statesKept = 1_000

interface HashState {
  /** The bytes that the thread has hashed. */
  covered: number
  /** The durable bytes of the blob. */
  target: number
  /** Bytes that were passed on and are being hashed. */
  work: Promise<void> | undefined
}

/** Threads read the bytes of files by themselves. The bytes of other storages are passed to them as they arrive. */
export class ThreadedBlobHashes implements BlobHashes {
  readonly #blobs: Pick<Blobs, 'read' | 'fileOf'>
  readonly #threads = new HashThreads()
  readonly #states = new Map<string, HashState>()

  constructor(blobs: Pick<Blobs, 'read' | 'fileOf'>) {
    this.#blobs = blobs
  }

  begin(name: string, size: number): void {
    const state = this.#states.get(name)
    if (state !== undefined && state.target > size) this.forget(name)
    this.#goOn(name, size)
  }

  follow(name: string, offset: number, data: Uint8Array): void {
    const state = this.#stateOf(name)
    const isFile = this.#blobs.fileOf(name) !== undefined
    if (isFile || state.work !== undefined || state.covered !== offset) {
      this.#goOn(name, offset + data.length)
      return
    }
    state.target = offset + data.length
    // A copy in a buffer of its own, which can be transferred to the thread.
    state.work = this.#pass(name, state, new Uint8Array(data)).finally(() => {
      state.work = undefined
    })
    state.work.then(
      () => this.#goOn(name, state.target),
      () => {},
    )
  }

  async digest(name: string, size: number): Promise<string> {
    for (;;) {
      this.#goOn(name, size)
      const state = this.#stateOf(name)
      await state.work
      if (this.#states.get(name) !== state || state.work !== undefined || state.covered < size) continue
      if (state.covered > size) throw new Error(`${name} is hashed up to ${state.covered}, and has ${size} bytes`)
      const digest = await this.#threads.run(name, { type: 'digest' })
      // It could have been dropped and begun again while the thread was asked.
      if (digest !== undefined && this.#states.get(name) === state && state.covered === size) return digest
    }
  }

  covered(name: string): number {
    return this.#states.get(name)?.covered ?? 0
  }

  forget(name: string): void {
    if (!this.#states.delete(name)) return
    void this.#threads.run(name, { type: 'forget' }).catch(() => {})
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }

  #stateOf(name: string): HashState {
    const known = this.#states.get(name)
    const state = known ?? { covered: 0, target: 0, work: undefined }
    this.#states.delete(name)
    this.#states.set(name, state)
    if (known === undefined) this.#dropOldest()
    return state
  }

  #dropOldest(): void {
    if (this.#states.size <= statesKept) return
    for (const [name, { work }] of this.#states) {
      if (work !== undefined) continue
      this.forget(name)
      return
    }
  }

  #goOn(name: string, target: number): void {
    const state = this.#stateOf(name)
    state.target = Math.max(state.target, target)
    if (state.work !== undefined || state.covered >= state.target) return
    state.work = this.#catchUp(name, state).finally(() => {
      state.work = undefined
    })
    // A later call tries again, and `digest` reports the error.
    state.work.catch(() => {})
  }

  async #catchUp(name: string, state: HashState): Promise<void> {
    while (state.covered < state.target && this.#states.get(name) === state) {
      const to = Math.min(state.target, state.covered + sliceBytes)
      const path = this.#blobs.fileOf(name)
      if (path === undefined) {
        for await (const chunk of this.#blobs.read(name, state.covered, to))
          await this.#pass(name, state, new Uint8Array(chunk))
        if (state.covered < to) throw new Error(`${name} ends at ${state.covered}, and ${to} bytes were expected`)
      } else {
        await this.#carryOut(name, state, () =>
          this.#threads.run(name, { type: 'file', path, from: state.covered, to }),
        )
        state.covered = to
      }
    }
  }

  async #pass(name: string, state: HashState, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const { length } = bytes
    await this.#carryOut(name, state, () => this.#threads.run(name, { type: 'bytes', bytes }))
    state.covered += length
  }

  /** If the task fails, the thread has dropped its state of the blob. */
  async #carryOut(name: string, state: HashState, run: () => Promise<unknown>): Promise<void> {
    if (this.#states.get(name) !== state) throw new Error(`the state of ${name} was dropped`)
    try {
      await run()
    } catch (error) {
      if (this.#states.get(name) === state) this.#states.delete(name)
      throw error
    }
  }
}
