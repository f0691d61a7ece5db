/** Reads the DWARF and the symbols of one slice in WebAssembly, into the parts of a symbol table. */
import { readFileSync } from 'node:fs'
import type { CodeSection } from '../dsymFiles/readMachO.ts'
import { SymbolsDamaged, SymbolsTooLarge } from './symbolProblems.ts'
import type { SymbolTableStatistics } from './tableFormat.ts'

/** The sections that are read, in the order in which `native/dwarf/lib.rs` numbers them. The last two are the symbol table. */
export const readSections = [
  ...['__debug_info', '__debug_abbrev', '__debug_line', '__debug_str', '__debug_line_str', '__debug_str_offs'],
  ...['__debug_addr', '__debug_ranges', '__debug_rnglists', '__debug_types', 'symbols', 'symbol names'],
] as const

/** The parts of a table, as `native/dwarf/lib.rs` numbers them. */
const parts = { blocks: 0, nodes: 1, names: 2, files: 3, firstIndexLevel: 4 } as const

interface DwarfReaderExports {
  add_section(kind: number, length: number): number
  add_code_section(ordinal: number, address: bigint, size: bigint): void
  build(is64: number): void
  pull(part: number): number
  piece(): number
  count_units(): number
  count_damaged_units(): number
  count_segments(): number
  count_index_levels(): number
}

const module = new WebAssembly.Module(readFileSync(new URL('./native/dwarfReader.wasm', import.meta.url)))

const wasmPageBytes = 65_536
/** As the module states. */
const firstPages = 32

/** One instance for one slice. Each method can throw SymbolsTooLarge or SymbolsDamaged, and after that none can be called. */
export class DwarfReader {
  readonly #memory: WebAssembly.Memory
  readonly #exports: DwarfReaderExports
  #isUsable = true

  /** @param mostMemory bytes, for the sections and all that is made of them */
  constructor(mostMemory: number) {
    const maximum = Math.min(Math.max(Math.floor(mostMemory / wasmPageBytes), firstPages), wasmPageBytes)
    this.#memory = reserveMemory(maximum)
    const memory_exhausted = () => {
      throw new SymbolsTooLarge(`need more than ${Math.floor(mostMemory / 1024 ** 2)} MiB of memory`)
    }
    const instance = new WebAssembly.Instance(module, { env: { memory: this.#memory, memory_exhausted } })
    this.#exports = instance.exports as unknown as DwarfReaderExports
  }

  /** @returns the place of the bytes of the section */
  addSection(kind: number, size: number): number {
    return this.#call(() => this.#exports.add_section(kind, size)) >>> 0
  }

  fill(place: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer).set(bytes, place)
  }

  addCodeSection({ ordinal, address, size }: CodeSection): void {
    this.#call(() => this.#exports.add_code_section(ordinal, address, size))
  }

  build(is64: boolean): void {
    this.#call(() => this.#exports.build(Number(is64)))
  }

  /** All blocks. The other parts are complete after them. */
  blocks(): Generator<Uint8Array> {
    return this.#pull(parts.blocks)
  }

  nodes(): Generator<Uint8Array> {
    return this.#pull(parts.nodes)
  }

  indexLevel(level: number): Generator<Uint8Array> {
    return this.#pull(parts.firstIndexLevel + level)
  }

  /** In the order of their IDs. A name is valid until the next one. */
  names(): Generator<Uint8Array> {
    return splitStrings(this.#pull(parts.names))
  }

  files(): Generator<Uint8Array> {
    return splitStrings(this.#pull(parts.files))
  }

  get indexLevels(): number {
    return this.#call(() => this.#exports.count_index_levels())
  }

  get statistics(): SymbolTableStatistics {
    return this.#call(() => ({
      units: this.#exports.count_units() >>> 0,
      damagedUnits: this.#exports.count_damaged_units() >>> 0,
      segments: this.#exports.count_segments() >>> 0,
    }))
  }

  *#pull(part: number): Generator<Uint8Array> {
    for (;;) {
      const [place, length] = this.#call(() => {
        const size = this.#exports.pull(part) >>> 0
        return [this.#exports.piece() >>> 0, size]
      })
      if (length === 0) return
      yield new Uint8Array(this.#memory.buffer, place, length)
    }
  }

  #call<T>(call: () => T): T {
    if (!this.#isUsable) throw new SymbolsDamaged('were not read: an earlier part failed')
    try {
      return call()
    } catch (error) {
      this.#isUsable = false
      if (error instanceof SymbolsTooLarge) throw error
      throw new SymbolsDamaged(`cannot be read: ${(error as Error).message}`)
    }
  }
}

function reserveMemory(maximum: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: firstPages, maximum })
  } catch (error) {
    // The process may have a limit of its address space.
    throw new SymbolsTooLarge(`cannot be read now: ${(error as Error).message}`)
  }
}

/** Each string has its length before it. A piece has whole strings. */
function* splitStrings(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const piece of pieces) {
    const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength)
    for (let at = 0; at < piece.length; ) {
      const end = at + 4 + view.getUint32(at, true)
      yield piece.subarray(at + 4, end)
      at = end
    }
  }
}
