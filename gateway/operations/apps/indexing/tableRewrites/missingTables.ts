/** Finds slices without a symbol table of the present version. */
import { hasSymbols } from '../../../../../machines/apps/binaryImageKeys.ts'
import { idOfUuid } from '../../../../../spec/core/ids.ts'
import type { BlobEntry, Blobs } from '../../../../../storage/ports/blobs.ts'
import type { TypedViews } from '../../../typedViews.ts'
import { type StoredSymbols, symbolFolder, symbolsInBlob } from '../symbolBlobs.ts'
import { symbolTableBlob, symbolTableFolder } from '../symbolTables.ts'
import { attemptBlob, attemptFolder, failureBlob } from './tableAttempts.ts'

export interface MissingTable {
  readonly symbols: StoredSymbols
  /** Whether a server has ended during its attempt, and the blob of the attempt is left. */
  readonly isInterrupted: boolean
}

export interface MissingTableParts {
  readonly blobs: Pick<Blobs, 'pages'>
  readonly views: Pick<TypedViews, 'getMany'>
  readonly clock: { now(): number }
}

/** A slice is left alone for this time after it was stored, because its upload may still write its table. */
const quietMs = 3_600_000
/** After this time, the server of an attempt has ended: an attempt takes some minutes at most. */
const interruptedMs = 24 * 3_600_000
/** The number of images that one query reads. */
const imagesAtOnce = 1_000

/**
 * Returns the slices without a table, the newest first. Slices whose image has no dSYM any more are left out. A hundred thousand slices take some
 * 20 MB of memory.
 * @param most the maximum number of slices
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
  for (let from = 0; from < missing.length && found.length < most; from += imagesAtOnce) {
    const page = missing.slice(from, from + imagesAtOnce)
    const imageOf = ({ symbols: { uuid } }: MissingTable) => idOfUuid('binaryImage', uuid)
    const images = await views.getMany('binaryImage', page.map(imageOf))
    const isNeeded = (one: MissingTable): boolean => {
      const image = images.get(imageOf(one))
      return image !== undefined && hasSymbols(image.context)
    }
    found.push(...page.filter(isNeeded))
  }
  return found.slice(0, most)
}

async function* everyBlob(folder: string, blobs: Pick<Blobs, 'pages'>): AsyncGenerator<BlobEntry> {
  for await (const page of blobs.pages(folder)) yield* page
}
