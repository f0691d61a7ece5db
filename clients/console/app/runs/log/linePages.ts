/** The visible lines and some around them. They are requested from the reader a page at a time. The pages that were used last are kept. */
import type { LogLine } from './logLines.ts'

const pageSize = 200
const maxPages = 40

interface LinePage {
  lines: readonly LogLine[]
  /** Whether a request is in flight. */
  isRequested: boolean
  /** Whether the page is up to date. */
  isCurrent: boolean
}

export class LinePages {
  readonly #pages = new Map<number, LinePage>()
  readonly #read: (from: number, to: number) => void

  constructor(read: (from: number, to: number) => void) {
    this.#read = read
  }

  /** Returns the line as far as it is loaded, and requests the rest. */
  at(line: number): LogLine | undefined {
    const number = Math.floor(line / pageSize)
    const page = this.#use(number)
    if (!page.isCurrent && !page.isRequested) {
      page.isRequested = true
      this.#read(number * pageSize, (number + 1) * pageSize)
    }
    return page.lines[line - number * pageSize]
  }

  put(from: number, lines: readonly LogLine[]): void {
    const page = this.#pages.get(from / pageSize)
    if (page === undefined) return
    page.lines = lines
    page.isRequested = false
    page.isCurrent = true
  }

  /**
   * Lines from this one on are new or changed. Their old content is shown until the new one arrives. A response after this call
   * contains the changes.
   */
  markOutdated(from: number): void {
    for (const [number, page] of this.#pages) if ((number + 1) * pageSize > from) page.isCurrent = false
  }

  /** The pages are in the order of their last use. */
  #use(number: number): LinePage {
    const page = this.#pages.get(number) ?? { lines: [], isRequested: false, isCurrent: false }
    this.#pages.delete(number)
    this.#pages.set(number, page)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > maxPages && oldest !== undefined) this.#pages.delete(oldest)
    return page
  }
}
