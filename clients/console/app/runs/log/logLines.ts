/** The output of a job as lines. The bytes of its streams arrive in chunks that may cut characters and lines. */
import { LineBlock } from './lineBlock.ts'
import { decodeChunk, type LogChunk, type OutputStream } from './logChunk.ts'
import { LogGroups, mayMarkGroup } from './logGroups.ts'
import { LogMoments } from './logMoments.ts'
import { stripAnsi } from './parseAnsi.ts'

export interface LogLine {
  /** The beginning of a very long line. */
  readonly text: string
  /** The number of characters after it. */
  readonly omitted: number
  readonly stream: OutputStream
  /** When the line began, to the second, in milliseconds since 1970. */
  readonly at: number | undefined
}

/** The size of a block in bytes. A longer line has its own block. */
const blockSize = 256 * 1024

/** The number of characters of a line that are shown. More would block the browser. */
const maxShownLength = 10_000

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class LogLines {
  /** The number of lines, with those that have not ended. */
  count = 0
  ended = false
  readonly blocks: LineBlock[] = []
  readonly moments = new LogMoments()
  readonly groups = new LogGroups()
  /** The line of each stream that has not ended. */
  readonly #open = new Map<OutputStream, number>()
  /** Lines that have not ended although others began after them, each with its own block. */
  readonly #separate = new Map<number, LineBlock>()
  #changedFrom = 0

  add(chunk: LogChunk): void {
    this.#addOutput(chunk)
    this.moments.add(Date.parse(chunk.at), this.count)
  }

  #addOutput(chunk: LogChunk): void {
    const { stream } = chunk
    if (stream === 'END') {
      this.ended = true
      for (const open of this.#open.keys()) this.#end(open)
      return
    }
    const bytes = decodeChunk(chunk)
    for (let from = 0; from < bytes.length; ) {
      const feed = bytes.indexOf(10, from)
      this.#append(stream, bytes.subarray(from, feed === -1 ? bytes.length : feed))
      if (feed === -1) return
      this.#end(stream)
      from = feed + 1
    }
  }

  at(line: number): LogLine | undefined {
    if (line < 0 || line >= this.count) return undefined
    const block = this.#separate.get(line) ?? this.#findBlock(line)
    const text = decodeLine(block, line)
    const omitted = Math.max(0, text.length - maxShownLength)
    return {
      text: omitted === 0 ? text : text.slice(0, maxShownLength),
      omitted,
      stream: block.getStream(line),
      at: this.moments.findTime(line),
    }
  }

  /** Returns the whole line, as far as it has arrived. */
  textAt(line: number): string {
    return decodeLine(this.#separate.get(line) ?? this.#findBlock(line), line)
  }

  /** Returns the whole log without escape sequences, in parts. */
  *readText(): Generator<string> {
    for (const block of this.blocks) {
      const whole = block.continuedLines.length === 0
      yield `${stripAnsi(whole ? block.decode() : this.#readLines(block))}\n`
    }
  }

  #readLines(block: LineBlock): string {
    return Array.from({ length: block.count }, (_, index) => this.textAt(block.first + index)).join('\n')
  }

  /** Returns the lines that have not ended. */
  open(): readonly number[] {
    return [...this.#open.values()]
  }

  /** Returns the first line that has changed since the last call. */
  takeChanged(): number {
    const from = Math.min(this.#changedFrom, this.count)
    this.#changedFrom = this.count
    return from
  }

  /** Returns the index in `blocks` of the block with the line. */
  findBlockIndex(line: number): number {
    let [low, high] = [0, this.blocks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.blocks[middle]?.first ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return low
  }

  #findBlock(line: number): LineBlock {
    return this.blocks[this.findBlockIndex(line)] as LineBlock
  }

  /** Continues the open line of the stream, or begins one. */
  #append(stream: OutputStream, bytes: Uint8Array): void {
    const open = this.#open.get(stream)
    if (open === undefined) this.#begin(stream, bytes)
    else if (open === this.count - 1 && !this.#separate.has(open)) this.#extendLast(stream, bytes)
    else this.#extendSeparate(open, stream, bytes)
    this.#changedFrom = Math.min(this.#changedFrom, open ?? this.count - 1)
  }

  #begin(stream: OutputStream, bytes: Uint8Array): void {
    let block = this.blocks.at(-1)
    if (!block?.hasRoom(bytes.length + 1)) {
      block = new LineBlock(this.count, Math.max(blockSize, bytes.length + 1))
      this.blocks.push(block)
    }
    block.begin(stream)
    block.extend(bytes)
    this.#open.set(stream, this.count++)
  }

  /** Continues the last line. If its block is full, the line moves to the next block. */
  #extendLast(stream: OutputStream, bytes: Uint8Array): void {
    const block = this.blocks.at(-1) as LineBlock
    if (block.hasRoom(bytes.length)) {
      block.extend(bytes)
      return
    }
    const before = block.pop()
    if (block.count === 0) this.blocks.pop()
    this.blocks.push(createBlockFor(this.count - 1, stream, before, bytes, blockSize))
  }

  #extendSeparate(line: number, stream: OutputStream, bytes: Uint8Array): void {
    const separate = this.#separate.get(line)
    if (separate?.hasRoom(bytes.length)) {
      separate.extend(bytes)
      return
    }
    const before = separate ?? this.#findBlock(line)
    if (separate === undefined) before.continuedLines.push(line)
    this.#separate.set(line, createBlockFor(line, stream, before.getBytes(line), bytes))
  }

  #end(stream: OutputStream): void {
    const line = this.#open.get(stream)
    if (line === undefined) return
    this.#open.delete(stream)
    this.#changedFrom = Math.min(this.#changedFrom, line)
    const block = this.#separate.get(line) ?? (line === this.count - 1 ? this.blocks.at(-1) : this.#findBlock(line))
    if (line === this.count - 1 && !this.#separate.has(line)) block?.end()
    if (mayMarkGroup(block?.getFirstByte(line))) this.groups.add(line, stripAnsi(this.textAt(line)))
  }
}

/** Creates a block for a line, with as much free room again. */
function createBlockFor(
  line: number,
  stream: OutputStream,
  before: Uint8Array,
  bytes: Uint8Array,
  atLeast = 0,
): LineBlock {
  const block = new LineBlock(line, Math.max(atLeast, 2 * (before.length + bytes.length) + 1))
  block.begin(stream)
  block.extend(before)
  block.extend(bytes)
  return block
}

/** A carriage return at the end has not restarted the line yet, and does not if a line feed follows. */
function decodeLine(block: LineBlock, line: number): string {
  const text = decoder.decode(block.getBytes(line))
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
