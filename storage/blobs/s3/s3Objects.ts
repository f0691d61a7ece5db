/** The objects of a bucket. Temporary errors are retried a few times, and then reported as UNAVAILABLE. */
import { setTimeout as sleep } from 'node:timers/promises'
import { S3mini, S3ServiceError } from 's3mini'
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { S3Settings } from '../../../spec/settings/s3.ts'

/** An object has at most some 13 MiB. A request that takes longer than this has failed, ms. */
const requestMs = 60_000
const healthMs = 3_000
/** The object by which the storage is tried. */
const probeKey = 'probe'
const tries = 4
const retryPolicy: BackOffPolicy = { firstMs: 200, factor: 3, mostMs: 5_000, jitter: 0.5 }

export interface StoredObject {
  readonly key: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

export interface BucketProblem {
  readonly text: string
  /** Whether it may be over within seconds. A wrong key stays wrong. */
  readonly isTemporary: boolean
}

export class S3Objects {
  readonly #s3: S3mini
  readonly #prefix: string
  readonly #log: (line: string) => void

  constructor(settings: S3Settings, log: (line: string) => void) {
    const { endpoint, accessKeyId, secretAccessKey, region } = settings
    this.#s3 = new S3mini({ endpoint, accessKeyId, secretAccessKey, region, requestAbortTimeout: requestMs })
    this.#prefix = settings.prefix
    this.#log = log
  }

  /** Durable when it resolves. @throws Failure UNAVAILABLE */
  async put(key: string, data: Uint8Array): Promise<void> {
    await this.#retried(`store ${key}`, async () => {
      await (await this.#s3.putObject(this.#keyOf(key), data as Uint8Array<ArrayBuffer>)).arrayBuffer()
    })
  }

  /** The bytes `from` up to and without `to`. Undefined if there is no such object. @throws Failure UNAVAILABLE */
  async get(key: string, from: number, to: number): Promise<ReadableStream<Uint8Array> | undefined> {
    return await this.#retried(`read ${key}`, async () => {
      try {
        const response = await this.#s3.getObjectRaw(this.#keyOf(key), false, from, to)
        if (response.body === null) throw new Error('the answer has no body')
        // A server that ignores the range would return other bytes.
        if (response.status === 206 || (from === 0 && Number(response.headers.get('content-length')) === to))
          return response.body
        await response.body.cancel()
        throw new Error(`the answer to a range is ${response.status}`)
      } catch (error) {
        if (error instanceof S3ServiceError && error.status === 404) return undefined
        throw error
      }
    })
  }

  /** @throws Failure UNAVAILABLE */
  async has(key: string): Promise<boolean> {
    return await this.#retried(`look for ${key}`, async () => (await this.#s3.objectExists(this.#keyOf(key))) === true)
  }

  /** An object that does not exist stays so. @throws Failure UNAVAILABLE */
  async remove(key: string): Promise<void> {
    await this.#retried(`remove ${key}`, async () => {
      try {
        await this.#s3.deleteObject(this.#keyOf(key))
      } catch (error) {
        if (!(error instanceof S3ServiceError && error.status === 404)) throw error
      }
    })
  }

  /** A page of up to 1,000 objects, and the mark of the next one. @throws Failure UNAVAILABLE */
  async page(mark: string | undefined): Promise<{ objects: readonly StoredObject[]; next: string | undefined }> {
    return await this.#retried('list objects', async () => {
      const answer = await this.#s3.listObjectsPaged('/', this.#prefix, 1_000, mark)
      if (answer === null || answer === undefined) throw new Error('the bucket does not exist')
      const objects = (answer.objects ?? []).map(({ Key, LastModified }) => ({
        key: Key.slice(this.#prefix.length),
        changedAt: new Date(LastModified).getTime(),
      }))
      return { objects, next: answer.nextContinuationToken }
    })
  }

  /** The reason why the bucket cannot be used. Undefined if an object can be stored now. */
  async problem(): Promise<BucketProblem | undefined> {
    try {
      const stored = this.#s3.putObject(this.#keyOf(probeKey), 'ok').then((response) => response.text())
      const late = sleep(healthMs, 'late' as const, { ref: false })
      if ((await Promise.race([stored, late])) !== 'late') return undefined
      return { text: `no answer within ${healthMs / 1_000} s`, isTemporary: true }
    } catch (error) {
      return { text: describe(error), isTemporary: isTemporary(error) }
    }
  }

  #keyOf(key: string): string {
    return `${this.#prefix}${key}`
  }

  async #retried<T>(task: string, run: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await run()
      } catch (error) {
        if (tried < tries && isTemporary(error)) {
          await sleep(backOffMs(retryPolicy, tried))
          continue
        }
        this.#log(`S3 failed to ${task}: ${describe(error)}`)
        throw Object.assign(
          new Failure('UNAVAILABLE', 'The storage of files does not answer at the moment. Try again.', {
            retryAfterMs: 5_000,
          }),
          { cause: error },
        )
      }
    }
  }
}

/** A refusal such as 403 stays the same within seconds. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof S3ServiceError) || error.status >= 500 || error.status === 429 || error.status === 408
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}
