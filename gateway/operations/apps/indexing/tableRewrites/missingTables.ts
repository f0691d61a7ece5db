/** Finds slices whose symbol table in the present version is missing. */
import { idOfUuid } from '../../../../../spec/core/ids.ts'
import type { BlobEntry, Blobs } from '../../../../../storage/ports/blobs.ts'
import type { TypedViews } from '../../../typedViews.ts'
import { type StoredSymbols, symbolFolder, symbolsInBlob } from '../symbolBlobs.ts'
import { symbolTableBlob, symbolTableFolder } from '../symbolTables.ts'
import { attemptBlob, attemptFolder, failureBlob } from './tableAttempts.ts'

export interface MissingTable {
  readonly symbols: StoredSymbols
  /** Whether an attempt of a server that has ended is in the way. */
  readonly isInterrupted: boolean
}

export interface MissingTableParts {
  readonly blobs: Pick<Blobs, 'list'>
  readonly views: Pick<TypedViews, 'getMany'>
  readonly clock: { now(): number }
}

/** The upload that has stored the slice may still write its table. */
const quietMs = 3_600_000
/** An attempt takes some minutes at most. */
const interruptedMs = 24 * 3_600_000
/** The most that the storage lists at once. */
const pageSize = 1_000

/**
 * The slices of images that have a dSYM, the newest first. A hundred thousand slices take some 20 MB of memory.
 * @param most the number of slices
 */
export async function findMissingTables(most: number, parts: MissingTableParts): Promise<readonly MissingTable[]> {
  const { blobs, views, clock } = parts
  const tables = new Set<string>()
  for await (const { name } of everyBlob(symbolTableFolder, blobs)) tables.add(name)
  const attempts = new Map<string, number>()
  for await (const { name, changedAt } of everyBlob(attemptFolder, blobs)) attempts.set(name, changedAt)
  const now = clock.now()
  const missing: (MissingTable & { readonly changedAt: number })[] = []
  for await (const { name, changedAt } of everyBlob(symbolFolder, blobs)) {
    const symbols = symbolsInBlob(name)
    if (symbols === undefined || now - changedAt < quietMs || attempts.has(failureBlob(symbols))) continue
    const begunAt = attempts.get(attemptBlob(symbols))
    const isInterrupted = begunAt !== undefined && now - begunAt >= interruptedMs
    // The table of an interrupted attempt may be cut off.
    const isMissing = begunAt === undefined ? !tables.has(symbolTableBlob(symbols)) : isInterrupted
    if (isMissing) missing.push({ symbols, isInterrupted, changedAt })
  }
  missing.sort((a, b) => b.changedAt - a.changedAt)
  const found: MissingTable[] = []
  for (let from = 0; from < missing.length && found.length < most; from += pageSize) {
    const page = missing.slice(from, from + pageSize)
    const imageOf = ({ symbols: { uuid } }: MissingTable) => idOfUuid('binaryImage', uuid)
    const images = await views.getMany('binaryImage', page.map(imageOf))
    found.push(...page.filter((one) => images.get(imageOf(one))?.columns.status === 'KNOWN'))
  }
  return found.slice(0, most)
}

async function* everyBlob(folder: string, blobs: Pick<Blobs, 'list'>): AsyncGenerator<BlobEntry> {
  for (let after: string | undefined; ; ) {
    const page = await blobs.list({ folder, limit: pageSize, after })
    yield* page
    after = page.at(-1)?.name
    if (page.length < pageSize || after === undefined) return
  }
}
