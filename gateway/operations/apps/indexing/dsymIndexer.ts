/**
 * Indexes the dSYMs of uploads, in steps. A step takes some seconds, or as long as one dSYM does. Its result is an event for the upload, which
 * asks for the next step. A repeat of a step stores and records nothing a second time.
 */

import type { DsymUploadEvent, IndexStep } from '../../../../machines/apps/dsymUpload.ts'
import type { EventWithoutTime } from '../../../../machines/framework/act.ts'
import { bundlesMax, type DsymUploadWarning } from '../../../../spec/apps/dsymUploads.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { Semaphore } from '../../../limits/semaphore.ts'
import { everyRow } from '../../core/everyRow.ts'
import type { TypedViews } from '../../typedViews.ts'
import { ZipProblem } from '../dsymFiles/dsymZip.ts'
import { findIndexed } from '../dsymUploads/findIndexed.ts'
import { type BundleIndex, indexBundle } from './indexBundle.ts'
import { warnOfLink } from './warnOfLink.ts'
import { ZipReader, ZipUnavailable } from './zipReader.ts'

export type IndexOutcome = EventWithoutTime<
  Extract<
    DsymUploadEvent,
    { type: 'indexed' | 'indexingGoesOn' | 'indexingDelayed' | 'indexingRefused' | 'otherFound' | 'duplicate' }
  >
>

export interface IndexerParts extends BundleIndex {
  readonly blobs: Blobs
  readonly views: TypedViews
}

/** Zips that are read at once by this process. */
const atOnce = 2
/** A step begins no more dSYMs after this time, ms. */
const stepMs = 5_000
/** A caller waits so long for a step, ms. The claim of an effect lasts 30 s. The step goes on, and the next caller waits for it. */
const callMs = 15_000
/** One event has no more warnings than these and those of one more dSYM. */
const mostWarnings = 200
const bounds = { files: 200_000, bundles: bundlesMax, bytes: 64 * 1024 ** 3, heapMb: 512, silentMs: 120_000 }

export class DsymIndexer {
  readonly #parts: IndexerParts
  readonly #turns = new Semaphore(atOnce)
  readonly #steps = new Map<string, Promise<IndexOutcome>>()

  constructor(parts: IndexerParts) {
    this.#parts = parts
  }

  async run(step: IndexStep): Promise<IndexOutcome> {
    const key = `${step.uploadId} ${step.from}`
    let running = this.#steps.get(key)
    if (running === undefined) {
      running = this.#turns.run(() => this.#run(step))
      this.#steps.set(key, running)
      // If no caller waits at its end, the step is repeated, which changes nothing.
      void running.catch(() => {}).finally(() => this.#steps.delete(key))
    }
    const late = Promise.withResolvers<IndexOutcome>()
    const cancel = this.#parts.clock.after(callMs, () => late.resolve({ type: 'indexingGoesOn' }))
    return await Promise.race([running, late.promise]).finally(cancel)
  }

  async #run(step: IndexStep): Promise<IndexOutcome> {
    const same = step.from === 0 ? await this.#findSame(step) : undefined
    if (same !== undefined) return same
    const zip = new ZipReader({ name: step.blob, size: step.size }, this.#parts.blobs, bounds)
    try {
      return await this.#index(step, zip)
    } catch (error) {
      if (error instanceof ZipProblem)
        return { type: 'indexingRefused', code: 'INVALID_ZIP', message: `The zip ${error.message}.` }
      if (error instanceof ZipUnavailable) return { type: 'indexingDelayed', message: error.message }
      if (error instanceof Failure && (error.retryable || error.code === 'INSUFFICIENT_STORAGE'))
        return { type: 'indexingDelayed', message: error.message }
      throw error
    } finally {
      await zip.close()
    }
  }

  /** Of several uploads of one zip that are completed at the same moment, the oldest is indexed, and the others wait for it. */
  async #findSame({ uploadId, sha256 }: IndexStep): Promise<IndexOutcome | undefined> {
    const { views } = this.#parts
    const indexed = await findIndexed(sha256, views)
    if (indexed !== undefined) return { type: 'duplicate', of: indexed.id, dsymIds: indexed.dsymIds }
    const under = { kind: 'dsymUpload', statuses: ['INDEXING'], where: { scopeId: sha256 } } as const
    const others = await everyRow(views, under)
    return others.some(({ id }) => id < uploadId) ? { type: 'otherFound' } : undefined
  }

  async #index({ from, by }: IndexStep, zip: ZipReader): Promise<IndexOutcome> {
    const { clock } = this.#parts
    const endsAt = clock.monotonic() + stepMs
    const { bundles, links } = await zip.list()
    if (bundles.length === 0)
      return { type: 'indexingRefused', code: 'NO_DSYMS', message: 'The zip has no dSYM with files in Contents.' }
    const dsyms: Record<string, string> = {}
    const warnings: DsymUploadWarning[] = from === 0 ? links.slice(0, mostWarnings).map(warnOfLink) : []
    let to = from
    const isFull = (): boolean => clock.monotonic() >= endsAt || warnings.length >= mostWarnings
    while (to < bundles.length && (to === from || !isFull())) {
      const bundle = bundles[to]
      if (bundle === undefined) break
      const indexed = await indexBundle(bundle, bundles, by, zip, this.#parts)
      if (indexed.dsymId !== undefined) dsyms[to] = indexed.dsymId
      warnings.push(...indexed.warnings)
      to++
    }
    return { type: 'indexed', from, to, bundles: bundles.length, dsyms, warnings }
  }
}
