/** The lines that are seen, and some around them: asked of the reader a page at a time, and forgotten when they are far away. */
import type { Line } from './lines.ts'

const size = 200
const most = 40

interface Page {
  lines: readonly Line[]
  /** Whether another answer is under way. */
  asked: boolean
  /** Whether it is what the log has. */
  whole: boolean
}

export class Pages {
  readonly #pages = new Map<number, Page>()
  readonly #read: (from: number, to: number) => void

  constructor(read: (from: number, to: number) => void) {
    this.#read = read
  }

  /** The line as far as it is known here; the rest is asked for. */
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
   * Lines from this one on are others than they were, or new. What is shown of them stays until they are known; an answer that comes
   * later than this word has them already.
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
