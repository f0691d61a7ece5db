/** The symbol tables of images as blobs: one for each slice whose symbols are stored, in the present version of the format. */
import type { ImageTable } from '../../../../machines/apps/binaryImage.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import { idOfUuid } from '../../../../spec/core/ids.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import type { ByteSource } from '../dsymFiles/byteSource.ts'
import type { MachOSlice } from '../dsymFiles/readMachO.ts'
import { readRequested } from '../dsymFiles/requestedBytes.ts'
import { SymbolTableDamaged } from '../symbols/symbolProblems.ts'
import { SymbolTable } from '../symbols/symbolTable.ts'
import type { SymbolTableWriter } from '../symbols/symbolTableWriter.ts'
import { type SymbolTableStatistics, tableVersion } from '../symbols/tableFormat.ts'
import { appendPiece, clearUnfinished, inTurn } from './sharedBlobs.ts'
import type { DsymStore } from './storeDsym.ts'
import type { StoredSymbols } from './symbolBlobs.ts'

/** The first component of the names of all blobs of symbol tables. */
export const symbolTableFolder = 'symbol-tables'

export function symbolTableBlob({ uuid, arch, size }: StoredSymbols): string {
  return `${symbolTableFolder}/${uuid.toLowerCase()}-${arch.toLowerCase()}-${size}-v${tableVersion}`
}

export interface TableStore {
  readonly blobs: Pick<Blobs, 'size' | 'truncate' | 'append' | 'read'>
  readonly tables: Pick<SymbolTableWriter, 'write'>
  readonly room: Pick<DiskRoom, 'requireForPiece'>
}

/** A range count has 32 bits. */
const linesRank = 2 ** 32

/**
 * A table of a later version is better, because this version does not read earlier ones. Then one with lines is better than one with symbols
 * alone, and then the one with more ranges.
 */
export function rankTable(
  { units, segments }: Pick<SymbolTableStatistics, 'units' | 'segments'>,
  version: number = tableVersion,
): number {
  return (version - 1) * 2 * linesRank + (units > 0 ? linesRank : 0) + segments
}

/** Whether the blob is the table of a slice, or an attempt to write it, of an earlier version. */
export function isOutdated(blob: string): boolean {
  const [, version] = /-v(\d+)(?:-failed)?$/.exec(blob) ?? []
  return version !== undefined && Number(version) < tableVersion
}

/**
 * Writes the table of a slice, unless it is stored.
 * @param source the bytes of the slice
 * @returns undefined if the slice has no symbols
 * @throws SymbolsTooLarge, SymbolsDamaged; Failure INSUFFICIENT_STORAGE, UNAVAILABLE
 */
export async function storeTable(
  symbols: StoredSymbols,
  slice: MachOSlice,
  source: ByteSource,
  store: TableStore,
): Promise<ImageTable | undefined> {
  const { textAddress } = slice
  if (textAddress === null) return undefined
  const blob = symbolTableBlob(symbols)
  const { size, statistics } = await inTurn(
    store.blobs,
    blob,
    async () => (await findTable(blob, store)) ?? (await writeTable(blob, slice, source, store)),
  )
  if (statistics.segments === 0) return undefined
  return { blob, size, textAddress: textAddress.toString(16), rank: rankTable(statistics) }
}

interface StoredTable {
  readonly size: number
  readonly statistics: SymbolTableStatistics
}

/** The end of a table shows whether it is whole. */
async function findTable(blob: string, { blobs }: TableStore): Promise<StoredTable | undefined> {
  const size = await blobs.size(blob)
  if (size === undefined) return undefined
  const read = async (offset: number, length: number) =>
    Buffer.from(await readRequested({ blob, offset, length }, blobs))
  try {
    return { size, statistics: (await SymbolTable.open({ size, read })).statistics }
  } catch (error) {
    if (!(error instanceof SymbolTableDamaged || error instanceof RangeError)) throw error
    if (size > 0) await clearUnfinished(blob, size, blobs)
    return undefined
  }
}

async function writeTable(
  blob: string,
  slice: MachOSlice,
  source: ByteSource,
  { blobs, tables, room }: TableStore,
): Promise<StoredTable> {
  let size = 0
  const statistics = await tables.write(source, slice, async (piece) => {
    await room.requireForPiece(piece.length)
    size = await appendPiece(blob, size, piece, blobs)
  })
  return { size, statistics }
}

/** Notifies the image, which is created if it is new: the message of its dSYM may come later. */
export async function announceTable(
  uuid: string,
  table: ImageTable,
  by: string,
  { system, clock }: Pick<DsymStore, 'system' | 'clock'>,
): Promise<void> {
  const to = { kind: 'binaryImage', id: idOfUuid('binaryImage', uuid) } as const
  const now = clock.now()
  const origin = { cause: 'effect', principal: by, requestId: 'dSYM index', receivedAt: now } as const
  try {
    await system.ask({ to, event: { type: 'create' }, create: { uuid, createdAt: now } }, origin)
  } catch (error) {
    if (!(error instanceof Failure && error.details?.reason === 'ID_EXISTS')) throw error
  }
  await system.ask({ to, event: { type: 'tableWritten', table } }, origin)
}
