/** Compares images in a worker thread, with bounds on their pixels, their memory and their time. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { Failure } from '../../spec/core/failure.ts'
import type { ImageFormat } from '../../spec/worktrees/imageFormat.ts'
import { Semaphore } from '../limits/semaphore.ts'
import type { ImageHeader } from './imageHeader.ts'
import { ImageProblem, type ImageProblemReason } from './imageProblem.ts'

export interface EncodedImage {
  readonly format: ImageFormat
  readonly bytes: Uint8Array
  readonly header: ImageHeader
}

export interface ComparisonInput {
  readonly view: 'side' | 'difference'
  /** Undefined if there is no such image. At least one is given. */
  readonly before: EncodedImage | undefined
  readonly after: EncodedImage | undefined
  /** Of one image. */
  readonly maxPixels: number
}

export interface DrawnImage {
  readonly png: Uint8Array
  /** Null unless the view is the difference. */
  readonly changedPixels: number | null
}

export interface ComparedImages extends DrawnImage {
  /** Undefined if there is no such image. */
  readonly before: ImageHeader | undefined
  readonly after: ImageHeader | undefined
}

export type FromImageWorker =
  | ({ readonly type: 'compared' } & DrawnImage)
  | {
      readonly type: 'problem'
      readonly side: 'before' | 'after'
      readonly reason: ImageProblemReason
      readonly message: string
    }

/** A problem of one of two images. */
export class ComparisonProblem extends ImageProblem {
  /** Undefined if it is not known which one. */
  readonly side: 'before' | 'after' | undefined

  constructor(side: 'before' | 'after' | undefined, reason: ImageProblemReason, message: string) {
    super(reason, message)
    this.side = side
  }
}

export interface ComparerBounds {
  readonly atOnce: number
  /** Comparisons that wait until others end. */
  readonly waiting: number
  readonly withinMs: number
  /** The heap of the thread. Pixels and WebAssembly are outside of it, and are bounded by `maxPixels`. */
  readonly heapMb: number
  /** The bytes of results that are kept. */
  readonly cachedBytes: number
}

const defaultBounds: ComparerBounds = {
  atOnce: 2,
  waiting: 16,
  withinMs: 15_000,
  heapMb: 512,
  cachedBytes: 32 * 1024 * 1024,
}

export class ImageComparer {
  readonly #bounds: ComparerBounds
  readonly #turns: Semaphore
  readonly #results: LRUCache<string, ComparedImages>
  readonly #comparing = new Map<string, Promise<ComparedImages>>()

  constructor(bounds: Partial<ComparerBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds }
    this.#turns = new Semaphore(this.#bounds.atOnce)
    this.#results = new LRUCache({ maxSize: this.#bounds.cachedBytes, sizeCalculation: ({ png }) => png.length + 100 })
  }

  /**
   * @param key names the bytes of both images and the view. Results are kept by it
   * @param load is called when the turn of the comparison has come, so images that wait take no memory
   * @throws ComparisonProblem; Failure UNAVAILABLE if too many comparisons wait
   */
  async compare(key: string, load: () => Promise<ComparisonInput>): Promise<ComparedImages> {
    const known = this.#results.get(key)
    if (known !== undefined) return known
    const running = this.#comparing.get(key)
    if (running !== undefined) return await running
    if (this.#turns.waiting >= this.#bounds.waiting)
      throw new Failure('UNAVAILABLE', 'Too many images are being compared. Try again in a few seconds.', {
        retryAfterMs: 3_000,
      })
    const comparing = this.#turns.run(async () => {
      const input = await load()
      return { ...(await this.#run(input)), before: input.before?.header, after: input.after?.header }
    })
    this.#comparing.set(key, comparing)
    try {
      const result = await comparing
      this.#results.set(key, result)
      return result
    } finally {
      this.#comparing.delete(key)
    }
  }

  async #run(input: ComparisonInput): Promise<DrawnImage> {
    const { heapMb, withinMs } = this.#bounds
    const worker = new Worker(new URL('./imageWorker.ts', import.meta.url), {
      workerData: input,
      // The options of this process may be valid for it alone.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      stdout: true,
    })
    // A decoder prints warnings about damaged images. They are no lines of this log.
    worker.stdout.resume()
    const late = AbortSignal.timeout(withinMs)
    try {
      const [message] = (await once(worker, 'message', { signal: late })) as [FromImageWorker]
      if (message.type === 'problem') throw new ComparisonProblem(message.side, message.reason, message.message)
      return { png: message.png, changedPixels: message.changedPixels }
    } catch (error) {
      if (late.aborted) throw new ComparisonProblem(undefined, 'TOO_COMPLEX', `decoding took more than ${withinMs} ms`)
      if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new ComparisonProblem(undefined, 'TOO_COMPLEX', `decoding needs more than ${heapMb} MB`)
      throw error
    } finally {
      await worker.terminate()
    }
  }
}
