/** Writes a zip of the planned files. The memory that it needs does not depend on their sizes. */
import { type FileHandle, open } from 'node:fs/promises'
import { messageOf, UploadFailure } from '../failures.ts'
import { crc32 } from './crc32.ts'
import { blockBytes } from './deflateBlock.ts'
import type { DeflateWorkers } from './deflateWorkers.ts'
import type { PlannedFile, PlannedZip } from './planZips.ts'
import { centralHeader, endRecords, localHeader, type ZipEntry } from './zipRecords.ts'

export interface WriteOptions {
  readonly workers: DeflateWorkers
  readonly signal: AbortSignal
  /** Receives the bytes of files that have been written, before compression. */
  onProgress?(bytes: number): void
}

/**
 * @throws UploadFailure if a file cannot be read, or changes
 * @throws the reason of the signal
 */
export async function writeZip(zip: PlannedZip, path: string, options: WriteOptions): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    const writer = new ZipWriter(handle)
    // Each thread has the next block ready while the oldest one is written.
    const window = options.workers.count * 2
    const blocks: CompressedBlock[] = []
    let done = 0
    const writeOldest = async () => {
      const block = blocks.shift()
      if (block === undefined) return
      await writer.write(block, await block.compressed)
      done += block.length
      options.onProgress?.(done)
    }
    for await (const block of readBlocks(zip.files, options.signal)) {
      const { length } = block.bytes
      const compressed = options.workers.deflate(block.bytes, block.isLast)
      // The error is thrown when the block is written. Until then it is not unhandled.
      compressed.catch(() => {})
      blocks.push({ ...block, length, compressed })
      if (blocks.length >= window) await writeOldest()
    }
    while (blocks.length > 0) {
      options.signal.throwIfAborted()
      await writeOldest()
    }
    await writer.end()
  } finally {
    await handle.close()
  }
}

interface Block {
  readonly file: PlannedFile
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isLast: boolean
  /** The CRC-32 of the file to the end of this block. */
  readonly crc: number
}

interface CompressedBlock extends Block {
  /** Bytes before compression. */
  readonly length: number
  readonly compressed: Promise<Uint8Array>
}

/** The blocks of all files, so that many small files are compressed in parallel too. An empty file has one empty block. */
async function* readBlocks(files: readonly PlannedFile[], signal: AbortSignal): AsyncGenerator<Block> {
  for (const file of files) {
    const handle = await open(file.path, 'r').catch((error: unknown) => {
      throw new UploadFailure(
        `${file.path} cannot be read: ${messageOf(error)}. Check its permissions and rerun the step.`,
      )
    })
    try {
      let crc = 0
      let at = 0
      do {
        signal.throwIfAborted()
        const bytes = await readBlock(handle, file, at)
        at += bytes.length
        crc = crc32(bytes, crc)
        yield { file, bytes, crc, isLast: at === file.size }
      } while (at < file.size)
    } finally {
      await handle.close()
    }
  }
}

async function readBlock(
  handle: FileHandle,
  { path, size }: PlannedFile,
  at: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Math.min(blockBytes, size - at))
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, at + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  const isEnd = at + bytes.length === size
  if (filled < bytes.length || (isEnd && (await handle.stat()).size !== size))
    throw new UploadFailure(`${path} has changed while it was read. Start the upload after the build has ended.`)
  return bytes
}

class ZipWriter {
  readonly #handle: FileHandle
  readonly #entries: ZipEntry[] = []
  #at = 0
  #open: { readonly offset: number; compressedSize: number } | undefined

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write({ file, crc, isLast }: Block, compressed: Uint8Array): Promise<void> {
    const { zippedName: name, size } = file
    if (this.#open === undefined) {
      this.#open = { offset: this.#at, compressedSize: 0 }
      // It is written again at the end of the file: readers of streams need its checksum and sizes before the bytes.
      await this.#append(localHeader({ name, size, compressedSize: 0, crc: 0, offset: this.#at }))
    }
    await this.#append(compressed)
    this.#open.compressedSize += compressed.length
    if (!isLast) return
    const entry: ZipEntry = { name, size, crc, ...this.#open }
    await writeAll(this.#handle, localHeader(entry), entry.offset)
    this.#entries.push(entry)
    this.#open = undefined
  }

  async end(): Promise<void> {
    const offset = this.#at
    for (const entry of this.#entries) await this.#append(centralHeader(entry))
    await this.#append(endRecords({ entries: this.#entries.length, offset, size: this.#at - offset }))
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await writeAll(this.#handle, bytes, this.#at)
    this.#at += bytes.length
  }
}

/** A full disk may write a part. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
