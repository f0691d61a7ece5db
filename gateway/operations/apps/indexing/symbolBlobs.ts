/** The symbols of images as blobs: one for each UUID, architecture and size, however many dSYMs have it. */
import { createReadStream } from 'node:fs'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import { appendPiece, clearUnfinished, inTurn } from './sharedBlobs.ts'

/** The first component of the names of all blobs of symbols. */
export const symbolFolder = 'symbols'

export interface StoredSymbols {
  readonly uuid: string
  readonly arch: string
  /** Bytes. Symbols of the same build that were stripped have another size, and are another blob. */
  readonly size: number
}

export function symbolBlob({ uuid, arch, size }: StoredSymbols): string {
  return `${symbolFolder}/${uuid.toLowerCase()}-${arch.toLowerCase()}-${size}`
}

/** The slice whose symbols a blob has. Undefined if it is the name of something else. */
export function symbolsInBlob(name: string): StoredSymbols | undefined {
  const uuid = uuidInBlob(name)
  const [, arch, size] = /^symbols\/[0-9a-f-]{36}-([a-z0-9_]+)-(\d+)$/.exec(name) ?? []
  return uuid === undefined || arch === undefined ? undefined : { uuid, arch, size: Number(size) }
}

/** The UUID in the name of a blob of symbols, of a symbol table or of an attempt to write one, in capitals. Undefined if it is the name of something else. */
export function uuidInBlob(name: string): string | undefined {
  return /^symbol(?:s|-tables|-attempts)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-/.exec(name)?.[1]?.toUpperCase()
}

const pieceBytes = 4 * 1024 * 1024

/**
 * Stores a part of a file, unless it is stored. A repeat after an interruption begins again.
 * @throws Failure UNAVAILABLE, INSUFFICIENT_STORAGE
 */
export async function storeSymbols(
  symbols: StoredSymbols,
  file: { readonly path: string; readonly offset: number },
  blobs: Pick<Blobs, 'size' | 'truncate' | 'append'>,
): Promise<void> {
  const name = symbolBlob(symbols)
  await inTurn(blobs, name, () => storeBlob(name, symbols, file, blobs))
}

async function storeBlob(
  name: string,
  symbols: StoredSymbols,
  file: Parameters<typeof storeSymbols>[1],
  blobs: Parameters<typeof storeSymbols>[2],
): Promise<void> {
  const stored = await blobs.size(name)
  if (stored === symbols.size) return
  if (stored !== undefined && stored > 0) await clearUnfinished(name, stored, blobs)
  const end = file.offset + symbols.size - 1
  const bytes = createReadStream(file.path, { start: file.offset, end, highWaterMark: pieceBytes })
  let offset = 0
  for await (const piece of bytes) offset = await appendPiece(name, offset, piece as Buffer, blobs)
  if (offset !== symbols.size) throw new Error(`the file ${file.path} has ${offset} of ${symbols.size} bytes`)
}
