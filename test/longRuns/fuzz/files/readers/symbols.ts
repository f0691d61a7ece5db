import { createHash } from 'node:crypto'
import { type ByteSource, partOf, sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { MachOProblem, type MachOSlice, readMachO } from '../../../../../gateway/operations/apps/dsymFiles/readMachO.ts'
import { Demangler } from '../../../../../gateway/operations/apps/symbols/demangler.ts'
import { DwarfReader, readSections } from '../../../../../gateway/operations/apps/symbols/dwarfReader.ts'
import { encodeTable } from '../../../../../gateway/operations/apps/symbols/encodeTable.ts'
import {
  SymbolsDamaged,
  SymbolsTooLarge,
  SymbolTableDamaged,
} from '../../../../../gateway/operations/apps/symbols/symbolProblems.ts'
import { type SymbolFrame, SymbolTable } from '../../../../../gateway/operations/apps/symbols/symbolTable.ts'
import { SymbolTableWriter } from '../../../../../gateway/operations/apps/symbols/symbolTableWriter.ts'
import {
  decodeFoot,
  mostFrames,
  mostStringBytes,
  pageBytes,
  pageContentBytes,
} from '../../../../../gateway/operations/apps/symbols/tableFormat.ts'
import type { FuzzedReader, ReadFile } from '../fuzzedReader.ts'
import { isSymbolTable, mutateSymbols, placeInFile } from '../mutate/symbolTable.ts'
import { builtMachOs } from './builtMachOs.ts'

const mostMemory = 64 * 1024 ** 2
const mostSlices = 3
const demangler = new Demangler()
let writer: SymbolTableWriter | undefined

/** Slices of which tables are written and read, and tables. A file that begins as a table does is one. */
export const symbols: FuzzedReader = {
  name: 'symbols',
  sources: [
    'encodeTable',
    'dwarfReader',
    'symbolTable',
    'pageReader',
    'pageWriter',
    'tableFormat',
    'varintReader',
    'demangler',
  ].map((name) => `/symbols/${name}.ts`),
  makeSeeds: async () => {
    const files = builtMachOs().filter((file) => file.length < 128 * 1024)
    const tables = await Promise.all(files.map(tablesOf))
    return [...files, ...tables.flat()]
  },
  mutate: mutateSymbols,
  read: async (file) => (isSymbolTable(file) ? await readTable(file) : await readSlices(file, encode)),
  isDeclared: (error) =>
    [SymbolsDamaged, SymbolsTooLarge, SymbolTableDamaged, MachOProblem].some((problem) => error instanceof problem),
  readInProduct: async (file) =>
    isSymbolTable(file) ? (await readTable(file)).value : (await readSlices(file, writeByThread)).value,
  close: () => {
    writer?.close()
    writer = undefined
  },
}

async function tablesOf(file: Buffer): Promise<Buffer[]> {
  const source = sourceOf(file)
  const tables: Buffer[] = []
  for (const machO of await readMachO(source)) {
    if (machO.symbols === null) continue
    tables.push(await encode(partOf(source, machO.range.offset, machO.range.size), machO))
  }
  return tables
}

async function readSlices(
  file: Buffer,
  write: (slice: ByteSource, machO: MachOSlice) => Promise<Buffer>,
): Promise<ReadFile> {
  const source = sourceOf(file)
  const results: unknown[] = []
  const faults: string[] = []
  const forms: string[] = []
  for (const machO of (await readMachO(source)).slice(0, mostSlices)) {
    const table = await write(partOf(source, machO.range.offset, machO.range.size), machO)
    if (table.length % pageBytes !== 0) faults.push('a table does not end at the end of a page')
    try {
      const { statistics, frames } = await lookUpAll(table, addressesOf(machO))
      faults.push(...frameFaults(frames))
      results.push({ table: createHash('sha256').update(table).digest('hex'), statistics, frames })
      const { units, damagedUnits, segments } = statistics
      forms.push([units, damagedUnits, segments, frames.length].map((one) => Math.ceil(Math.log2(one + 1))).join())
    } catch (error) {
      if (!(error instanceof SymbolTableDamaged)) throw error
      faults.push(`a new table cannot be read: the symbols ${error.message}`)
    }
  }
  return { value: results, form: forms.join(' '), faults }
}

async function readTable(file: Buffer): Promise<ReadFile> {
  const { statistics, frames } = await lookUpAll(file, addressesIn(file))
  return {
    value: { statistics, frames },
    form: `table ${Math.ceil(Math.log2(frames.length + 1))}`,
    faults: frameFaults(frames),
  }
}

async function lookUpAll(table: Buffer, addresses: readonly bigint[]) {
  const open = await SymbolTable.open(sourceOf(table))
  const frames: SymbolFrame[] = []
  for (const address of addresses) {
    const found = await open.lookUp(address)
    if (found.length > mostFrames + 1) throw new Error(`${found.length} frames of one address`)
    frames.push(...found)
  }
  return { statistics: open.statistics, frames }
}

function frameFaults(frames: readonly SymbolFrame[]): string[] {
  const faults = new Set<string>()
  for (const { function: name, rawName, file, line, column, offset } of frames) {
    for (const text of [name, rawName, file])
      if (text !== null && text.length > mostStringBytes) faults.add('a text that is longer than a table allows')
    for (const number of [line, column, offset])
      if (number !== null && (number | 0) !== number) faults.add('a number beyond 32 bits')
    for (const number of [line, column]) if (number !== null && number < 1) faults.add('a line below 1')
  }
  return [...faults]
}

const mostAddresses = 48

/** The first addresses of each section, and those around its end. */
function addressesOf({ codeSections }: MachOSlice): readonly bigint[] {
  const all = codeSections.flatMap(({ address, size }) => [
    ...Array.from({ length: 8 }, (_, index) => address + BigInt(index * 4)),
    ...[address + size - 1n, address + size, address - 1n, address + size / 2n],
  ])
  return [0n, 2n ** 64n - 1n, ...all.map((address) => BigInt.asUintN(64, address))].slice(0, mostAddresses)
}

/** The addresses in the index of a table, and those after them. */
function addressesIn(file: Buffer): readonly bigint[] {
  const fixed = [0n, 2n ** 64n - 1n, 0x100000000n]
  if (file.length < pageBytes || file.length % pageBytes !== 0) return fixed
  const foot = decodeFoot(
    file.subarray(-pageBytes).subarray(0, pageContentBytes),
    (file.length / pageBytes) * pageContentBytes,
  )
  const level = foot?.levels[0]
  if (level === undefined) return fixed
  const starts: bigint[] = []
  for (let at = level.offset; at + 16 <= level.offset + level.size && starts.length < 12; at += 16) {
    const place = placeInFile(at)
    if (!(place >= 0 && place + 8 <= file.length)) break
    starts.push(file.readBigUInt64LE(place))
  }
  return [
    ...fixed,
    ...starts.flatMap((start) => [start, start + 4n, start + 40n].map((one) => BigInt.asUintN(64, one))),
  ]
}

/** As `symbolThread.ts` does, without the thread. */
async function encode(slice: ByteSource, machO: MachOSlice): Promise<Buffer> {
  const own: Readonly<Record<string, MachOSlice['range'] | undefined>> = {
    symbols: machO.symbols?.table,
    'symbol names': machO.symbols?.names,
  }
  const reader = new DwarfReader(mostMemory)
  const ranges = readSections.map((name) => own[name] ?? machO.dwarf.get(name) ?? { offset: 0, size: 0 })
  const sources = ranges.map(({ offset, size }) => within(slice, offset, size))
  const places = sources.map(({ size }, kind) => reader.addSection(kind, size))
  for (const section of machO.codeSections) reader.addCodeSection(section)
  for (const [index, source] of sources.entries()) reader.fill(places[index] ?? 0, await source.read(0, source.size))
  reader.build(machO.is64)
  return Buffer.concat([...encodeTable(reader, demangler)])
}

function within(slice: ByteSource, offset: number, size: number): ByteSource {
  try {
    return partOf(slice, offset, size)
  } catch (error) {
    throw error instanceof RangeError ? new SymbolsDamaged(`are cut off: ${error.message}`) : error
  }
}

async function writeByThread(slice: ByteSource, machO: MachOSlice): Promise<Buffer> {
  writer ??= new SymbolTableWriter({ mostMemory, withinMs: 15_000 })
  const pieces: Uint8Array[] = []
  await writer.write(slice, machO, async (piece) => void pieces.push(piece))
  return Buffer.concat(pieces)
}
