/** Look-ups in a symbol table. Each reads some pages of it, whatever its size is. */
import type { ByteSource } from '../dsymFiles/byteSource.ts'
import { PageReader } from './pageReader.ts'
import { SymbolTableDamaged } from './symbolProblems.ts'
import {
  blockSegments,
  decodeFoot,
  fileRecordBytes,
  headBytes,
  indexFanOut,
  indexRecordBytes,
  mostBlockBytes,
  mostFrames,
  mostStringBytes,
  nameRecordBytes,
  nodeRecordBytes,
  pageContentBytes,
  type SymbolTableStatistics,
  type TableFoot,
  type TableSection,
  type TableSectionName,
} from './tableFormat.ts'
import { VarintReader } from './varintReader.ts'

/** A function at an address. An address in inlined calls has a frame for each call, and one for the function around them. */
export interface SymbolFrame {
  /** The demangled name. The same as the raw name if that is not mangled. */
  readonly function: string | null
  /** The name for the linker, without the underscore that Mach-O adds. */
  readonly rawName: string | null
  /** The path as the compiler recorded it. */
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  /** Whether its code is a part of the function in the next frame. */
  readonly isInlined: boolean
  /**
   * Bytes from the start of the function to the address. Negative for a part of the function that comes before its start. Null for an inlined
   * call.
   */
  readonly offset: number | null
}

/** The numbers of a frame are Ints of GraphQL. Those of a damaged slice or table can be larger, and are left out. */
const mostInt = 2 ** 31 - 1

/** The methods throw SymbolTableDamaged if a part of the table that they read is damaged. */
export class SymbolTable {
  readonly #pages: PageReader
  readonly #foot: TableFoot

  private constructor(pages: PageReader, foot: TableFoot) {
    this.#pages = pages
    this.#foot = foot
  }

  static async open(source: ByteSource): Promise<SymbolTable> {
    const pages = new PageReader(source)
    const foot = decodeFoot(await pages.read(pages.size - pageContentBytes, pageContentBytes), pages.size)
    if (foot === undefined) throw new SymbolTableDamaged('have a table of another version')
    return new SymbolTable(pages, foot)
  }

  get statistics(): SymbolTableStatistics {
    return this.#foot.statistics
  }

