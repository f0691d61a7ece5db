/** Reads the threads of a crash report from a file. See `threadFormat.ts`. */
import { constants } from 'node:buffer'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type ByteSource, partOf, sourceOf } from '../dsymFiles/byteSource.ts'
import type { CrashContent, StoredFrame, StoredImage, StoredThread } from './storedThreads.ts'
import { headerBytes, magic, type ThreadHead, type ThreadIndex } from './threadFormat.ts'

/** The most bytes of JSON of an index with 2,000 images, and of a block whose last frame is as large as possible. */
const mostIndexBytes = 64 * 1024 * 1024
const mostBlockBytes = 1024 * 1024

/**
 * All threads and images of a file.
 * @throws Error if the file is damaged, or has more than `mostBytes` of JSON
 */
export async function decodeThreads(bytes: Uint8Array, mostBytes: number): Promise<CrashContent> {
  const file = await ThreadFile.open(sourceOf(bytes), mostBytes)
  const threads: StoredThread[] = []
  for (const [number, { frameCount, ...thread }] of file.threads.entries())
    threads.push({ ...thread, frames: await file.frames(number, 0, frameCount) })
  return { threads, images: file.images }
}

export class ThreadFile {
  readonly images: readonly StoredImage[]
  readonly threads: readonly ThreadHead[]
  readonly #blocks: readonly Block[]
  /** The number of frames before each thread. */
  readonly #starts: readonly number[]

  /**
   * Opens a file, or the compressed JSON that earlier versions have stored.
   * @throws Error if it is damaged, or the parts that are read have more than `mostBytes` of JSON
   */
  static async open(source: ByteSource, mostBytes: number = constants.MAX_LENGTH): Promise<ThreadFile> {
    const budget = { left: mostBytes }
    const header = await source.read(0, Math.min(headerBytes, source.size))
    if (!header.subarray(0, magic.length).equals(magic))
      return ThreadFile.of(parse(await unpack(await source.read(0, source.size), mostBytes, budget)))
    const indexBytes = header.readUInt32LE(magic.length)
    const packed = await source.read(headerBytes, indexBytes)
    const index: ThreadIndex = parse(await unpack(packed, mostIndexBytes, budget))
    let [at, first] = [headerBytes + indexBytes, 0]
    const blocks = index.blocks.map(({ frames, bytes }): Block => {
      const part = partOf(source, at, bytes)
      const block = new Block(first, frames, async () => {
        const json = await unpack(await part.read(0, bytes), mostBlockBytes, budget)
        return parse(json)
      })
      at += bytes
      first += frames
      return block
    })
    return new ThreadFile(index, blocks)
  }

  /** A file of content that is in memory. */
  static of({ threads, images }: CrashContent): ThreadFile {
    const frames = threads.flatMap((thread) => thread.frames)
    const heads = threads.map(({ frames: own, ...thread }) => ({ ...thread, frameCount: own.length }))
    return new ThreadFile({ images, threads: heads }, [new Block(0, frames.length, async () => frames)])
  }

  private constructor({ images, threads }: Pick<ThreadIndex, 'images' | 'threads'>, blocks: readonly Block[]) {
    this.images = images
    this.threads = threads
    this.#blocks = blocks
    let start = 0
    this.#starts = threads.map(({ frameCount }) => {
      start += frameCount
      return start - frameCount
    })
  }

  /**
   * The frames of a thread from `from` up to and without `to`. Only their blocks are read.
   * @throws Error if the file is damaged
   */
  async frames(thread: number, from: number, to: number): Promise<readonly StoredFrame[]> {
    const start = this.#starts[thread]
    const head = this.threads[thread]
    if (start === undefined || head === undefined) throw new RangeError(`there is no thread ${thread}`)
    const [first, end] = [start + from, start + Math.min(to, head.frameCount)]
    const found: (readonly StoredFrame[])[] = []
    for (const block of this.#blocks)
      if (block.first < end && block.first + block.count > first) found.push(await block.read(first, end))
    return found.flat()
  }
}

/** Consecutive frames of the file. They are read once. */
class Block {
  /** The number of frames before it. */
  readonly first: number
  readonly count: number
  readonly #load: () => Promise<readonly StoredFrame[]>
  #frames: Promise<readonly StoredFrame[]> | undefined

  constructor(first: number, count: number, load: () => Promise<readonly StoredFrame[]>) {
    this.first = first
    this.count = count
    this.#load = load
  }

  /** Those of its frames that are from `from` up to and without `to` in the file. */
  async read(from: number, to: number): Promise<readonly StoredFrame[]> {
    this.#frames ??= this.#load()
    return (await this.#frames).slice(Math.max(0, from - this.first), to - this.first)
  }
}

async function unpack(packed: Uint8Array, mostBytes: number, budget: { left: number }): Promise<Buffer> {
  const json = await promisify(gunzip)(packed, { maxOutputLength: Math.max(1, Math.min(mostBytes, budget.left)) })
  budget.left -= json.length
  return json
}

function parse<T>(json: Buffer): T {
  return JSON.parse(json.toString()) as T
}
