import { LRUCache } from 'lru-cache'
import type { ByteSource } from '../dsymFiles/byteSource.ts'
import { checksumOf } from './pageWriter.ts'
import { SymbolTableDamaged } from './symbolProblems.ts'
import { pageBytes, pageContentBytes } from './tableFormat.ts'

/** Pages of one table that are kept: 1 MiB. */
const keptPages = 256

/** Reads content from checked pages. The pages that were read last are kept. */
export class PageReader {
  readonly #source: ByteSource
  readonly #pages = new LRUCache<number, Promise<Buffer>>({ max: keptPages })
  /** Bytes of content. */
  readonly size: number

  /** @throws SymbolTableDamaged */
  constructor(source: ByteSource) {
    if (source.size === 0 || source.size % pageBytes !== 0)
      throw new SymbolTableDamaged(`have a table of ${source.size} bytes, which is cut off`)
    this.#source = source
    this.size = (source.size / pageBytes) * pageContentBytes
  }

  /** @throws SymbolTableDamaged if the content has fewer bytes, or a page is damaged */
  async read(offset: number, length: number): Promise<Buffer> {
    const isWithin = Number.isSafeInteger(offset) && offset >= 0 && length >= 0 && offset + length <= this.size
    if (!isWithin) throw new SymbolTableDamaged(`have a table that refers to ${length} bytes at ${offset}`)
    if (length === 0) return Buffer.alloc(0)
    const first = Math.floor(offset / pageContentBytes)
    const last = Math.floor((offset + length - 1) / pageContentBytes)
    const from = offset - first * pageContentBytes
    if (first === last) return (await this.#page(first)).subarray(from, from + length)
    const pages = await Promise.all(Array.from({ length: last - first + 1 }, (_, index) => this.#page(first + index)))
    return Buffer.concat(pages).subarray(from, from + length)
  }

  #page(number: number): Promise<Buffer> {
    const kept = this.#pages.get(number)
    if (kept !== undefined) return kept
    const read = this.#readPage(number)
    this.#pages.set(number, read)
    // The next read tries again.
    read.catch(() => this.#pages.delete(number))
    return read
  }

  async #readPage(number: number): Promise<Buffer> {
    const page = await this.#source.read(number * pageBytes, pageBytes)
    const content = page.subarray(0, pageContentBytes)
    if (checksumOf(content, number) !== page.readUInt32LE(pageContentBytes))
      throw new SymbolTableDamaged(`have a table whose page ${number} is damaged`)
    return content
  }
}
