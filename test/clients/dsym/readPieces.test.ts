/** A part of a file that is read while it is sent. */
import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readPieces } from '../../../clients/dsym/send/readPieces.ts'
import { pseudoRandom, temporaryFolder } from './kit/bundles.ts'

const bytes = pseudoRandom(1_300_000, 1)

async function openFile(t: TestContext) {
  const path = join(temporaryFolder(t), 'dSYMs.zip')
  writeFileSync(path, bytes)
  const handle = await open(path, 'r')
  t.after(() => handle.close())
  return { path, handle }
}

test('the pieces of a part are its bytes, also if the last one is short', async (t) => {
  const file = await openFile(t)
  for (const [offset, size] of [
    [0, bytes.length],
    [0, 0],
    [7, 1],
    [100, 512 * 1024],
    [bytes.length - 600_000, 600_000],
  ] as const) {
    const pieces: Buffer[] = []
    for await (const piece of readPieces({ ...file, offset, size })) pieces.push(Buffer.from(piece))
    assert.ok(Buffer.concat(pieces).equals(bytes.subarray(offset, offset + size)), `${size} bytes from ${offset}`)
  }
})

test('a file that has become shorter fails at the piece that is missing', async (t) => {
  const file = await openFile(t)
  truncateSync(file.path, 600_000)
  let read = 0
  await assert.rejects(async () => {
    for await (const piece of readPieces({ ...file, offset: 0, size: bytes.length })) read += piece.length
  }, /has become shorter while it was sent/)
  assert.equal(read, 600_000)
})

test('a part that is not read to its end leaves no error behind', async (t) => {
  const file = await openFile(t)
  truncateSync(file.path, 512 * 1024)
  for await (const piece of readPieces({ ...file, offset: 0, size: bytes.length })) {
    assert.equal(piece.length, 512 * 1024)
    break
  }
})

test('a file that cannot be read fails with its name and the reason', async (t) => {
  const { path, handle } = await openFile(t)
  await handle.close()
  await assert.rejects(readPieces({ path, handle, offset: 0, size: 10 }).next(), /dSYMs\.zip cannot be read \(EBADF\)/)
})
