/** Reads the requested records page by page, and sends them to a worker thread that writes the file. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Failure } from '../../../../spec/core/failure.ts'
import { exportRecords } from '../../../../spec/telemetry/exportRequest.ts'
import type { StoredTelemetry, TelemetryReader } from '../../../../spec/telemetry/record.ts'
import { Semaphore } from '../../../limits/semaphore.ts'
import type { ExportJob, FromRenderer, ToRenderer } from './job.ts'

export interface ExportBounds {
  readonly atOnce: number
  /** Exports that wait until others end. */
  readonly waiting: number
  /** The length of the records' JSON. */
  readonly characters: number
  readonly withinMs: number
}

const defaultBounds: ExportBounds = { atOnce: 2, waiting: 16, characters: 32 * 1024 * 1024, withinMs: 120_000 }
const pageSize = 200

export class Exporter {
  readonly #telemetry: TelemetryReader
  readonly #bounds: ExportBounds
  readonly #turns: Semaphore

  constructor(telemetry: TelemetryReader, bounds: Partial<ExportBounds> = {}) {
    this.#telemetry = telemetry
    this.#bounds = { ...defaultBounds, ...bounds }
    this.#turns = new Semaphore(this.#bounds.atOnce)
  }

  /**
   * @param limit the most records, in addition to the limit of the format
   * @throws Failure UNAVAILABLE if too many exports wait, COST_LIMIT_EXCEEDED if the export takes too long
   */
  async export(job: ExportJob, limit?: number): Promise<Uint8Array> {
    if (this.#turns.waiting >= this.#bounds.waiting)
      throw new Failure('UNAVAILABLE', 'Too many exports are in progress. Try again in a few seconds.', {
        retryAfterMs: 5_000,
      })
    return await this.#turns.run(() => this.#make(job, limit))
  }

  async #make(job: ExportJob, limit: number | undefined): Promise<Uint8Array> {
    const worker = new Worker(new URL('./renderWorker.ts', import.meta.url), {
      workerData: job,
      // The options of this process may be valid for it alone.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: 1_024 },
    })
    const late = AbortSignal.timeout(this.#bounds.withinMs)
    // The thread may fail at any time, also while no message is awaited.
    const failed = new Promise<never>((_, reject) => {
      worker.once('error', reject)
      worker.once('exit', (code) => reject(new Error(`the thread that writes the export ended with exit code ${code}`)))
    })
    failed.catch(() => {})
    const receive = async (): Promise<FromRenderer> => {
      const [message] = (await Promise.race([once(worker, 'message', { signal: late }), failed])) as [FromRenderer]
      return message
    }
    try {
      return await this.#feed(job, limit, worker, receive)
    } catch (error) {
      if (!late.aborted) throw error
      throw new Failure('COST_LIMIT_EXCEEDED', 'The export takes too long. Request fewer records.')
    } finally {
      await worker.terminate()
    }
  }

  async #feed(
    job: ExportJob,
    limit: number | undefined,
    worker: Worker,
    nextMessage: () => Promise<FromRenderer>,
  ): Promise<Uint8Array> {
    const send = (message: ToRenderer): void => worker.postMessage(message)
    const most = exportRecords[job.format]
    const wanted = Math.min(limit ?? most, most)
    let characters = 0
    let count = 0
    let last: StoredTelemetry | undefined
    let cut = false
    while (!cut && count < wanted) {
      const page = await this.#telemetry.read(job.query, last, Math.min(pageSize, wanted - count))
      if (page.length === 0) break
      const fit: string[] = []
      for (const record of page) {
        const json = JSON.stringify(record)
        characters += json.length
        cut = characters > this.#bounds.characters
        if (cut) break
        fit.push(json)
        last = record
      }
      count += fit.length
      const ready = nextMessage()
      send({ type: 'records', json: `[${fit.join(',')}]` })
      await ready
      if (page.length < pageSize) break
    }
    // If the caller requested fewer records than the format allows, the file is complete.
    if (count === most && limit !== most) cut = (await this.#telemetry.read(job.query, last, 1)).length > 0
    const received = nextMessage()
    send({ type: 'end', cut })
    const answer = await received
    if (answer.type !== 'file') throw new Error(`the thread sent the message ${answer.type} instead of the file`)
    return answer.file
  }
}
