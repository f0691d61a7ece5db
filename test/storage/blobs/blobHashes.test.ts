/** Checksums of blobs that grow, are cut off, and are read again after a restart. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { FileBlobs } from '../../../storage/blobs/blobs.ts'
import { ThreadedBlobHashes } from '../../../storage/blobs/hashing/threadedBlobHashes.ts'
import type { Blobs } from '../../../storage/ports/blobs.ts'
import { MemoryBlobs } from '../../kit/runtime/memory/blobs.ts'

const MiB = 1024 * 1024
const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const kinds: Readonly<Record<string, () => Promise<Blobs>>> = {
  memory: async () => new MemoryBlobs(),
  files: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sb-hashes-'))
    folders.push(folder)
    return new FileBlobs(folder)
  },
}

for (const [name, open] of Object.entries(kinds))
  describe(`${name}: the checksum`, () => {
    test('follows a growing blob, and another process computes it from the stored bytes', async (t) => {
      const blobs = await open()
      const [hashes, other] = [new ThreadedBlobHashes(blobs), new ThreadedBlobHashes(blobs)]
      t.after(() => Promise.all([hashes.close(), other.close()]))
      const bytes = randomBytes(40 * MiB)
      hashes.begin('a', 0)
      const followed: Promise<void>[] = []
      for (let from = 0; from < bytes.length; from += 8 * MiB) {
        const piece = blobs.memory.take(8 * MiB)
        piece.set(bytes.subarray(from, from + 8 * MiB))
        await blobs.append('a', from, piece)
        followed.push(hashes.follow('a', from, piece).then(() => void piece.fill(0)))
      }
      await Promise.all(followed)
      assert.equal(await hashes.digest('a', bytes.length), sumOf(bytes))
      assert.equal(hashes.covered('a'), bytes.length)
      const both = await Promise.all([other.digest('a', bytes.length), other.digest('a', bytes.length)])
      assert.deepEqual(both, [sumOf(bytes), sumOf(bytes)])
      assert.equal(await hashes.digest('a', bytes.length), sumOf(bytes), 'a repeat')
    })

    test('of a blob that was cut off is that of its new bytes', async (t) => {
      const blobs = await open()
      const hashes = new ThreadedBlobHashes(blobs)
      t.after(() => hashes.close())
      const [first, second] = [randomBytes(MiB), randomBytes(MiB)]
      await blobs.append('a', 0, first)
      hashes.begin('a', 0)
      await hashes.follow('a', 0, first)
      await hashes.digest('a', MiB)
      await blobs.truncate('a', 10)
      hashes.begin('a', 10)
      await blobs.append('a', 10, second)
      await hashes.follow('a', 10, second)
      assert.equal(await hashes.digest('a', MiB + 10), sumOf(Buffer.concat([first.subarray(0, 10), second])))
    })

    test('is right for pieces that follow while former bytes are still read', async (t) => {
      const blobs = await open()
      const hashes = new ThreadedBlobHashes(blobs)
      t.after(() => hashes.close())
      const former = randomBytes(20 * MiB)
      const pieces = [randomBytes(4 * MiB), randomBytes(3), randomBytes(4 * MiB)]
      await blobs.append('a', 0, former)
      hashes.begin('a', former.length)
      let at = former.length
      for (const piece of pieces) {
        await blobs.append('a', at, piece)
        await hashes.follow('a', at, piece)
        at += piece.length
      }
      assert.equal(await hashes.digest('a', at), sumOf(Buffer.concat([former, ...pieces])))
    })

    test('can be computed of no bytes, and of a part of a blob', async (t) => {
      const blobs = await open()
      const hashes = new ThreadedBlobHashes(blobs)
      t.after(() => hashes.close())
      assert.equal(await hashes.digest('none', 0), sumOf(new Uint8Array()))
      await blobs.append('a', 0, Buffer.from('hello world'))
      assert.equal(await hashes.digest('a', 5), sumOf(Buffer.from('hello')))
    })

    test('of missing bytes fails, and is right once they are stored', async (t) => {
      const blobs = await open()
      const hashes = new ThreadedBlobHashes(blobs)
      t.after(() => hashes.close())
      await assert.rejects(hashes.digest('a', 5))
      await blobs.append('a', 0, Buffer.from('hel'))
      await assert.rejects(hashes.digest('a', 5), /ends at 3|5 bytes/)
      await blobs.append('a', 3, Buffer.from('lo'))
      assert.equal(await hashes.digest('a', 5), sumOf(Buffer.from('hello')))
    })
  })

test('the main thread answers while a large blob is hashed', async (t) => {
  const blobs = await kinds.files?.()
  assert.ok(blobs)
  const hashes = new ThreadedBlobHashes(blobs)
  t.after(() => hashes.close())
  const piece = randomBytes(32 * MiB)
  for (let n = 0; n < 8; n++) await blobs.append('a', n * piece.length, piece)
  let longest = 0
  let last = performance.now()
  const ticks = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await hashes.digest('a', 8 * piece.length)
  clearInterval(ticks)
  assert.ok(longest < 150, `the main thread was blocked for ${longest} ms`)
})
