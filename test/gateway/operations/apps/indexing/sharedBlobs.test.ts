/** Uploads that share a slice store its symbols and its table once, and do not disturb each other. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { storeSymbols, symbolBlob } from '../../../../../gateway/operations/apps/indexing/symbolBlobs.ts'
import { storeTable } from '../../../../../gateway/operations/apps/indexing/symbolTables.ts'
import { MemoryBlobs } from '../../../../kit/runtime/memory/blobs.ts'

const size = 9 * 1024 * 1024
const symbols = { uuid: '0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0', arch: 'arm64', size }
const name = symbolBlob(symbols)
let folder: string
let file: { readonly path: string; readonly offset: number }

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sb-shared-'))
  file = { path: join(folder, 'symbols'), offset: 0 }
  await writeFile(file.path, new Uint8Array(size).fill(7))
})
after(() => rm(folder, { recursive: true, force: true }))

test('two uploads that store the same symbols at the same time both succeed', async () => {
  const blobs = new MemoryBlobs()
  await Promise.all([1, 2, 3].map(() => storeSymbols(symbols, file, blobs)))
  assert.equal(await blobs.size(name), size)
})

test('symbols that another process writes are left alone, and asked for again later', async () => {
  const blobs = new MemoryBlobs()
  await blobs.append(name, 0, new Uint8Array(10))
  const storing = storeSymbols(symbols, file, blobs)
  await blobs.append(name, 10, new Uint8Array(10))
  await assert.rejects(storing, { code: 'UNAVAILABLE' })
  assert.equal(await blobs.size(name), 20)
  // The other process has ended.
  await storeSymbols(symbols, file, blobs)
  assert.equal(await blobs.size(name), size)
})

test('an append that meets another process is tried again later, and does not count as a failure', async () => {
  const blobs = new MemoryBlobs()
  const append = blobs.append.bind(blobs)
  let appends = 0
  blobs.append = async (...given) => {
    if (++appends === 2) await blobs.truncate(name, 0)
    return await append(...given)
  }
  await assert.rejects(storeSymbols(symbols, file, blobs), { code: 'UNAVAILABLE' })
})

test('two uploads that write one table at the same time both succeed', async () => {
  const blobs = new MemoryBlobs()
  let writes = 0
  const store = {
    blobs,
    room: { requireForPiece: async () => {} },
    tables: {
      write: async (_source: unknown, _slice: unknown, take: (piece: Uint8Array) => Promise<void>) => {
        writes++
        for (const _ of [1, 2]) await take(new Uint8Array(10))
        return { units: 1, segments: 1 }
      },
    },
  }
  const slice = { textAddress: 1n }
  const both = [1, 2].map(() => storeTable(symbols, slice as never, sourceOf(Buffer.alloc(1)), store as never))
  for (const { status } of await Promise.allSettled(both)) assert.equal(status, 'fulfilled')
  assert.equal(writes, 2, 'the content is no table, so it is written again')
})
