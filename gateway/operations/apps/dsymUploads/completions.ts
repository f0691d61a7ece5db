/** Requests that wait for the end of an upload: until its dSYMs are indexed, by whichever process. */
import type { Clock } from '../../../../actors/ports/clock.ts'
import type { TypedRow } from '../../../../machines/rows.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { RowListeners } from '../../../subscriptions/rowListeners.ts'
import { requireKind } from '../../core/replies.ts'
import type { TypedViews } from '../../typedViews.ts'

/** The longest time for which a request waits, ms. Source: requirements, "Completion wait". */
const waitMs = 3_600_000
/** The row is read again after this time, ms, in case that a change was not announced. */
const readAgainMs = 15_000

export interface CompletionParts {
  readonly listeners: Pick<RowListeners, 'listen'>
  readonly views: Pick<TypedViews, 'get'>
  readonly clock: Clock
  /** Requests that wait at once. */
  readonly atOnce: number
}

export class DsymCompletions {
  readonly #parts: CompletionParts
  readonly #stopped = new AbortController()
  #waiting = 0

  constructor(parts: CompletionParts) {
    this.#parts = parts
  }

  /** All requests that wait are answered with UNAVAILABLE. */
  stop(): void {
    this.#stopped.abort()
  }

  /**
   * Resolves with an upload that is neither verified nor indexed any more.
   * @param gone aborted if the caller disconnects
   * @throws Failure UNAVAILABLE if too many requests wait, after an hour, or if the server is stopping
   */
  async wait(row: TypedRow<'dsymUpload'>, gone: AbortSignal): Promise<TypedRow<'dsymUpload'>> {
    if (!isCompleting(row)) return row
    if (this.#waiting >= this.#parts.atOnce)
      throw again(`${this.#waiting} requests wait for their uploads, which is the most`, 30_000)
    this.#waiting++
    try {
      return await this.#await(row.id, gone)
    } finally {
      this.#waiting--
    }
  }

  async #await(id: string, gone: AbortSignal): Promise<TypedRow<'dsymUpload'>> {
    const { listeners, views, clock } = this.#parts
    const ended = Promise.withResolvers<TypedRow<'dsymUpload'>>()
    const read = async (): Promise<void> => {
      const row = await views.get('dsymUpload', id)
      if (row !== undefined && !isCompleting(row)) ended.resolve(row)
    }
    /** The next reading of the row finds what a failed one did not. */
    const tryRead = (): void => void read().catch(() => {})
    const changed = (row: { readonly kind: string }): void => {
      const upload = requireKind('dsymUpload', row as never)
      if (!isCompleting(upload)) ended.resolve(upload)
    }
    const ends = [
      listeners.listen('dsymUpload', { id }, { changed, broken: tryRead }),
      clock.after(waitMs, () => ended.reject(again('the dSYMs are still being indexed', 5_000))),
      every(readAgainMs, clock, tryRead),
      onAbort(this.#stopped.signal, () => ended.reject(again('the server is stopping', 5_000))),
      onAbort(gone, () => ended.reject(again('the caller has disconnected', 5_000))),
    ]
    try {
      tryRead()
      return await ended.promise
    } finally {
      for (const end of ends) end()
    }
  }
}

function again(reason: string, retryAfterMs: number): Failure {
  return new Failure('UNAVAILABLE', `The result is not known yet: ${reason}. Ask again.`, { retryAfterMs })
}

const isCompleting = ({ columns: { status } }: TypedRow<'dsymUpload'>): boolean =>
  status === 'VERIFYING' || status === 'INDEXING'

function every(ms: number, clock: Clock, task: () => void): () => void {
  let cancel = (): void => {}
  const next = (): void => {
    cancel = clock.after(ms, () => {
      task()
      next()
    })
  }
  next()
  return () => cancel()
}

function onAbort(signal: AbortSignal, task: () => void): () => void {
  if (signal.aborted) task()
  signal.addEventListener('abort', task)
  return () => signal.removeEventListener('abort', task)
}
