import { crc32 } from 'node:zlib'
import { pageBytes, pageContentBytes } from './tableFormat.ts'

/** Splits content into pages, each with its checksum. Full pages are taken as they come, so nothing is kept but the last one. */
export class PageWriter {
  #page = Buffer.alloc(pageBytes)
  #used = 0
  #pages = 0

  /** Bytes of content so far. */
  get offset(): number {
    return this.#pages * pageContentBytes + this.#used
  }

  /** @returns the pages that are full */
  write(bytes: Uint8Array): Buffer {
    const count = Math.floor((this.#used + bytes.length) / pageContentBytes)
    const pages = Buffer.allocUnsafe(count * pageBytes)
    let from = 0
    for (let index = 0; index < count; index++) {
      const end = from + pageContentBytes - this.#used
      this.#page.set(bytes.subarray(from, end), this.#used)
      from = end
      this.#finishPage().copy(pages, index * pageBytes)
    }
    this.#page.set(bytes.subarray(from), this.#used)
    this.#used += bytes.length - from
    return pages
  }

  /** Fills the last page with zeros. */
  end(): Buffer {
    return this.#used === 0 ? Buffer.alloc(0) : this.write(Buffer.alloc(pageContentBytes - this.#used))
  }

  #finishPage(): Buffer {
    this.#page.writeUInt32LE(checksumOf(this.#page.subarray(0, pageContentBytes), this.#pages), pageContentBytes)
    this.#pages++
    this.#used = 0
    return this.#page
  }
}

export function checksumOf(content: Uint8Array, page: number): number {
  return crc32(content, page)
}
