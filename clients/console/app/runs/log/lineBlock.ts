/**
 * Some thousand lines as bytes, one after the other, with a line feed between them. Ten million lines as objects would need too much
 * memory.
 */
import type { OutputStream } from './logChunk.ts'

const streams = ['STDOUT', 'STDERR', 'SYSTEM'] as const satisfies readonly OutputStream[]
const [lineFeed, carriageReturn] = [10, 13]
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class LineBlock {
  /** The number of its first line, from 0. */
  readonly first: number
  count = 0
  /** Its lines that continue in another block. The text in this block is not complete. */
  readonly continuedLines: number[] = []
  readonly #bytes: Uint8Array
  #length = 0
  #starts = new Uint32Array(8)
  #streams = new Uint8Array(8)

  /** @param room the capacity in bytes */
  constructor(first: number, room: number) {
    this.first = first
    this.#bytes = new Uint8Array(room)
  }

  /** Returns whether there is room for so many more bytes and a line feed. */
  hasRoom(more: number): boolean {
    return this.#length + more + 1 <= this.#bytes.length
  }

  begin(stream: OutputStream): void {
    if (this.count > 0) this.#bytes[this.#length++] = lineFeed
    if (this.count === this.#starts.length) {
      this.#starts = copyInto(this.#starts, new Uint32Array(this.count * 2))
      this.#streams = copyInto(this.#streams, new Uint8Array(this.count * 2))
    }
    this.#starts[this.count] = this.#length
    this.#streams[this.count] = streams.indexOf(stream)
    this.count++
  }

  /** Continues the last line. A carriage return restarts the line, unless it is at the end. */
  extend(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const start = this.#starts[this.count - 1] ?? 0
    const last = bytes.length > 1 ? bytes.lastIndexOf(carriageReturn, bytes.length - 2) : -1
    if (last !== -1 || (this.#length > start && this.#bytes[this.#length - 1] === carriageReturn)) this.#length = start
    const rest = bytes.subarray(last + 1)
    this.#bytes.set(rest, this.#length)
    this.#length += rest.length
  }

  /** Ends the last line. A carriage return before its end is removed. */
  end(): void {
    const start = this.#starts[this.count - 1] ?? 0
    if (this.#length > start && this.#bytes[this.#length - 1] === carriageReturn) this.#length--
  }

  /** Removes the last line. @returns its bytes */
  pop(): Uint8Array {
    const start = this.#starts[--this.count] ?? 0
    const bytes = this.#bytes.slice(start, this.#length)
    this.#length = this.count > 0 ? start - 1 : 0
    return bytes
  }

  getStream(line: number): OutputStream {
    return streams[this.#streams[line - this.first] ?? 0] ?? 'STDOUT'
  }

  /** Returns the first byte of a line. Any byte for an empty one. */
  getFirstByte(line: number): number | undefined {
    return this.#bytes[this.#starts[line - this.first] ?? 0]
  }

  getBytes(line: number): Uint8Array {
    const at = line - this.first
    const end = at + 1 < this.count ? (this.#starts[at + 1] ?? 0) - 1 : this.#length
    return this.#bytes.subarray(this.#starts[at], end)
  }

  /** Returns all lines as one text. */
  decode(): string {
    return decoder.decode(this.#bytes.subarray(0, this.#length))
  }
}

function copyInto<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}
