import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type ByteSource, sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { readDsymZip, ZipProblem, type ZippedFile } from '../../../../../gateway/operations/apps/dsymFiles/dsymZip.ts'
import { MachOProblem, readMachO } from '../../../../../gateway/operations/apps/dsymFiles/readMachO.ts'
import { type BundleFacts, readInfoPlist } from '../../../../../gateway/operations/apps/indexing/infoPlist.ts'
import { warnOfLink } from '../../../../../gateway/operations/apps/indexing/warnOfLink.ts'
import { UnreadableSymbols, ZipReader } from '../../../../../gateway/operations/apps/indexing/zipReader.ts'
import { shop } from '../../../../kit/program/objects/crashFiles.ts'
import { smallMachO, zipOfDsyms } from '../../../../kit/program/objects/dsymZips.ts'
import { MemoryBlobs } from '../../../../kit/runtime/memory/blobs.ts'
import type { FuzzedReader, ReadFile } from '../fuzzedReader.ts'
import { mutateZip, writeZip, zipPart } from '../mutate/zip.ts'
import { sliceFaults } from './machO.ts'
import { factsFaults, plistSeeds } from './plist.ts'
import { textFaults } from './textFaults.ts'

/** Smaller than those of the product, so that small zips exceed each of them. */
const bounds = { files: 1_500, bundles: 500, bytes: 8 * 1024 ** 2 }
/** Files of a zip that are unpacked. */
const mostUnpacked = 6
const largestPlist = 1024 * 1024

/** A zip as it was read: what each of its files is, or why it cannot be read. */
interface ReadZip {
  readonly bundles: readonly { readonly path: string; readonly facts: BundleFacts | null }[]
  readonly links: readonly string[]
  readonly files: readonly { readonly path: string; readonly size: number; readonly result: unknown }[]
}

export const zip: FuzzedReader = {
  name: 'zip',
  sources: [
    '/dsymFiles/dsymZip.ts',
    '/dsymFiles/readMachO.ts',
    '/indexing/infoPlist.ts',
    '/indexing/binaryPlist.ts',
    '/yauzl/index.js',
  ],
  makeSeeds: async () => {
    const app = 'Products/Shop.app.dSYM/Contents'
    const symbols = zipPart(`${app}/Resources/DWARF/Shop`, smallMachO(shop, 2_000))
    const [xml = Buffer.alloc(0), ...others] = plistSeeds()
    const parts = [zipPart(`${app}/Info.plist`, xml), symbols, zipPart('README.txt', Buffer.from('text'))]
    const link = zipPart(`${app}/Resources/DWARF/Link`, Buffer.from('Shop'), { attributes: 0o120777 * 65_536 })
    const pay = 'Größe 大.framework.dSYM/Contents'
    const second = [
      zipPart(`${pay}/Info.plist`, others.at(-1) ?? xml),
      zipPart(`${pay}/Resources/DWARF/Pay`, smallMachO(shop)),
    ]
    return [
      zipOfDsyms([{ name: 'Shop.app', bundleIdentifier: 'org.example.shop', uuid: shop }]),
      ...[
        writeZip(parts),
        writeZip([...parts, link, ...second]),
        writeZip(parts, { isWide: true }),
        writeZip(parts, { hasDescriptors: true }),
      ],
    ]
  },
  mutate: mutateZip,
  read: readZip,
  isDeclared: (error) => error instanceof ZipProblem,
  readInProduct: readByThread,
}

/** As `zipThread.ts` reads it, without the thread. */
async function readZip(file: Buffer): Promise<ReadFile> {
  const source = new RecordedSource(file)
  const { bundles, links } = await declared(() => readDsymZip(source, bounds))
  const read: ReadZip['bundles'][number][] = []
  const faults: string[] = []
  for (const { path, infoPlist } of bundles) {
    source.beginFile()
    const facts = infoPlist === undefined ? null : await readFacts(infoPlist)
    if (facts !== null) faults.push(...factsFaults(facts))
    read.push({ path, facts })
  }
  const files: ReadZip['files'][number][] = []
  for (const one of bundles.flatMap(({ symbols }) => symbols).slice(0, mostUnpacked)) {
    source.beginFile()
    const result = await readSymbols(one, faults)
    files.push({ path: one.path, size: one.size, result })
  }
  if (source.hasOverlaps()) faults.push('two files have the same bytes of the zip')
  const value: ReadZip = { bundles: read, links, files }
  const paths = [...links, ...bundles.flatMap(({ symbols }) => symbols.map((one) => one.path))]
  faults.push(...pathFaults(paths), ...boundFaults(bundles, paths), ...textFaults(links.map(warnOfLink)))
  const form = `${Math.min(3, bundles.length)} ${Math.min(2, links.length)} ${files.map(({ result }) => (typeof result === 'string' ? result.slice(0, 30).replace(/\d+/g, '#') : 'symbols')).slice(0, 2)}`
  return { value, form, faults }
}

