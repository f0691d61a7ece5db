/**
 * Writes the symbol tables that are missing in the present version, in the background: those of slices that were stored before there were
 * tables, and those of all slices after `tableVersion` was raised. The image is notified of each table. Then its crash reports are symbolicated
 * again.
 *
 * Several servers may do this at the same time. A repeat writes the same table and notifies the image of it again, which changes nothing.
 */
import type { Logger } from 'pino'
import type { Clock } from '../../../../../actors/ports/clock.ts'
import { Failure } from '../../../../../spec/core/failure.ts'
import type { Blobs } from '../../../../../storage/ports/blobs.ts'
import type { System } from '../../../../messages.ts'
import type { TypedViews } from '../../../typedViews.ts'
import type { ByteSource } from '../../dsymFiles/byteSource.ts'
import { MachOProblem, readMachO } from '../../dsymFiles/readMachO.ts'
import { sourceOfBlob } from '../../dsymFiles/requestedBytes.ts'
import { SymbolsDamaged, SymbolsTooLarge } from '../../symbols/symbolProblems.ts'
import type { SymbolTableWriter } from '../../symbols/symbolTableWriter.ts'
import { type StoredSymbols, symbolBlob } from '../symbolBlobs.ts'
import { announceTable, storeTable, symbolTableBlob, type TableStore } from '../symbolTables.ts'
import { findMissingTables, type MissingTable } from './missingTables.ts'
import { beginAttempt, endAttempt, noteUnreadable } from './tableAttempts.ts'

export interface TableRewriterParts extends TableStore {
  readonly blobs: Pick<Blobs, 'pages' | 'size' | 'truncate' | 'append' | 'read' | 'remove'>
  readonly views: Pick<TypedViews, 'getMany' | 'count'>
  readonly system: Pick<System, 'ask'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly bounds?: Partial<TableRewriteBounds>
}

export interface TableRewriteBounds {
  /** The maximum number of slices in one pass. The next pass finds the others. */
  readonly most: number
  /** The pause after a slice, ms. It is at least as long as its table took, so that half of the time is left to others. */
  readonly pauseMs: number
  /** The pause between two checks whether an upload of dSYMs is still being indexed, ms. */
  readonly busyMs: number
  /** The pause between two passes, ms. */
  readonly everyMs: number
  /** The pause after a pass that an error has ended, ms. */
  readonly againMs: number
}

const defaultBounds: TableRewriteBounds = {
  most: 1_000,
  pauseMs: 1_000,
  busyMs: 10_000,
  everyMs: 3_600_000,
  againMs: 300_000,
}

export interface TableRewriteResult {
  /** Slices whose table was written, or that have no symbols. */
  readonly written: number
  readonly unreadable: number
  /** Whether there may be more slices than one pass takes. */
  readonly isFull: boolean
}

/** The time for which a stop waits for the end of an attempt, ms. The reading of DWARF cannot be interrupted. */
const stopMs = 1_000

export class TableRewriter {
  readonly #parts: TableRewriterParts
  readonly #bounds: TableRewriteBounds
  readonly #stopped = new AbortController()

  constructor(parts: TableRewriterParts) {
    this.#parts = parts
    this.#bounds = { ...defaultBounds, ...parts.bounds }
  }

  /** Begins a pass now and after each pause. @returns a function that stops it */
  start(): () => Promise<void> {
    const ended = this.#repeat()
    return async () => {
      this.#stopped.abort()
      const late = Promise.withResolvers<void>()
      const cancel = this.#parts.clock.after(stopMs, late.resolve)
      await Promise.race([ended, late.promise])
      cancel()
    }
  }

  async #repeat(): Promise<void> {
    while (!this.#isStopped) await this.#pause(await this.#passOnce())
  }

  /** @returns the pause before the next pass, ms */
  async #passOnce(): Promise<number> {
    const { pauseMs, everyMs, againMs } = this.#bounds
    try {
      return (await this.pass()).isFull ? pauseMs : everyMs
    } catch (err) {
      if (!this.#isStopped) this.#parts.log.error({ err }, 'the pass over missing symbol tables has failed')
      return againMs
    }
  }

