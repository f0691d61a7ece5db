import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { appendMax } from '../../../spec/agents/appendMax.ts'
import { errnoOf } from '../failures.ts'
import type { LogStream } from '../operations.ts'

/**
 * A spool is a file of frames: one byte for the stream, four bytes for the length (big-endian), then the data. A frame is a chunk,
 * and its place in the file is its sequence number. So the number is set when the frame is written and never changes between resends.
 * An incomplete frame at the end (its writer was killed) is ignored.
 */
export type SpoolStream = LogStream | 'EVENT'

export interface Frame {
  sequence: number
  stream: SpoolStream
  data: Buffer
}

const streams: readonly SpoolStream[] = ['STDOUT', 'STDERR', 'SYSTEM', 'EVENT']
const headerBytes = 5
/** The maximum size of the data in one frame of a log, in bytes. */
export const chunkBytes = 32 * 1024
/**
 * The maximum length in a frame's header, in bytes. An event is larger than a chunk. A larger length means that the file is corrupt
 * at that place.
 */
const largestFrame = 512 * 1024
const blockBytes = 256 * 1024
/** The maximum size of the log of one attempt, and of its events, in bytes. A faulty program must not fill the disk. */
const largestSpool = 2 * 1024 ** 3
/** Lines of the agent itself are kept beyond that, up to this number of bytes. */
const systemBytes = 1024 * 1024
const fullNotice = '\nThe log is larger than 2 GiB; the rest is not kept.\n'

interface SpoolLimit {
  readonly largest?: number
  /** Called once, when the file exceeds its maximum size. By default it adds a line to the log. */
  readonly onFull?: () => void
  /** Called once, when a frame could not be written, for example to a full disk. */
  readonly onFailure?: (error: unknown) => void
}

interface Header {
  stream: SpoolStream
  length: number
}

function readHeader(buffer: Buffer, at: number): Header | undefined {
  const stream = streams[buffer.readUInt8(at) - 1]
  const length = buffer.readUInt32BE(at + 1)
  return stream === undefined || length === 0 || length > largestFrame ? undefined : { stream, length }
}

/**
 * Writes frames synchronously and in order. Each call returns when the operating system has the bytes. To a file that exceeds its
 * maximum size it adds only lines of the agent itself. After a frame that could not be written it adds nothing: a log with a gap would
 * look complete.
 */
export class SpoolWriter {
  private readonly file: number
  private readonly largest: number
  private readonly onFull: () => void
  private readonly onFailure: (error: unknown) => void
  private hasFailed = false
  /** Bytes in the file, with headers. */
  private size: number

  /** Opens or creates the file and removes an incomplete frame of a killed writer. */
  constructor(path: string, { largest = largestSpool, onFull, onFailure = () => {} }: SpoolLimit = {}) {
    this.largest = largest
    this.onFull = onFull ?? (() => this.writeFrame('SYSTEM', Buffer.from(fullNotice)))
    this.onFailure = onFailure
    this.file = openSync(path, 'a+', 0o600)
    this.size = endOfWholeFrames(this.file)
    ftruncateSync(this.file, this.size)
  }

  write(stream: SpoolStream, data: Buffer): void {
    const wasFull = this.size > this.largest
    if (this.hasFailed || data.length === 0 || (wasFull && !this.hasRoomFor(stream))) return
    const step = stream === 'EVENT' ? largestFrame : chunkBytes
    for (let at = 0; at < data.length; at += step) this.writeFrame(stream, data.subarray(at, at + step))
    if (!wasFull && this.size > this.largest) this.onFull()
  }

  /** The data is on disk when this returns. */
  close(): void {
    this.attempt(() => fsyncSync(this.file))
    closeSync(this.file)
  }

  private hasRoomFor(stream: SpoolStream): boolean {
    return stream === 'SYSTEM' && this.size <= this.largest + systemBytes
  }

  private writeFrame(stream: SpoolStream, data: Buffer): void {
    if (this.hasFailed) return
    const header = Buffer.alloc(headerBytes)
    header.writeUInt8(streams.indexOf(stream) + 1, 0)
    header.writeUInt32BE(data.length, 1)
    const frame = Buffer.concat([header, data])
    this.attempt(() => {
      for (let at = 0; at < frame.length; ) at += writeSync(this.file, frame, at)
      this.size += frame.length
    })
  }

