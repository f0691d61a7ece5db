/**
 * Reads values of the dictionary of a property list in Apple's binary format. No other object is read: objects refer to each other, so a file of
 * some hundred bytes can have more values than any memory.
 * Source: Apple, `CFBinaryPList.c`.
 */
import { PlistProblem } from './plistProblem.ts'

/** An Info.plist has some ten keys. */
const mostKeys = 10_000
/** Characters of a text that are read. */
const mostText = 1_000
const headBytes = 8
const trailerBytes = 32

const types = { integer: 0x1, real: 0x2, ascii: 0x5, utf16: 0x6, dictionary: 0xd } as const

/** @throws PlistProblem */
export function readBinaryPlist(
  file: Buffer,
  keys: ReadonlySet<string>,
): ReadonlyMap<string, string | number | undefined> {
  const plist = new BinaryPlist(file)
  const found = new Map<string, string | number | undefined>()
  for (const [key, value] of plist.topEntries()) {
    const name = plist.readObject(key)
    if (typeof name === 'string' && keys.has(name)) found.set(name, plist.readObject(value))
  }
  return found
}

class BinaryPlist {
  readonly #file: Buffer
  readonly #offsetBytes: number
  readonly #referenceBytes: number
  readonly #objects: number
  readonly #top: number
  readonly #offsets: number

  constructor(file: Buffer) {
    if (file.length < headBytes + trailerBytes) throw new PlistProblem('is cut off')
    this.#file = file
    const trailer = file.length - trailerBytes
    this.#offsetBytes = this.#number(trailer + 6, 1)
    this.#referenceBytes = this.#number(trailer + 7, 1)
    this.#objects = this.#number(trailer + 8, 8)
    this.#top = this.#number(trailer + 16, 8)
    this.#offsets = this.#number(trailer + 24, 8)
  }

  /** The references to the keys and values of the dictionary. */
  *topEntries(): Generator<readonly [key: number, value: number]> {
    const { type, count, at } = this.#marker(this.#top)
    if (type !== types.dictionary) throw new PlistProblem('has no dictionary')
    if (count > mostKeys) throw new PlistProblem(`has ${count} keys`)
    const reference = (index: number) => this.#number(at + index * this.#referenceBytes, this.#referenceBytes)
    for (let index = 0; index < count; index++) yield [reference(index), reference(count + index)]
  }

  /** @returns undefined if it is neither a text nor a number */
  readObject(reference: number): string | number | undefined {
    const { type, count, at } = this.#marker(reference)
    if (type === types.integer && count <= 3) return this.#number(at, 2 ** count)
    if (type === types.real && count === 2) return this.#bytes(at, 4).readFloatBE()
    if (type === types.real && count === 3) return this.#bytes(at, 8).readDoubleBE()
    if (type === types.ascii) return this.#bytes(at, count).toString('latin1', 0, mostText)
    if (type !== types.utf16) return undefined
    const text = this.#bytes(at, count * 2).subarray(0, mostText * 2)
    return Buffer.from(text).swap16().toString('utf16le')
  }

  /** The first byte of an object has its type and its count. A count from 15 on is a number after it. */
  #marker(reference: number): { readonly type: number; readonly count: number; readonly at: number } {
    if (reference >= this.#objects) throw new PlistProblem(`refers to the object ${reference} of ${this.#objects}`)
    const at = this.#number(this.#offsets + reference * this.#offsetBytes, this.#offsetBytes)
    const marker = this.#number(at, 1)
    const [type, count] = [marker >> 4, marker & 0xf]
    if (count < 15) return { type, count, at: at + 1 }
    const bytes = 2 ** (this.#number(at + 1, 1) & 0xf)
    return { type, count: this.#number(at + 2, bytes), at: at + 2 + bytes }
  }

  #number(at: number, bytes: number): number {
    if (bytes < 1 || bytes > 8) throw new PlistProblem(`has a number of ${bytes} bytes`)
    return this.#bytes(at, bytes).reduce((value, byte) => value * 256 + byte, 0)
  }

  #bytes(at: number, count: number): Buffer {
    if (!(at >= 0 && at + count <= this.#file.length)) throw new PlistProblem(`refers to ${count} bytes at ${at}`)
    return this.#file.subarray(at, at + count)
  }
}
