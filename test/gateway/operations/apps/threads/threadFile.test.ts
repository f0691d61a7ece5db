/** The file with the threads of a crash report: it returns what was stored, and a page reads only its own part. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type ByteSource, sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { boundedThreadsOf, threadsOf } from '../../../../../gateway/operations/apps/threads/crashThreadType.ts'
import { encodeThreads } from '../../../../../gateway/operations/apps/threads/encodeThreads.ts'
import type { CrashContent } from '../../../../../gateway/operations/apps/threads/storedThreads.ts'
import { decodeThreads, ThreadFile } from '../../../../../gateway/operations/apps/threads/threadFile.ts'
import { toolFramesMax } from '../../../../../spec/apps/crashContent.ts'
import { newImageUuid } from '../../../../kit/program/objects/dsymZips.ts'

const uuid = newImageUuid()
const enough = 512 * 1024 * 1024

/** @param counts of the frames of each thread */
function contentOf(counts: readonly number[], crashed = 0, symbolLength = 100): CrashContent {
  return {
    threads: counts.map((count, thread) => ({
      name: `thread ${thread}`,
      ...(thread === crashed ? { crashed: true } : {}),
      frames: Array.from({ length: count }, (_, frame) => ({
        imageUuid: uuid,
        address: `0x${(thread * 10_000 + frame).toString(16)}`,
        symbol: `${thread}.${frame}`.padEnd(symbolLength, '…'),
      })),
    })),
    images: [{ uuid, name: 'Shop', arch: 'arm64' }],
  }
}

/** A source that counts the bytes that are read from it. */
function counted(bytes: Uint8Array): { readonly source: ByteSource; readonly read: () => number } {
  let count = 0
  const inner = sourceOf(bytes)
  const source: ByteSource = {
    size: inner.size,
    read: async (offset, length) => {
      count += length
      return await inner.read(offset, length)
    },
  }
  return { source, read: () => count }
}

describe('a file has the threads and images that were stored', () => {
  for (const [what, content] of [
    ['no thread', { threads: [], images: [] }],
    ['threads without frames', contentOf([0, 0, 0])],
    ['one frame', contentOf([1])],
    ['threads that share blocks, and threads of several blocks', contentOf([3, 900, 0, 1_000, 1, 450], 3)],
    ['frames of the largest size', contentOf([200], 0, 1_000)],
  ] as const)
    test(what, async () => {
      const file = await encodeThreads(content)
      assert.deepEqual(await decodeThreads(file, enough), content)
      const opened = await ThreadFile.open(sourceOf(file))
      for (const [number, { frames }] of content.threads.entries())
        for (const [from, to] of [
          [0, frames.length],
          [0, 1],
          [frames.length - 1, frames.length + 5],
          [250, 760],
        ] as const)
          assert.deepEqual(await opened.frames(number, Math.max(0, from), to), frames.slice(Math.max(0, from), to))
    })
})

test('the compressed JSON that earlier versions have stored is read too', async () => {
  const content = contentOf([2, 3])
  const stored = gzipSync(JSON.stringify(content))
  assert.deepEqual(await decodeThreads(stored, enough), content)
  const opened = await ThreadFile.open(sourceOf(stored))
  assert.deepEqual(await opened.frames(1, 1, 3), content.threads[1]?.frames.slice(1))
  assert.deepEqual(opened.images, content.images)
})

test('a page of a report with 300,000 frames reads only the index and its own blocks', async () => {
  const content = contentOf(Array.from({ length: 300 }, () => 1_000))
  const file = await encodeThreads(content)
  const { source, read } = counted(file)
  const threads = threadsOf(await ThreadFile.open(source))
  assert.deepEqual([threads.length, threads[7]?.frameCount, threads[7]?.name], [300, 1_000, 'thread 7'])
  const index = read()
  assert.ok(index < file.length / 50, `the index has ${index} of ${file.length} bytes`)
  const page = (await threads[7]?.frameList.read(500, 600)) ?? []
  assert.deepEqual([page[0]?.number, page.at(-1)?.number], [500, 599])
  assert.equal(page[0]?.symbol?.replaceAll('…', ''), '7.500')
  assert.ok(read() - index < file.length / 100, `a page reads ${read() - index} of ${file.length} bytes`)
})

test('a tool returns a bounded number of frames: those of the crashed thread, then the others in their order', async () => {
  const file = await ThreadFile.open(sourceOf(await encodeThreads(contentOf([900, 900, 900, 10], 3))))
  const threads = await boundedThreadsOf(file)
  assert.deepEqual(
    threads.map(({ number, crashed, frameCount, frames }) => [number, crashed, frameCount, frames.length]),
    [
      [0, false, 900, 900],
      [1, false, 900, 900],
      [2, false, 900, toolFramesMax - 1_810],
      [3, true, 10, 10],
    ],
  )
  assert.equal(threads[3]?.frames[9]?.symbol?.replaceAll('…', ''), '3.9')
})

describe('a file that is damaged or too large fails', () => {
  const content = contentOf([1_000, 1_000])
  for (const [what, damage, most] of [
    ['it is cut off', (file: Buffer) => file.subarray(0, -10), enough],
    ['it ends in its header', (file: Buffer) => file.subarray(0, 9), enough],
    [
      'a block has other bytes',
      (file: Buffer) => Buffer.from(file).fill(0x5a, file.length - 200, file.length - 100),
      enough,
    ],
    ['it has more JSON than is allowed', (file: Buffer) => file, 100_000],
    ['it is a file of another format', () => Buffer.from('{"threads":[],"images":[]}'), enough],
    ['it is empty', () => Buffer.alloc(0), enough],
  ] as const)
    test(what, async () => {
      await assert.rejects(decodeThreads(damage(await encodeThreads(content)), most))
    })
})
