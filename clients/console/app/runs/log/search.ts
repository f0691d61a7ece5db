/** Searches a growing log, one block at a time. Case is ignored. */
import { textOf } from './ansi.ts'
import type { Block } from './block.ts'
import type { Lines } from './lines.ts'

/** The maximum number of matches. */
export const mostFound = 100_000

export class Search {
  /** The number of lines that match. */
  found = 0
  /** All lines before this one were searched. */
  searched = 0
  /** Lines before `searched` that had not ended. They are searched when they have ended. */
  readonly #awaited = new Set<number>()
  readonly #lines: Lines
  readonly #words: string

  constructor(lines: Lines, words: string) {
    this.#lines = lines
    this.#words = words.toLowerCase()
  }

  get done(): boolean {
    return this.found >= mostFound || this.searched === this.#lines.count
  }

  /** Searches the next block, and the lines that have ended since. @returns the new matching lines, in no order */
  step(): readonly number[] {
    const ended = this.#ended()
    const next = this.#lines.blocks[this.#lines.placeOf(this.searched)]
    const lines = this.done || next === undefined ? ended : [...ended, ...this.#searchBlock(next)]
    const taken = lines.slice(0, mostFound - this.found)
    this.found += taken.length
    return taken
  }

  #ended(): number[] {
    const open = this.#lines.open()
    const ended = [...this.#awaited].filter((line) => !open.includes(line))
    for (const line of ended) this.#awaited.delete(line)
    return ended.filter((line) => this.#has(line))
  }

  /** Returns lines that have not ended and match so far. */
  inOpen(): readonly number[] {
    return this.#lines.open().filter((line) => this.#has(line))
  }

  #searchBlock(block: Block): readonly number[] {
    const open = this.#lines.open()
    const passedOver = new Set([...open, ...block.elsewhere])
    const from = this.searched
    const lines = matches(block, this.#words).filter((line) => line >= from && !passedOver.has(line))
    for (const line of block.elsewhere) if (line >= from && !open.includes(line) && this.#has(line)) lines.push(line)
    this.searched = block.first + block.count
    for (const line of open) if (line >= from && line < this.searched) this.#awaited.add(line)
    return lines
  }

  #has(line: number): boolean {
    return textOf(this.#lines.textAt(line)).toLowerCase().includes(this.#words)
  }
}

/** Searches all lines of a block at once. Most blocks have no match and need not be split into lines. */
function matches(block: Block, words: string): number[] {
  const text = textOf(block.text()).toLowerCase()
  const lines: number[] = []
  let line = block.first
  let from = 0
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, from)) {
    for (let feed = text.indexOf('\n', from); feed !== -1 && feed < at; feed = text.indexOf('\n', from)) {
      line++
      from = feed + 1
    }
    lines.push(line)
    const feed = text.indexOf('\n', at)
    if (feed === -1) break
    line++
    from = feed + 1
  }
  return lines
}
