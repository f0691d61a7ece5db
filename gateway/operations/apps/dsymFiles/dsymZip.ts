/**
 * The dSYM bundles in a zip. The zip is hostile: its list of files is checked as a whole before any byte of them is read, and no name in it
 * becomes a name on the disk.
 */
import { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl'
import { printable } from '../../core/printable.ts'
import type { ByteSource } from './byteSource.ts'

/** A dSYM, as Xcode makes it. */
export interface DsymBundle {
  /** The path in the zip, for example `Products/Shop.app.dSYM`. */
  readonly path: string
  readonly infoPlist: ZippedFile | undefined
  /** The Mach-O files, in `Contents/Resources/DWARF`. */
  readonly symbols: readonly ZippedFile[]
}

export interface ZippedFile {
  /** The path in the zip. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** @throws at the end of the stream if the file has other bytes than the zip states */
  open(): Promise<Readable>
}

export interface DsymZip {
  readonly bundles: readonly DsymBundle[]
  /** Paths of links in bundles. A link has no bytes of its own, so it is left out. */
  readonly links: readonly string[]
}

export interface ZipBounds {
  /** Files of any kind. */
  readonly files: number
  readonly bundles: number
  /** Bytes of all files together. */
  readonly bytes: number
}

/** The zip is damaged, or is made to harm its reader. The message completes "The zip ….", so it ends without a period. */
export class ZipProblem extends Error {
  override readonly name = 'ZipProblem'

  /** A problem names files of the zip, and a name can have 64 KiB and any characters. */
  constructor(problem: string) {
    super(printable(problem, mostProblem).replace(/\.+$/, ''))
  }
}

const mostProblem = 500

/**
 * Deflate reaches 1,032. DWARF is packed to a third or a quarter, and only padding to much less. A file below `smallBytes` is not checked.
 */
const mostRatio = 200
const smallBytes = 1024 * 1024

/** @throws ZipProblem */
export async function readDsymZip(source: ByteSource, bounds: ZipBounds): Promise<DsymZip> {
  const zip = await openZip(source)
  if (zip.entryCount > bounds.files)
    throw new ZipProblem(`has ${zip.entryCount} files, and at most ${bounds.files} are read`)
  const entries = await listEntries(zip)
  refuseOverlaps(entries)
  refuseBombs(entries, bounds.bytes)
  const bundles = new Map<string, { infoPlist?: ZippedFile; symbols: ZippedFile[] }>()
  const links: string[] = []
  for (const entry of entries) {
    const { bundle = '', plist } = bundleFile.exec(entry.fileName)?.groups ?? {}
    if (bundle === '' || isOfFinder(entry)) continue
    if (isLink(entry)) {
      links.push(entry.fileName)
      continue
    }
    const found = bundles.get(bundle) ?? { symbols: [] }
    bundles.set(bundle, found)
    if (bundles.size > bounds.bundles)
      throw new ZipProblem(`has more than ${bounds.bundles} dSYMs. Send them in several zips`)
    const file = zippedFile(zip, entry)
    if (plist === undefined) found.symbols.push(file)
    else found.infoPlist = file
  }
  return {
    bundles: [...bundles].map(([path, { infoPlist, symbols }]) => ({ path, infoPlist, symbols })),
    links,
  }
}

/** The innermost dSYM of a path counts: a framework may have one in its own. */
const bundleFile = /^(?<bundle>(?:.*\/)?[^/]+\.dSYM)\/Contents\/(?:(?<plist>Info\.plist)|Resources\/DWARF\/[^/]+)$/s

/** macOS stores the attributes of a file in a second one. */
function isOfFinder({ fileName }: Entry): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\._[^/]*$)/.test(fileName)
}

function isLink({ versionMadeBy, externalFileAttributes }: Entry): boolean {
  const unix = 3
  const [fileType, link] = [0o170000, 0o120000]
  return versionMadeBy >> 8 === unix && ((externalFileAttributes >>> 16) & fileType) === link
}

