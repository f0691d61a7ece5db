/** Searches a growing log, one block at a time. Case is ignored. */
import type { LineBlock } from './lineBlock.ts'
import type { LogLines } from './logLines.ts'
import { stripAnsi } from './parseAnsi.ts'

/** The maximum number of matches. */
export const maxMatches = 100_000

export class LogSearch {
  /** The number of lines that match. */
  found = 0
  /** All lines before this one were searched. */
  searched = 0
  /** Lines before `searched` that had not ended. They are searched when they have ended. */
  readonly #pendingLines = new Set<number>()
  readonly #lines: LogLines
  readonly #searchText: string

  constructor(lines: LogLines, searchText: string) {
    this.#lines = lines
    this.#searchText = searchText.toLowerCase()
  }

  get done(): boolean {
    return this.found >= maxMatches || this.searched === this.#lines.count
  }

  /** Searches the next block, and the lines that have ended since. @returns the new matching lines, in no order */
  searchNext(): readonly number[] {
    const ended = this.#searchEnded()
    const next = this.#lines.blocks[this.#lines.findBlockIndex(this.searched)]
    const lines = this.done || next === undefined ? ended : [...ended, ...this.#searchBlock(next)]
    const accepted = lines.slice(0, maxMatches - this.found)
    this.found += accepted.length
    return accepted
  }

  #searchEnded(): number[] {
    const open = this.#lines.open()
    const ended = [...this.#pendingLines].filter((line) => !open.includes(line))
    for (const line of ended) this.#pendingLines.delete(line)
    return ended.filter((line) => this.#matchesLine(line))
  }

  /** Returns lines that have not ended and match so far. */
  matchOpenLines(): readonly number[] {
    return this.#lines.open().filter((line) => this.#matchesLine(line))
  }

  #searchBlock(block: LineBlock): readonly number[] {
    const open = this.#lines.open()
    const skipped = new Set([...open, ...block.continuedLines])
    const from = this.searched
    const lines = findMatches(block, this.#searchText).filter((line) => line >= from && !skipped.has(line))
    for (const line of block.continuedLines)
      if (line >= from && !open.includes(line) && this.#matchesLine(line)) lines.push(line)
    this.searched = block.first + block.count
    for (const line of open) if (line >= from && line < this.searched) this.#pendingLines.add(line)
    return lines
  }

  #matchesLine(line: number): boolean {
    return stripAnsi(this.#lines.textAt(line)).toLowerCase().includes(this.#searchText)
  }
}

/** Searches all lines of a block at once. Most blocks have no match and need not be split into lines. */
function findMatches(block: LineBlock, searchText: string): number[] {
  const text = stripAnsi(block.decode()).toLowerCase()
  const lines: number[] = []
  let line = block.first
  let from = 0
  for (let at = text.indexOf(searchText); at !== -1; at = text.indexOf(searchText, from)) {
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
