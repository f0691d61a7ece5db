import { SymbolTableDamaged } from './symbolProblems.ts'

/** The numbers of a table: 7 bits in each byte, the lowest first. */
export class VarintReader {
  readonly #bytes: Buffer
  offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.offset >= this.#bytes.length
  }

  /** @throws SymbolTableDamaged if it is cut off, or is larger than any number of a table */
  next(): number {
    let value = 0
    for (let factor = 1; factor <= largestFactor; factor *= 128) {
      const byte = this.#bytes[this.offset++]
      if (byte === undefined) break
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
    throw new SymbolTableDamaged('have a table with a wrong number')
  }

  /** The lowest bit is the sign. */
  nextDifference(): number {
    const packed = this.next()
    return packed % 2 === 0 ? packed / 2 : -(packed + 1) / 2
  }
}

/** Five bytes have 35 bits. */
const largestFactor = 128 ** 4
