/** The symbols of a dSYM are there when its indexing ends. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { readMachO } from '../../../../../gateway/operations/apps/dsymFiles/readMachO.ts'
import { indexBundle } from '../../../../../gateway/operations/apps/indexing/indexBundle.ts'
import { symbolBlob } from '../../../../../gateway/operations/apps/indexing/symbolBlobs.ts'
import { SymbolTableWriter } from '../../../../../gateway/operations/apps/symbols/symbolTableWriter.ts'
import { newImageUuid, smallMachO } from '../../../../kit/program/objects/dsymZips.ts'
import { MemoryBlobs } from '../../../../kit/runtime/memory/blobs.ts'

let folder: string
const tables = new SymbolTableWriter()
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sb-index-'))
})
after(async () => {
  tables.close()
  await rm(folder, { recursive: true, force: true })
})

test('symbols that the sweep removes during the indexing are stored by its next attempt', async () => {
  const blobs = new MemoryBlobs()
  const uuid = newImageUuid()
  const file = smallMachO(uuid)
  const name = symbolBlob({ uuid, arch: 'arm64', size: file.length })
  await blobs.append(name, 0, file)
  const bundle = { path: 'Shop.app.dSYM', facts: undefined, symbols: [{ path: 'Shop', size: file.length }] }
  const zip = {
    extract: async (_: string, to: string) => {
      await writeFile(to, file)
      return await readMachO(sourceOf(file))
    },
  }
  let isSwept = false
  const index = {
    blobs,
    tables,
    folder,
    room: { requireForPiece: async () => {} },
    views: { findByKey: async () => undefined, get: async () => undefined },
    ids: { next: () => 'dsy_1' },
    clock: { now: () => 0 },
    system: {
      ask: async () => {
        if (!isSwept) await blobs.remove(name)
        isSwept = true
        return { row: { id: 'dsy_1' } }
      },
    },
  }
  const attempt = () => indexBundle(bundle, [bundle], 'usr_1', zip, index as never)
  await assert.rejects(attempt, { code: 'UNAVAILABLE' })
  assert.equal((await attempt()).dsymId, 'dsy_1')
  assert.equal(await blobs.size(name), file.length)
})
