/** The visible lines and some around them. They are requested from the reader a page at a time, and removed when they are far away. */
import type { Line } from './lines.ts'

const size = 200
const most = 40

interface Page {
  lines: readonly Line[]
  /** Whether a request is in flight. */
  asked: boolean
  /** Whether the page is up to date. */
  whole: boolean
}

export class Pages {
  readonly #pages = new Map<number, Page>()
  readonly #read: (from: number, to: number) => void

  constructor(read: (from: number, to: number) => void) {
    this.#read = read
  }

  /** Returns the line as far as it is loaded, and requests the rest. */
  at(line: number): Line | undefined {
    const number = Math.floor(line / size)
    const page = this.#pages.get(number) ?? this.#add(number)
    if (!page.whole && !page.asked) {
      page.asked = true
      this.#read(number * size, (number + 1) * size)
    }
    return page.lines[line - number * size]
  }

  put(from: number, lines: readonly Line[]): void {
    const page = this.#pages.get(from / size)
    if (page === undefined) return
    page.lines = lines
    page.asked = false
    page.whole = true
  }

  /**
   * Lines from this one on are new or changed. Their old content is shown until the new one arrives. A response after this call
   * contains the changes.
   */
  outdate(from: number): void {
    for (const [number, page] of this.#pages) if ((number + 1) * size > from) page.whole = false
  }

  #add(number: number): Page {
    const page: Page = { lines: [], asked: false, whole: false }
    this.#pages.set(number, page)
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > most && oldest !== undefined) this.#pages.delete(oldest)
    return page
  }
}
