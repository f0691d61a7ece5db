/** The output of a job as lines. The bytes of its streams arrive in chunks that may cut characters and lines. */
import { Block } from './block.ts'
import { bytesOf, type Chunk, type Stream } from './chunk.ts'

export interface Line {
  readonly text: string
  readonly stream: Stream
}

/** The size of a block in bytes. A longer line has its own block. */
const usual = 256 * 1024

/** The number of characters of a line that are shown. More would block the browser. */
const longest = 10_000

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class Lines {
  /** The number of lines, with those that have not ended. */
  count = 0
  ended = false
  readonly blocks: Block[] = []
  /** The line of each stream that has not ended. */
  readonly #open = new Map<Stream, number>()
  /** Lines that have not ended although others began after them, each with its own block. */
  readonly #apart = new Map<number, Block>()
  #changedFrom = 0

  add(chunk: Chunk): void {
    const { stream } = chunk
    if (stream === 'END') {
      this.ended = true
      for (const open of this.#open.keys()) this.#end(open)
      return
    }
    const bytes = bytesOf(chunk)
    for (let from = 0; from < bytes.length; ) {
      const feed = bytes.indexOf(10, from)
      this.#put(stream, bytes.subarray(from, feed === -1 ? bytes.length : feed))
      if (feed === -1) return
      this.#end(stream)
      from = feed + 1
    }
  }

  at(line: number): Line | undefined {
    if (line < 0 || line >= this.count) return undefined
    const block = this.#apart.get(line) ?? this.#blockOf(line)
    return { text: shown(textIn(block, line)), stream: block.streamOf(line) }
  }

  /** Returns the whole line, as far as it has arrived. */
  textAt(line: number): string {
    return textIn(this.#apart.get(line) ?? this.#blockOf(line), line)
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
  placeOf(line: number): number {
    let [low, high] = [0, this.blocks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.blocks[middle]?.first ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return low
  }

  #blockOf(line: number): Block {
    return this.blocks[this.placeOf(line)] as Block
  }

  /** Continues the open line of the stream, or begins one. */
  #put(stream: Stream, bytes: Uint8Array): void {
    const open = this.#open.get(stream)
    if (open === undefined) this.#begin(stream, bytes)
    else if (open === this.count - 1 && !this.#apart.has(open)) this.#goOn(stream, bytes)
    else this.#goOnApart(open, stream, bytes)
    this.#changedFrom = Math.min(this.#changedFrom, open ?? this.count - 1)
  }

  #begin(stream: Stream, bytes: Uint8Array): void {
    let block = this.blocks.at(-1)
    if (!block?.hasRoom(bytes.length + 1)) {
      block = new Block(this.count, Math.max(usual, bytes.length + 1))
      this.blocks.push(block)
    }
    block.begin(stream)
    block.extend(bytes)
    this.#open.set(stream, this.count++)
  }

  /** Continues the last line. If its block is full, the line moves to the next block. */
  #goOn(stream: Stream, bytes: Uint8Array): void {
    const block = this.blocks.at(-1) as Block
    if (block.hasRoom(bytes.length)) {
      block.extend(bytes)
      return
    }
    const before = block.pop()
    if (block.count === 0) this.blocks.pop()
    this.blocks.push(carriedOver(this.count - 1, stream, before, bytes, usual))
  }

  #goOnApart(line: number, stream: Stream, bytes: Uint8Array): void {
    const apart = this.#apart.get(line)
    if (apart?.hasRoom(bytes.length)) {
      apart.extend(bytes)
      return
    }
    const before = apart ?? this.#blockOf(line)
    if (apart === undefined) before.elsewhere.push(line)
    this.#apart.set(line, carriedOver(line, stream, before.bytesOf(line), bytes))
  }

  #end(stream: Stream): void {
    const line = this.#open.get(stream)
    if (line === undefined) return
    this.#open.delete(stream)
    this.#changedFrom = Math.min(this.#changedFrom, line)
    if (line === this.count - 1 && !this.#apart.has(line)) this.blocks.at(-1)?.end()
  }
}

/** Creates a block for a line, with as much free room again. */
function carriedOver(line: number, stream: Stream, before: Uint8Array, bytes: Uint8Array, atLeast = 0): Block {
  const block = new Block(line, Math.max(atLeast, 2 * (before.length + bytes.length) + 1))
  block.begin(stream)
  block.extend(before)
  block.extend(bytes)
  return block
}

/** A carriage return at the end has not restarted the line yet, and does not if a line feed follows. */
function textIn(block: Block, line: number): string {
  const text = decoder.decode(block.bytesOf(line))
  return text.endsWith('\r') ? text.slice(0, -1) : text
}

function shown(text: string): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)} … and ${(text.length - longest).toLocaleString()} characters more`
}