/** Records which bytes of the zip each of its files has. */
class RecordedSource implements ByteSource {
  readonly size: number
  readonly #source: ByteSource
  /** The reads of each file. The first one is that of its local header, and its bytes follow. */
  readonly #files: { readonly offset: number; readonly length: number }[][] = []

  constructor(file: Buffer) {
    this.#source = sourceOf(file)
    this.size = file.length
  }

  /** The next reads are those of another file. Those before the first call are of the list of files. */
  beginFile(): void {
    this.#files.push([])
  }

  async read(offset: number, length: number): Promise<Buffer> {
    this.#files.at(-1)?.push({ offset, length })
    return await this.#source.read(offset, length)
  }

  /**
   * A local header can state a longer name than the list of files, so the bytes of a file may begin later than the reader assumes. Each file is
   * taken to begin at its header, as the reader does.
   */
  hasOverlaps(): boolean {
    const ranges = this.#files.flatMap((reads) => {
      const [header] = reads
      if (header === undefined) return []
      return [{ start: header.offset, end: header.offset + reads.reduce((bytes, { length }) => bytes + length, 0) }]
    })
    const sorted = ranges.toSorted((a, b) => a.start - b.start)
    return sorted.some(({ start }, index) => start < (sorted[index - 1]?.end ?? 0))
  }
}

async function readFacts(file: ZippedFile): Promise<BundleFacts | null> {
  if (file.size > largestPlist) return null
  const bytes = await declared(async () => await buffer(await file.open()))
  try {
    return readInfoPlist(bytes)
  } catch {
    return null
  }
}

async function readSymbols(file: ZippedFile, faults: string[]): Promise<unknown> {
  try {
    const bytes = await declared(async () => await buffer(await file.open()))
    if (bytes.length !== file.size) faults.push('a file has another size than the zip states')
    const slices = await readMachO(sourceOf(bytes))
    faults.push(...sliceFaults(slices, bytes.length))
    return slices.map(({ arch, uuid, range }) => ({ arch, uuid, range }))
  } catch (error) {
    if (error instanceof MachOProblem || error instanceof ZipProblem) return error.message
    throw error
  }
}

/** An error of the streams of a damaged file is a problem of the zip, as in the product's thread. */
async function declared<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const isOfStream = error instanceof Error && error.constructor === Error
    throw isOfStream ? new ZipProblem(`cannot be read: ${error.message}`) : error
  }
}

function pathFaults(paths: readonly string[]): string[] {
  const faults: string[] = []
  for (const path of paths) {
    if (path.split('/').includes('..')) faults.push('a path leaves its folder')
    if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) faults.push('a path is absolute')
    if (path.includes('\\')) faults.push('a path has a backslash')
    if (!path.isWellFormed()) faults.push('a path has a lone surrogate')
  }
  if (new Set(paths).size !== paths.length) faults.push('a path occurs twice')
  return [...new Set(faults)]
}

function boundFaults(bundles: Awaited<ReturnType<typeof readDsymZip>>['bundles'], paths: readonly string[]): string[] {
  const faults: string[] = []
  const bytes = bundles.flatMap(({ symbols }) => symbols).reduce((sum, { size }) => sum + size, 0)
  if (bytes > bounds.bytes) faults.push(`${bytes} bytes`)
  if (bundles.length > bounds.bundles) faults.push(`${bundles.length} dSYMs`)
  if (paths.length > bounds.files) faults.push(`${paths.length} files`)
  for (const { path, symbols } of bundles)
    if (!path.endsWith('.dSYM') || symbols.some((one) => !one.path.startsWith(`${path}/`)))
      faults.push('a file of another dSYM')
  return faults
}

/** By the thread that indexes uploads. Its files are unpacked to a folder of their own. */
async function readByThread(file: Buffer): Promise<ReadZip> {
  const blobs = new MemoryBlobs()
  await blobs.append('zip', 0, file)
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-zip-'))
  const reader = new ZipReader({ name: 'zip', size: file.length }, blobs, { ...bounds, heapMb: 256, silentMs: 20_000 })
  try {
    const { bundles, links } = await reader.list()
    const files: ReadZip['files'][number][] = []
    for (const [index, { path, size }] of bundles
      .flatMap(({ symbols }) => symbols)
      .slice(0, mostUnpacked)
      .entries()) {
      const result = await reader.extract(path, join(folder, String(index))).then(
        (slices): unknown => slices.map(({ arch, uuid, range }) => ({ arch, uuid, range })),
        (error) => {
          if (error instanceof UnreadableSymbols || error instanceof ZipProblem) return error.message
          throw error
        },
      )
      files.push({ path, size, result })
    }
    return { bundles: bundles.map(({ path, facts }) => ({ path, facts: facts ?? null })), links, files }
  } finally {
    await reader.close()
    rmSync(folder, { recursive: true })
  }
}
