/** Writes the table of a slice that was read. The bytes come in order, so that none has to be kept. `tableFormat.ts` describes them. */
import type { Demangler } from './demangler.ts'
import type { DwarfReader } from './dwarfReader.ts'
import { PageWriter } from './pageWriter.ts'
import { SymbolsTooLarge } from './symbolProblems.ts'
import {
  encodeFoot,
  encodeHead,
  mostStringBytes,
  type SymbolTableStatistics,
  type TableSection,
} from './tableFormat.ts'

/** Strings that are given to the pages at once. */
const batchBytes = 256 * 1024
/** A place of a string has 32 bits. */
const mostStrings = 2 ** 32 - 1

/** @throws SymbolsTooLarge; SymbolsDamaged */
export function* encodeTable(reader: DwarfReader, demangler: Demangler): Generator<Buffer, SymbolTableStatistics> {
  const writer = new PageWriter()
  function* section(pieces: Iterable<Uint8Array>): Generator<Buffer, TableSection> {
    const offset = writer.offset
    for (const piece of pieces) yield writer.write(piece)
    return { offset, size: writer.offset - offset }
  }
  yield writer.write(encodeHead())
  const blocks = yield* section(reader.blocks())
  const levels: TableSection[] = []
  for (let level = 0; level < reader.indexLevels; level++) levels.push(yield* section(reader.indexLevel(level)))
  const nodes = yield* section(reader.nodes())
  const names = new PlaceList()
  const files = new PlaceList()
  const strings = yield* section(encodeStrings(reader, demangler, names, files))
  const nameRecords = yield* section(names.pieces())
  const fileRecords = yield* section(files.pieces())
  yield writer.end()
  const { statistics } = reader
  const sections = { blocks, nodes, strings, names: nameRecords, files: fileRecords }
  yield writer.write(encodeFoot({ sections, levels, statistics }))
  return statistics
}

/** Writes the names, raw and demangled, and the paths, and lists their places. */
function* encodeStrings(
  reader: DwarfReader,
  demangler: Demangler,
  names: PlaceList,
  files: PlaceList,
): Generator<Buffer> {
  const batch = new StringBatch()
  for (const raw of reader.names()) {
    const place = batch.add(raw)
    names.add(place)
    const demangled = demangler.demangle(raw)
    names.add(demangled === undefined ? place : batch.add(demangled))
    if (batch.size >= batchBytes) yield batch.take()
  }
  for (const path of reader.files()) {
    files.add(batch.add(path))
    if (batch.size >= batchBytes) yield batch.take()
  }
  yield batch.take()
}

class StringBatch {
  #bytes = Buffer.allocUnsafe(batchBytes + 2 * (mostStringBytes + 5))
  #before = 0
  size = 0

  /** @returns its place among all strings */
  add(text: Uint8Array): number {
    const place = this.#before + this.size
    if (place > mostStrings) throw new SymbolsTooLarge('have more than 4 GiB of names')
    const kept = text.subarray(0, mostStringBytes)
    let length = kept.length
    for (; length >= 0x80; length >>= 7) this.#bytes[this.size++] = (length & 0x7f) | 0x80
    this.#bytes[this.size++] = length
    this.#bytes.set(kept, this.size)
    this.size += kept.length
    return place
  }

  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.size)
    this.#before += this.size
    this.size = 0
    return bytes
  }
}

const chunkPlaces = 65_536

/** Places of strings. The chunks are never copied to grow. */
class PlaceList {
  readonly #chunks: Uint32Array[] = []
  #used = chunkPlaces

  add(place: number): void {
    if (this.#used === chunkPlaces) {
      this.#chunks.push(new Uint32Array(chunkPlaces))
      this.#used = 0
    }
    const chunk = this.#chunks.at(-1)
    if (chunk !== undefined) chunk[this.#used++] = place
  }

  *pieces(): Generator<Buffer> {
    for (const [index, chunk] of this.#chunks.entries()) {
      const count = index === this.#chunks.length - 1 ? this.#used : chunkPlaces
      yield Buffer.from(chunk.buffer, 0, count * 4)
    }
  }
}
