/** A zip that is read in a thread: bounds on its time and its memory, and a storage that does not answer. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ZipProblem } from '../../../../gateway/operations/apps/dsymFiles/dsymZip.ts'
import {
  UnreadableSymbols,
  ZipReader,
  type ZipReaderBounds,
  ZipUnavailable,
} from '../../../../gateway/operations/apps/indexing/zipReader.ts'
import type { Blobs } from '../../../../storage/ports/blobs.ts'
import {
  newImageUuid,
  smallMachO,
  smallMachOBytes,
  storedZip,
  zipOfDsyms,
} from '../../../kit/program/objects/dsymZips.ts'
import { MemoryBlobs } from '../../../kit/runtime/memory/blobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'zip-reader-'))
after(() => rmSync(folder, { recursive: true }))

const bounds: ZipReaderBounds = { files: 100_000, bundles: 500, bytes: 1024 ** 3, heapMb: 64, silentMs: 5_000 }
const shop = { name: 'Shop.app', bundleIdentifier: 'org.example.shop' }
const symbols = 'Shop.app.dSYM/Contents/Resources/DWARF/Shop'

async function withZip<T>(
  bytes: Buffer,
  use: (zip: ZipReader) => Promise<T>,
  own: Partial<ZipReaderBounds> = {},
  wrap: (blobs: MemoryBlobs) => Pick<Blobs, 'read'> = (blobs) => blobs,
): Promise<T> {
  const blobs = new MemoryBlobs()
  await blobs.append('zip', 0, bytes)
  const zip = new ZipReader({ name: 'zip', size: bytes.length }, wrap(blobs), { ...bounds, ...own })
  try {
    return await use(zip)
  } finally {
    await zip.close()
  }
}

test('the dSYMs are listed with the facts of their Info.plist, and a file is unpacked under another name', async () => {
  const uuid = newImageUuid()
  await withZip(zipOfDsyms([{ ...shop, uuid }]), async (zip) => {
    const facts = { bundleIdentifier: 'org.example.shop', version: '1.2', build: '34' }
    assert.deepEqual(await zip.list(), {
      bundles: [{ path: 'Shop.app.dSYM', facts, symbols: [{ path: symbols, size: smallMachOBytes }] }],
      links: [],
    })
    const to = join(folder, 'one')
    const [slice, ...others] = await zip.extract(symbols, to)
    assert.partialDeepStrictEqual(slice, { arch: 'arm64', uuid, range: { offset: 0, size: smallMachOBytes } })
    assert.deepEqual(others, [])
    assert.ok(existsSync(to))
  })
})

test('a file that is not a Mach-O file is reported as unreadable, and the next one is read', async () => {
  const other = 'Shop.app.dSYM/Contents/Resources/DWARF/Text'
  const bytes = storedZip([
    [other, Buffer.from('text')],
    [symbols, smallMachO(newImageUuid())],
  ])
  await withZip(bytes, async (zip) => {
    await zip.list()
    await assert.rejects(zip.extract(other, join(folder, 'two')), UnreadableSymbols)
    assert.equal((await zip.extract(symbols, join(folder, 'three'))).length, 1)
  })
})

test('a list of files that is beyond the end of the zip is refused', async () => {
  const end = zipOfDsyms([shop]).subarray(-22)
  await withZip(end, (zip) => assert.rejects(zip.list(), { name: 'ZipProblem', message: /are not within 22 bytes$/ }))
  // The name of the first file has more bytes than follow it.
  const bytes = zipOfDsyms([shop])
  bytes.writeUInt16LE(0xffff, bytes.indexOf('PK\u0001\u0002') + 28)
  await withZip(bytes, (zip) => assert.rejects(zip.list(), { name: 'ZipProblem', message: /are not within/ }))
})

test('a file that exists is not overwritten', async () => {
  await withZip(zipOfDsyms([shop]), async (zip) => {
    await zip.list()
    await zip.extract(symbols, join(folder, 'four'))
    await assert.rejects(zip.extract(symbols, join(folder, 'four')), /EEXIST/)
  })
})

test('a storage that fails or has fewer bytes is not reported as damage of the zip', async () => {
  const failing: Pick<Blobs, 'read'> = {
    // biome-ignore lint/correctness/useYield: It fails before the first byte.
    async *read() {
      throw new Error('the storage is unavailable')
    },
  }
  await withZip(
    zipOfDsyms([shop]),
    (zip) => assert.rejects(zip.list(), ZipUnavailable),
    {},
    () => failing,
  )
  const short: Pick<Blobs, 'read'> = {
    async *read(_, from, to) {
      yield new Uint8Array(Math.max(0, to - from - 1))
    },
  }
  await withZip(
    zipOfDsyms([shop]),
    (zip) => assert.rejects(zip.list(), ZipUnavailable),
    {},
    () => short,
  )
})

test('a storage that does not respond in time is not reported as damage of the zip', async () => {
  const silent: Pick<Blobs, 'read'> = {
    async *read() {
      await new Promise(() => {})
    },
  }
  await withZip(
    zipOfDsyms([shop]),
    (zip) => assert.rejects(zip.list(), ZipUnavailable),
    { silentMs: 500 },
    () => silent,
  )
})

test('a list of files that needs more memory than a thread may have is refused, and the process continues', async () => {
  const many = Array.from({ length: 60_000 }, (_, n): [string, Buffer] => [`${'x'.repeat(2_000)}${n}`, Buffer.alloc(0)])
  const bytes = storedZip(many)
  await withZip(bytes, (zip) => assert.rejects(zip.list(), ZipProblem), { heapMb: 16 })
})
