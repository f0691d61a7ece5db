/** Indexes one dSYM of a zip: stores the symbols of each architecture and their tables, and records the dSYM. */
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageTable } from '../../../../machines/apps/binaryImage.ts'
import { imagesMax } from '../../../../spec/apps/binaryImages.ts'
import { type DsymUploadWarning, symbolFilesMax } from '../../../../spec/apps/dsymUploads.ts'
import { Failure } from '../../../../spec/core/failure.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import type { DiskRoom } from '../../core/diskRoom.ts'
import { printable } from '../../core/printable.ts'
import { sourceOfFile } from '../dsymFiles/fileSource.ts'
import type { MachOSlice } from '../dsymFiles/readMachO.ts'
import { SymbolsDamaged, SymbolsTooLarge } from '../symbols/symbolProblems.ts'
import type { SymbolTableWriter } from '../symbols/symbolTableWriter.ts'
import { appOfBundle, nameOfBundle } from './appOfBundle.ts'
import { noFacts } from './infoPlist.ts'
import { type DsymStore, storeDsym } from './storeDsym.ts'
import { type StoredSymbols, storeSymbols, symbolBlob } from './symbolBlobs.ts'
import { announceTable, storeTable } from './symbolTables.ts'
import { noteUnreadable } from './tableRewrites/tableAttempts.ts'
import { UnreadableSymbols, type ZipReader } from './zipReader.ts'
import type { ListedBundle } from './zipThreadMessages.ts'

export interface BundleIndex extends DsymStore {
  readonly blobs: Pick<Blobs, 'size' | 'truncate' | 'append' | 'read'>
  readonly tables: Pick<SymbolTableWriter, 'write'>
  readonly room: Pick<DiskRoom, 'requireForPiece'>
  /** The folder for files that are unpacked. They are deleted at once. */
  readonly folder: string
}

export interface IndexedBundle {
  /** Undefined if it has no symbols. */
  readonly dsymId: string | undefined
  readonly warnings: readonly DsymUploadWarning[]
}

/** Warnings of one dSYM. More of them would not help. */
const mostWarnings = 20

/** A zip is hostile, and its names have up to 64 KiB. */
const short = (text: string): string => printable(text.slice(-255), 255)

interface Image {
  readonly name: string
  readonly uuid: string
  readonly arch: string
}

/** @throws ZipProblem, ZipUnavailable, Failure INSUFFICIENT_STORAGE */
export async function indexBundle(
  bundle: ListedBundle,
  all: readonly ListedBundle[],
  by: string,
  zip: Pick<ZipReader, 'extract'>,
  index: BundleIndex,
): Promise<IndexedBundle> {
  const warnings: DsymUploadWarning[] = []
  const warn = (code: DsymUploadWarning['code'], message: string): void => {
    if (warnings.length < mostWarnings) warnings.push({ code, bundle: short(bundle.path), message })
  }
  if (bundle.facts === undefined) warn('UNREADABLE_INFO_PLIST', 'Its Info.plist is missing or damaged.')
  if (bundle.symbols.length > symbolFilesMax)
    warn('TOO_MANY_IMAGES', `It has ${bundle.symbols.length} symbol files, and ${symbolFilesMax} are indexed.`)
  const images = new Map<string, Image>()
  const tables = new Map<string, ImageTable>()
  const stored: StoredSymbols[] = []
  for (const { path, size } of bundle.symbols.slice(0, symbolFilesMax)) {
    const name = short(path.slice(path.lastIndexOf('/') + 1))
    try {
      for (const image of await storeFile(name, path, size)) {
        if (image.uuid === null) warn('NO_UUID', `${name} has no UUID for ${image.arch}.`)
        else if (images.size < imagesMax) images.set(image.uuid, { name, uuid: image.uuid, arch: image.arch })
        else warn('TOO_MANY_IMAGES', `${name} has more than the ${imagesMax} images that a dSYM may have.`)
      }
    } catch (error) {
      if (!(error instanceof UnreadableSymbols)) throw error
      warn('UNREADABLE_SYMBOLS', `${name} ${error.message}.`)
    }
  }
  if (images.size === 0) {
    warn('NO_SYMBOLS', 'It has no symbols that can be indexed.')
    return { dsymId: undefined, warnings }
  }
  const found = { ...(bundle.facts ?? noFacts), name: short(nameOfBundle(bundle)), images: [...images.values()] }
  const dsymId = await storeDsym(found, appOfBundle(bundle, all), by, index)
  for (const [uuid, table] of tables) await announceTable(uuid, table, by, index)
  await requireStored(stored, [...tables.values()], index.blobs)
  return { dsymId, warnings }

  /** @throws UnreadableSymbols */
  async function storeFile(name: string, path: string, size: number) {
    await index.room.requireForPiece(size)
    await mkdir(index.folder, { recursive: true })
    const folder = await mkdtemp(join(index.folder, 'dsym-'))
    try {
      const file = join(folder, 'symbols')
      const slices = await zip.extract(path, file)
      for (const slice of slices) if (slice.uuid !== null) await storeSlice(slice, slice.uuid, name, file)
      return slices
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** A slice whose DWARF cannot be read is stored all the same: a later version may read it. */
  async function storeSlice(slice: MachOSlice, uuid: string, name: string, path: string): Promise<void> {
    const { arch, range } = slice
    const symbols = { uuid, arch, size: range.size }
    await storeSymbols(symbols, { path, offset: range.offset }, index.blobs)
    stored.push(symbols)
    const file = await open(path)
    try {
      const table = await storeTable(symbols, slice, sourceOfFile(file, range), index)
      if (table === undefined) warn('NO_SYMBOLS', `${name} has no functions for ${arch}.`)
      else tables.set(uuid, table)
    } catch (error) {
      if (!(error instanceof SymbolsTooLarge || error instanceof SymbolsDamaged)) throw error
      warn('UNREADABLE_SYMBOLS', `The symbols of ${name} for ${arch} ${error.message}.`)
      await noteUnreadable(symbols, error.message, index.blobs)
    } finally {
      await file.close()
    }
  }
}

/**
 * Checks that no blob of the dSYM was removed while it was indexed: the hourly sweep removes symbols that no dSYM has, and this one is recorded
 * last. The next attempt stores removed symbols again.
 * @throws Failure UNAVAILABLE
 */
async function requireStored(
  symbols: readonly StoredSymbols[],
  tables: readonly ImageTable[],
  blobs: Pick<Blobs, 'size'>,
): Promise<void> {
  const needed = [...symbols.map((one) => ({ blob: symbolBlob(one), size: one.size })), ...tables]
  for (const { blob, size } of needed)
    if ((await blobs.size(blob)) !== size)
      throw new Failure('UNAVAILABLE', `${blob} was removed while its dSYM was indexed.`)
}