  /** Writes the tables that are missing now, one after the other. @throws Failure UNAVAILABLE, INSUFFICIENT_STORAGE */
  async pass(): Promise<TableRewriteResult> {
    const { clock } = this.#parts
    const { most, pauseMs } = this.#bounds
    let written = 0
    let unreadable = 0
    const all = await findMissingTables(most, this.#parts)
    for (const missing of all) {
      await this.#untilIdle()
      if (this.#isStopped) break
      const begunAt = clock.monotonic()
      const result = await this.#attempt(missing)
      if (result === 'written') written++
      if (result === 'unreadable') unreadable++
      if (result !== 'taken') await this.#pause(Math.max(pauseMs, clock.monotonic() - begunAt))
    }
    return { written, unreadable, isFull: all.length === most }
  }

  get #isStopped(): boolean {
    return this.#stopped.signal.aborted
  }

  /** Waits until no upload is being indexed. A large slice needs gigabytes of memory, so two are not read at the same time. */
  async #untilIdle(): Promise<void> {
    const { views } = this.#parts
    while (!this.#isStopped && (await views.count({ kind: 'dsymUpload', statuses: ['INDEXING'] })) > 0)
      await this.#pause(this.#bounds.busyMs)
  }

  async #pause(ms: number): Promise<void> {
    const { signal } = this.#stopped
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = (): void => resolve()
    const cancel = this.#parts.clock.after(ms, end)
    signal.addEventListener('abort', end)
    await promise
    signal.removeEventListener('abort', end)
    cancel()
  }

  /** @returns `taken` if another server writes it, or has written it. `broken` after an unexpected error: it is tried again after a day */
  async #attempt({ symbols, isInterrupted }: MissingTable): Promise<'written' | 'unreadable' | 'taken' | 'broken'> {
    const { blobs, log } = this.#parts
    const blob = symbolBlob(symbols)
    if (isInterrupted) await endAttempt(symbols, blobs)
    if (!(await beginAttempt(symbols, blobs))) return 'taken'
    try {
      // Another server has written it since the slices were listed.
      if (!isInterrupted && (await blobs.size(symbolTableBlob(symbols))) !== undefined) {
        await endAttempt(symbols, blobs)
        return 'taken'
      }
      await this.#write(symbols)
      log.info({ blob }, 'missing symbol table written')
      await endAttempt(symbols, blobs)
      return 'written'
    } catch (error) {
      if (error instanceof SymbolsDamaged || error instanceof SymbolsTooLarge || error instanceof MachOProblem) {
        await noteUnreadable(symbols, error.message, blobs)
        log.warn({ blob, problem: error.message }, 'no symbol table can be written of these symbols')
        await endAttempt(symbols, blobs)
        return 'unreadable'
      }
      if (this.#isStopped || (error instanceof Failure && (error.retryable || error.code === 'INSUFFICIENT_STORAGE'))) {
        // If the removal fails too, the next attempt is in a day.
        await endAttempt(symbols, blobs).catch(() => {})
        throw error
      }
      log.error({ err: error, blob }, 'a symbol table was not written; the next attempt is in a day')
      return 'broken'
    }
  }

  /** @throws SymbolsTooLarge, SymbolsDamaged, MachOProblem; Failure UNAVAILABLE, INSUFFICIENT_STORAGE */
  async #write(symbols: StoredSymbols): Promise<void> {
    const { blobs, room, system, clock } = this.#parts
    const { uuid, size } = symbols
    const blob = symbolBlob(symbols)
    const stored = await blobs.size(blob)
    // The dSYM was deleted meanwhile, and the sweep has deleted its symbols.
    if (stored === undefined) return
    if (stored !== size) throw new SymbolsDamaged(`are cut off: ${stored} of ${size} bytes are stored`)
    const source = this.#whileRunning(sourceOfBlob(blob, size, blobs))
    const tables = { write: this.#writeOrRemove(symbolTableBlob(symbols)) }
    const [slice, ...others] = await readMachO(source)
    if (slice?.uuid !== uuid || others.length > 0) throw new MachOProblem('is not the image of its UUID')
    // No table would be stored, so each pass would find the slice again.
    if (slice.textAddress === null) throw new SymbolsDamaged('have no segment __TEXT')
    const table = await storeTable(symbols, slice, source, { blobs, room, tables })
    if (table !== undefined) await announceTable(uuid, table, 'system', { system, clock })
  }

  /** Writes a table. If that fails, it removes the part that was written, because `findMissingTables` takes it for a whole table. */
  #writeOrRemove(table: string): SymbolTableWriter['write'] {
    const { blobs, tables } = this.#parts
    return async (source, slice, take) => {
      let isBegun = false
      try {
        return await tables.write(source, slice, async (piece) => {
          this.#stopped.signal.throwIfAborted()
          await take(piece).catch((error) => {
            // A RangeError: another server has begun the table. After any other error, some of the bytes may be stored.
            isBegun ||= !(error instanceof RangeError)
            throw error
          })
          isBegun = true
        })
      } catch (error) {
        // This error is an unexpected one for `#attempt`. So the attempt stays, and the table is written again after a day.
        if (isBegun)
          await blobs
            .remove(table)
            .catch((cause) => Promise.reject(new Error('a part of the symbol table was not removed', { cause })))
        throw error
      }
    }
  }

  /** After the server has begun to stop, each read fails. So the writing of a table ends. */
  #whileRunning({ size, read }: ByteSource): ByteSource {
    const { signal } = this.#stopped
    return {
      size,
      read: async (offset, length) => {
        signal.throwIfAborted()
        return await read(offset, length)
      },
    }
  }
}
