/** The threads of crash reports in the storage: what a reader gets if their file is lost, or replaced while it is read. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { CrashThreads } from '../../../../../gateway/operations/apps/threads/crashThreads.ts'
import { encodeThreads } from '../../../../../gateway/operations/apps/threads/encodeThreads.ts'
import { crashSymbolBlob, crashThreadBlob } from '../../../../../spec/apps/crashReports.ts'
import { MemoryBlobs } from '../../../../kit/runtime/memory/blobs.ts'

const crashId = 'crs_1'

function storage() {
  const blobs = new MemoryBlobs()
  const lost: unknown[] = []
  const threads = new CrashThreads({
    blobs,
    room: { requireForPiece: async () => {} },
    contents: { read: async function* () {} },
    log: { error: (facts: unknown) => void lost.push(facts) },
  })
  return { blobs, lost, threads }
}

/** Names that do not compress, so that the file is read in parts. */
const fileOf = (frames: number) =>
  encodeThreads({
    threads: [
      {
        crashed: true,
        frames: Array.from({ length: frames }, (_, n) => ({
          address: `0x${n.toString(16)}`,
          symbol: randomBytes(400).toString('base64'),
        })),
      },
    ],
    images: [],
  })

test('lost threads are an empty list, and each read of them is logged', async () => {
  const { blobs, lost, threads } = storage()
  await threads.keep(crashId, await fileOf(1))
  assert.equal((await threads.open(crashId, null)).threads.length, 1)
  assert.deepEqual(lost, [])
  await blobs.remove(crashThreadBlob(crashId))
  assert.deepEqual((await threads.open(crashId, 's1')).threads, [])
  assert.deepEqual(lost, [{ crashId, symbolication: 's1' }])
})

test('without the file of its symbolication, a report has the threads that were sent', async () => {
  const { blobs, lost, threads } = storage()
  await threads.keep(crashId, await fileOf(1))
  await threads.keepSymbolicated(crashId, 's1', await fileOf(2))
  assert.equal((await threads.open(crashId, 's1')).threads[0]?.frameCount, 2)
  await blobs.remove(crashSymbolBlob(crashId, 's1'))
  assert.equal((await threads.open(crashId, 's1')).threads[0]?.frameCount, 1)
  assert.deepEqual(lost, [])
})

test('a reader whose file is replaced by the next symbolication gets UNAVAILABLE with a time to retry', async () => {
  const { blobs, threads } = storage()
  await threads.keep(crashId, await fileOf(1))
  await threads.keepSymbolicated(crashId, 's1', await fileOf(1_000))
  const file = await threads.open(crashId, 's1')
  assert.equal((await file.frames(0, 0, 10)).length, 10)
  await blobs.remove(crashSymbolBlob(crashId, 's1'))
  await assert.rejects(file.frames(0, 900, 910), { code: 'UNAVAILABLE', retryAfterMs: 1_000 })
})
