/** Writes the threads of a crash report as a file. See `threadFormat.ts`. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { CrashContent } from './storedThreads.ts'
import { magic, type ThreadHead, type ThreadIndex } from './threadFormat.ts'

/** Bytes of JSON after which a block ends. */
const blockBytes = 64 * 1024

// Level 1 is the fastest.
const compress = async (json: string): Promise<Buffer> => await promisify(gzip)(json, { level: 1 })

export async function encodeThreads({ threads, images }: CrashContent): Promise<Buffer> {
  const packed: Buffer[] = []
  const blocks: { frames: number; bytes: number }[] = []
  let texts: string[] = []
  let size = 0
  const endBlock = async (): Promise<void> => {
    const block = await compress(`[${texts.join()}]`)
    packed.push(block)
    blocks.push({ frames: texts.length, bytes: block.length })
    texts = []
    size = 0
  }
  for (const { frames } of threads)
    for (const frame of frames) {
      const text = JSON.stringify(frame)
      texts.push(text)
      size += Buffer.byteLength(text)
      if (size >= blockBytes) await endBlock()
    }
  if (texts.length > 0) await endBlock()
  const heads = threads.map(({ frames, ...thread }): ThreadHead => ({ ...thread, frameCount: frames.length }))
  const index = await compress(JSON.stringify({ images, threads: heads, blocks } satisfies ThreadIndex))
  const indexSize = Buffer.alloc(4)
  indexSize.writeUInt32LE(index.length)
  return Buffer.concat([magic, indexSize, index, ...packed])
}