/** Yauzl refuses names that leave the folder, and with `strictFileNames` those with backslashes. */
async function openZip(source: ByteSource): Promise<ZipFile> {
  const options = { lazyEntries: true, strictFileNames: true, autoClose: false }
  return new Promise((resolve, reject) => {
    fromRandomAccessReader(new SourceReader(source), source.size, options, (error, zip) => {
      if (error === null) resolve(zip)
      else reject(new ZipProblem(`cannot be read: ${error.message}`))
    })
  })
}

async function listEntries(zip: ZipFile): Promise<readonly Entry[]> {
  const names = new Set<string>()
  const entries: Entry[] = []
  try {
    for await (const entry of zip.eachEntry()) {
      if (names.has(entry.fileName))
        throw new ZipProblem(`has two files with the name ${JSON.stringify(entry.fileName)}`)
      names.add(entry.fileName)
      entries.push(entry)
    }
  } catch (error) {
    throw error instanceof ZipProblem ? error : new ZipProblem(`cannot be read: ${(error as Error).message}`)
  }
  return entries
}

/** The bytes of a local header that precede the name. */
const localHeaderBytes = 30

/** A file whose bytes are those of others too makes a small zip very large. */
function refuseOverlaps(entries: readonly Entry[]): void {
  let end = 0
  for (const entry of entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)) {
    const { relativeOffsetOfLocalHeader: start, fileNameLength, compressedSize, fileName } = entry
    if (start < end) throw new ZipProblem(`has files that overlap, such as ${JSON.stringify(fileName)}`)
    end = start + localHeaderBytes + fileNameLength + compressedSize
  }
}

function refuseBombs(entries: readonly Entry[], mostBytes: number): void {
  let bytes = 0
  for (const { fileName, uncompressedSize, compressedSize } of entries) {
    bytes += uncompressedSize
    if (bytes > mostBytes) throw new ZipProblem(`has more than ${mostBytes} bytes when it is unpacked`)
    if (uncompressedSize > smallBytes && uncompressedSize > compressedSize * mostRatio)
      throw new ZipProblem(`has ${JSON.stringify(fileName)}, which is packed to less than 1/${mostRatio}`)
  }
}

/** Stored, or packed with Deflate. Other methods are rare, and no dSYM needs them. */
const methods: ReadonlySet<number> = new Set([0, 8])

/** @throws ZipProblem if the file cannot be unpacked */
function zippedFile(zip: ZipFile, entry: Entry): ZippedFile {
  const name = JSON.stringify(entry.fileName)
  if (entry.isEncrypted()) throw new ZipProblem(`has the encrypted file ${name}`)
  if (!methods.has(entry.compressionMethod))
    throw new ZipProblem(`has ${name} with the compression method ${entry.compressionMethod}. Only Deflate is read`)
  return {
    path: entry.fileName,
    size: entry.uncompressedSize,
    open: async () => {
      try {
        return await zip.openReadStreamPromise(entry)
      } catch (error) {
        throw new ZipProblem(`has ${name}, which cannot be read: ${(error as Error).message}`)
      }
    },
  }
}

/** Bytes of one read. */
const pieceBytes = 256 * 1024

class SourceReader extends RandomAccessReader {
  readonly #source: ByteSource

  constructor(source: ByteSource) {
    super()
    this.#source = source
  }

  /** Yauzl's own opens a stream for each header. An error reaches yauzl only by the callback. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#read(position, length).then((bytes) => callback(null, bytes.copy(buffer, offset)), callback)
  }

  /** A place outside of the source is an error that the source may throw before it returns a promise. */
  async #read(position: number, length: number): Promise<Buffer> {
    return await this.#source.read(position, length)
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end), { objectMode: false })
  }

  async *#pieces(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; at += pieceBytes) yield await this.#source.read(at, Math.min(pieceBytes, end - at))
  }
}