  private attempt(write: () => void): void {
    try {
      write()
    } catch (error) {
      if (this.hasFailed) return
      this.hasFailed = true
      this.onFailure(error)
    }
  }
}

function endOfWholeFrames(file: number): number {
  const { size } = fstatSync(file)
  const buffer = Buffer.alloc(headerBytes)
  let at = 0
  while (at + headerBytes <= size) {
    readSync(file, buffer, 0, headerBytes, at)
    const header = readHeader(buffer, 0)
    if (!header || at + headerBytes + header.length > size) break
    at += headerBytes + header.length
  }
  return at
}

/** Reads complete frames from a position on, while the file may still grow. It holds at most one block in memory. */
export class SpoolReader {
  private readonly path: string
  private file: FileHandle | undefined
  private offset = 0
  /** The sequence number of the next frame. */
  sequence = 0

  constructor(path: string) {
    this.path = path
  }

  /** Returns the frames that are available now, at most one block and one append of them. Returns none at the end of the written data. */
  async read(): Promise<Frame[]> {
    const block = await this.block(Buffer.allocUnsafe(blockBytes))
    const frames: Frame[] = []
    let at = 0
    while (frames.length < appendMax && at + headerBytes <= block.length) {
      const header = readHeader(block, at)
      if (!header) break
      const end = at + headerBytes + header.length
      if (end > block.length) {
        if (frames.length > 0) break
        return this.readLarge(header)
      }
      frames.push({ sequence: this.sequence, stream: header.stream, data: block.subarray(at + headerBytes, end) })
      this.sequence += 1
      at = end
    }
    this.offset += at
    return frames
  }

  /** Moves to the frame with that number, or to the end if there are fewer frames. */
  async seek(sequence: number): Promise<void> {
    if (sequence < this.sequence) {
      this.offset = 0
      this.sequence = 0
    }
    const header = Buffer.alloc(headerBytes)
    const size = await this.fileSize()
    while (this.sequence < sequence) {
      const { length: got } = await this.block(header)
      const found = got === headerBytes ? readHeader(header, 0) : undefined
      if (!found || this.offset + headerBytes + found.length > size) return
      this.offset += headerBytes + found.length
      this.sequence += 1
    }
  }

  async close(): Promise<void> {
    await this.file?.close()
    this.file = undefined
  }

  /** Reads a frame larger than a block, if it is complete. */
  private async readLarge({ stream, length }: Header): Promise<Frame[]> {
    const whole = await this.block(Buffer.allocUnsafe(headerBytes + length))
    if (whole.length < headerBytes + length) return []
    this.offset += whole.length
    this.sequence += 1
    return [{ sequence: this.sequence - 1, stream, data: whole.subarray(headerBytes) }]
  }

  private async block(into: Buffer): Promise<Buffer> {
    const file = await this.opened()
    if (!file) return Buffer.alloc(0)
    const { bytesRead } = await file.read(into, 0, into.length, this.offset)
    return into.subarray(0, bytesRead)
  }

  private async fileSize(): Promise<number> {
    const file = await this.opened()
    return file ? (await file.stat()).size : 0
  }

  private async opened(): Promise<FileHandle | undefined> {
    if (this.file) return this.file
    try {
      this.file = await open(this.path, 'r')
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error
    }
    return this.file
  }
}

/** Returns how many chunks a log has, and the SHA-256 over their data in order. */
export async function digest(path: string): Promise<{ chunks: number; sha256: string }> {
  const hash = createHash('sha256')
  const reader = new SpoolReader(path)
  try {
    for (;;) {
      const frames = await reader.read()
      if (frames.length === 0) return { chunks: reader.sequence, sha256: hash.digest('hex') }
      for (const frame of frames) hash.update(frame.data)
    }
  } finally {
    await reader.close()
  }
}

/** Returns the end of a stream's text, at most `bytes` of it. */
export async function tail(path: string, stream: SpoolStream, bytes: number): Promise<string> {
  const reader = new SpoolReader(path)
  let kept = Buffer.alloc(0)
  try {
    for (;;) {
      const frames = await reader.read()
      if (frames.length === 0) return kept.toString('utf8')
      const data = frames.filter((frame) => frame.stream === stream).map((frame) => frame.data)
      kept = Buffer.concat([kept, ...data])
      kept = kept.subarray(Math.max(0, kept.length - bytes))
    }
  } finally {
    await reader.close()
  }
}
