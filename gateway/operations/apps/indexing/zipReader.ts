/** Reads a zip of the storage in a thread of its own, with bounds on its time and its memory. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { ZipProblem } from '../dsymFiles/dsymZip.ts'
import type { MachOSlice } from '../dsymFiles/readMachO.ts'
import { type BytesRequest, readRequested } from '../dsymFiles/requestedBytes.ts'
import type { FromZipThread, ListedZip, ToZipThread, ZipThreadAnswer } from './zipThreadMessages.ts'

export interface ZipBlob {
  readonly name: string
  /** Bytes. */
  readonly size: number
}

export interface ZipReaderBounds {
  readonly files: number
  readonly bundles: number
  /** Bytes of all files together when they are unpacked. */
  readonly bytes: number
  /** The heap of the thread. */
  readonly heapMb: number
  /** The longest time between two signs of life of the thread, ms. */
  readonly silentMs: number
}

/** The storage does not return the bytes, or the disk does not take them. They can be read later. */
export class ZipUnavailable extends Error {
  override readonly name = 'ZipUnavailable'
}

/** A file of the zip is no Mach-O file. The message completes "The file …". */
export class UnreadableSymbols extends Error {
  override readonly name = 'UnreadableSymbols'
}

/** Used by one caller, one call at a time. */
export class ZipReader {
  readonly #thread: Worker
  readonly #blob: ZipBlob
  readonly #blobs: Pick<Blobs, 'read'>
  readonly #bounds: ZipReaderBounds
  /** Why the storage did not return bytes. The thread takes that for a damaged zip. */
  #unavailable: unknown
  #notify: () => void = () => {}
  /** The requests of the thread that the storage has not answered. */
  #reading = 0

  constructor(blob: ZipBlob, blobs: Pick<Blobs, 'read'>, bounds: ZipReaderBounds) {
    this.#blob = blob
    this.#blobs = blobs
    this.#bounds = bounds
    this.#thread = new Worker(new URL('./zipThread.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: bounds.heapMb },
    })
    this.#thread.on('message', (message: FromZipThread) => {
      this.#notify()
      if (message.type === 'read') void this.#read(message)
    })
    // An error of the thread is that of the call for which it works.
    this.#thread.on('error', () => {})
  }

  /** @throws ZipProblem, ZipUnavailable */
  async list(): Promise<ListedZip> {
    const { files, bundles, bytes } = this.#bounds
    const answer = await this.#call({
      type: 'list',
      blob: this.#blob.name,
      size: this.#blob.size,
      files,
      bundles,
      bytes,
    })
    if (answer.type !== 'listed') throw new Error(`the thread has answered ${answer.type}`)
    return answer.zip
  }

  /**
   * Unpacks a file of the zip to a new file of the disk, and returns the architectures in it.
   * @throws UnreadableSymbols, ZipProblem, ZipUnavailable
   */
  async extract(path: string, to: string): Promise<readonly MachOSlice[]> {
    const answer = await this.#call({ type: 'extract', path, to })
    if (answer.type !== 'extracted') throw new Error(`the thread has answered ${answer.type}`)
    return answer.slices
  }

  async close(): Promise<void> {
    await this.#thread.terminate()
  }

  async #call(message: Extract<ToZipThread, { readonly type: 'list' | 'extract' }>): Promise<ZipThreadAnswer> {
    const silent = new AbortController()
    let timer: NodeJS.Timeout | undefined
    this.#notify = () => {
      clearTimeout(timer)
      timer = setTimeout(() => silent.abort(), this.#bounds.silentMs)
    }
    this.#notify()
    try {
      const answered = this.#answer(silent.signal)
      this.#thread.postMessage(message)
      const answer = await answered
      if (this.#unavailable !== undefined) throw new ZipUnavailable(messageOf(this.#unavailable))
      if (answer.type === 'failed') throw new ZipUnavailable(answer.problem)
      if (answer.type === 'refused') throw new ZipProblem(answer.problem)
      if (answer.type === 'unreadable') throw new UnreadableSymbols(answer.problem)
      return answer
    } catch (error) {
      if (silent.signal.aborted && this.#reading > 0) throw new ZipUnavailable('The storage does not answer.')
      if (silent.signal.aborted) throw new ZipProblem('takes too long to read')
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new ZipProblem('needs too much memory to read')
      throw error
    } finally {
      this.#notify = () => {}
      clearTimeout(timer)
    }
  }

  async #answer(signal: AbortSignal): Promise<ZipThreadAnswer> {
    for (;;) {
      const [message] = (await once(this.#thread, 'message', { signal })) as [FromZipThread]
      if (message.type !== 'read') return message
    }
  }

  async #read(asked: BytesRequest): Promise<void> {
    const { request } = asked
    this.#reading++
    try {
      const bytes = await readRequested(asked, this.#blobs)
      this.#post({ type: 'bytes', request, bytes }, bytes)
    } catch (error) {
      this.#unavailable = error
      this.#post({ type: 'noBytes', request, problem: messageOf(error) })
    } finally {
      this.#reading--
      this.#notify()
    }
  }

  #post(message: ToZipThread, moved?: Uint8Array<ArrayBuffer>): void {
    this.#thread.postMessage(message, moved === undefined ? [] : [moved.buffer])
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