  /**
   * @param address as the slice was linked. For a return address, that of the call is one less.
   * @returns the innermost frame first. Empty if the table has nothing about the address.
   */
  async lookUp(address: bigint): Promise<readonly SymbolFrame[]> {
    const segment = await this.#findSegment(address)
    if (segment === undefined) return []
    const frames: SymbolFrame[] = []
    let { node, place } = segment
    while (node !== 0) {
      const { name, parent, call, start } = await this.#readNode(node)
      const isInlined = parent !== 0
      const distance = Number(address - start)
      const offset = isInlined || Math.abs(distance) > mostInt ? null : distance
      frames.push({ ...(await this.#readName(name)), ...(await this.#readPlace(place)), isInlined, offset })
      // A call comes after the scope around it, so this ends.
      if (parent >= node || frames.length > mostFrames) throw damaged(`has the node ${node} in ${parent}`)
      node = parent
      place = call
    }
    if (frames.length > 0 || place.file === 0) return frames
    return [{ function: null, rawName: null, ...(await this.#readPlace(place)), isInlined: false, offset: null }]
  }

  async #findSegment(address: bigint): Promise<Segment | undefined> {
    const block = await this.#findBlock(address)
    if (block === undefined) return undefined
    const { start, offset, size } = block
    if (size > mostBlockBytes || size < 0) throw damaged(`has a block of ${size} bytes`)
    const distance = address - start
    const bytes = new VarintReader(await this.#read('blocks', offset, size))
    let found: Segment | undefined
    let at = 0
    let segment: Segment = { node: 0, place: { file: 0, line: 0, column: 0 } }
    for (let count = 0; count < blockSegments && !bytes.isAtEnd; count++) {
      at += bytes.next()
      // A block has at most 4 GiB of addresses, so a larger distance is that of the last segment.
      if (BigInt(at) > distance) break
      segment = readSegment(bytes, segment)
      found = segment
    }
    return found
  }

  /** The last block that starts at the address or below. */
  async #findBlock(address: bigint): Promise<{ start: bigint; offset: number; size: number } | undefined> {
    let first = 0
    for (const [index, level] of this.#foot.levels.toReversed().entries()) {
      const total = Math.floor(level.size / indexRecordBytes)
      // One more record than there can be in the answer: a block ends where the next one starts.
      const count = Math.min(indexFanOut + 1, total - first)
      if (count <= 0) return undefined
      const records = await this.#pages.read(level.offset + first * indexRecordBytes, count * indexRecordBytes)
      const found = lastAtOrBelow(records, Math.min(count, indexFanOut), address)
      if (found < 0) return undefined
      if (index < this.#foot.levels.length - 1) {
        first = (first + found) * indexFanOut
        continue
      }
      const offsetOf = (record: number) => Number(records.readBigUInt64LE(record * indexRecordBytes + 8))
      const end = found + 1 < count ? offsetOf(found + 1) : this.#foot.sections.blocks.size
      const offset = offsetOf(found)
      return { start: records.readBigUInt64LE(found * indexRecordBytes), offset, size: end - offset }
    }
    return undefined
  }

  async #readNode(id: number): Promise<TableNode> {
    const record = await this.#read('nodes', (id - 1) * nodeRecordBytes, nodeRecordBytes)
    const [name, parent, file, line, column] = [0, 4, 8, 12, 16].map((at) => record.readUInt32LE(at)) as FiveNumbers
    return { name, parent, call: { file, line, column }, start: record.readBigUInt64LE(8) }
  }

  async #readName(id: number): Promise<Pick<SymbolFrame, 'function' | 'rawName'>> {
    if (id === 0) return { function: null, rawName: null }
    const record = await this.#read('names', (id - 1) * nameRecordBytes, nameRecordBytes)
    const [raw, demangled] = [record.readUInt32LE(0), record.readUInt32LE(4)]
    const rawName = await this.#readString(raw)
    return { rawName, function: raw === demangled ? rawName : await this.#readString(demangled) }
  }

  async #readPlace({ file, line, column }: Place): Promise<Pick<SymbolFrame, 'file' | 'line' | 'column'>> {
    return { file: await this.#readFile(file), line: placeOrNull(line), column: placeOrNull(column) }
  }

  async #readFile(id: number): Promise<string | null> {
    if (id === 0) return null
    const record = await this.#read('files', (id - 1) * fileRecordBytes, fileRecordBytes)
    return await this.#readString(record.readUInt32LE(0))
  }

  async #readString(place: number): Promise<string> {
    const head = await this.#read('strings', place, Math.min(stringHeadBytes, this.#foot.sections.strings.size - place))
    const reader = new VarintReader(head)
    const length = reader.next()
    if (length > mostStringBytes) throw damaged(`has a string of ${length} bytes`)
    if (reader.offset + length <= head.length) return head.toString('utf8', reader.offset, reader.offset + length)
    return (await this.#read('strings', place + reader.offset, length)).toString('utf8')
  }

  async #read(name: TableSectionName, offset: number, size: number): Promise<Buffer> {
    const section: TableSection = this.#foot.sections[name]
    if (!(offset >= 0 && size >= 0 && offset + size <= section.size) || section.offset < headBytes)
      throw damaged(`refers to ${size} bytes at ${offset} of the ${name}`)
    return await this.#pages.read(section.offset + offset, size)
  }
}

/** Lines and columns count from 1. */
const placeOrNull = (number: number): number | null => (number >= 1 && number <= mostInt ? number : null)

/** Most strings have fewer bytes, and need one read. */
const stringHeadBytes = 256

type FiveNumbers = [number, number, number, number, number]

interface Place {
  readonly file: number
  readonly line: number
  readonly column: number
}

interface Segment {
  readonly node: number
  readonly place: Place
}

interface TableNode {
  readonly name: number
  /** 0 for a function. */
  readonly parent: number
  /** Only of a call. */
  readonly call: Place
  /** Only of a function. */
  readonly start: bigint
}

function readSegment(bytes: VarintReader, { node, place }: Segment): Segment {
  return {
    node: node + bytes.nextDifference(),
    place: {
      file: place.file + bytes.nextDifference(),
      line: place.line + bytes.nextDifference(),
      column: bytes.next(),
    },
  }
}

function lastAtOrBelow(records: Buffer, count: number, address: bigint): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (records.readBigUInt64LE(middle * indexRecordBytes) <= address) low = middle + 1
    else high = middle
  }
  return low - 1
}

function damaged(reason: string): SymbolTableDamaged {
  return new SymbolTableDamaged(`have a table that ${reason}`)
}
