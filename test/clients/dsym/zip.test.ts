/** Zips are the same bytes for the same bundles, and stock programs read them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import zlib from 'node:zlib'
import { crc32, tableCrc32 } from '../../../clients/dsym/zip/crc32.ts'
import { blockBytes, deflateBlock } from '../../../clients/dsym/zip/deflateBlock.ts'
import { type PlannedZip, planZips } from '../../../clients/dsym/zip/planZips.ts'
import { mostZipBytes, requireSpace } from '../../../clients/dsym/zip/temporaryFolder.ts'
import { centralHeader, endRecords, localHeader } from '../../../clients/dsym/zip/zipRecords.ts'
import { makeBundle, pseudoRandom, put, temporaryFolder } from './kit/bundles.ts'
import { goldenSha256, makeSamples } from './kit/samples.ts'
import { planBundles, readWithPython, zipInto } from './kit/zips.ts'

const dwarf = 'Contents/Resources/DWARF'
const sampleEntries = [
  ['App.dSYM/Contents/Info.plist', 24],
  [`App.dSYM/${dwarf}/App`, 2 * blockBytes + 12_345],
  [`App.dSYM/${dwarf}/Empty`, 0],
  ['Größe.framework.dSYM/Contents/Info.plist', 38],
  [`Größe.framework.dSYM/${dwarf}/Größe`, 70_000],
  [`2/App.dSYM/${dwarf}/App`, 100],
]

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

async function zipOf(paths: readonly string[], folder: string, threads?: number): Promise<string> {
  const [plan] = await planBundles(paths)
  assert.ok(plan)
  return zipInto(folder, plan, threads)
}

test('the zip of the same bundles has the same bytes, whatever the time, the folder, the threads and the order on the disk', async (t) => {
  const [first, second] = [temporaryFolder(t), temporaryFolder(t)]
  assert.equal(sha256(await zipOf(makeSamples(first), first, 1)), goldenSha256)
  const paths = makeSamples(second)
  // Written again, the first file of a folder is its last one on many file systems.
  const file = join(paths[0] ?? '', dwarf, 'App')
  copyFileSync(file, join(second, 'copy'))
  renameSync(join(second, 'copy'), file)
  utimesSync(file, 1, 1)
  assert.equal(sha256(await zipOf(paths, second, 3)), goldenSha256)
})

test('unzip, zipinfo and Python accept the zip', async (t) => {
  const folder = temporaryFolder(t)
  const zip = await zipOf(makeSamples(folder), folder)
  assert.match(execFileSync('unzip', ['-t', zip], { encoding: 'utf8' }), /No errors detected/)
  const info = execFileSync('zipinfo', ['-v', zip], { encoding: 'utf8' })
  assert.equal(info.match(/Unix file attributes \(100644 octal\): +-rw-r--r--/g)?.length, sampleEntries.length)
  assert.equal(info.match(/1980 Jan 1 00:00:00/g)?.length, sampleEntries.length)
  assert.doesNotMatch(info, /warning|error/i)
  assert.deepEqual(readWithPython(zip), sampleEntries)
  const extracted = execFileSync('unzip', ['-p', zip, `App.dSYM/${dwarf}/App`], { maxBuffer: 2 ** 25 })
  assert.ok(extracted.equals(pseudoRandom(2 * blockBytes + 12_345, 3)))
})

test('the header before the bytes of a file has its checksum and sizes, so that streams can be read', async (t) => {
  const folder = temporaryFolder(t)
  const bytes = readFileSync(
    await zipOf([makeBundle(folder, 'A.dSYM', { files: { A: 100 }, hasPlist: false })], folder),
  )
  assert.equal(bytes.readUInt32LE(0), 0x04034b50)
  assert.equal(bytes.readUInt16LE(6) & 8, 0)
  assert.equal(bytes.readUInt32LE(14), zlib.crc32(pseudoRandom(100, 1)))
  assert.equal(bytes.readUInt32LE(22), 100)
})

test('blocks of any length join to one stream, which zlib decompresses to the same bytes', () => {
  const lengths = [0, 1, 2, 5, 100, 65_535, 65_536, 300_000]
  const sources = [pseudoRandom(300_000, 7), Buffer.alloc(300_000), Buffer.from('dSYM'.repeat(75_000))]
  for (const source of sources)
    for (const length of lengths) {
      const pieces = [source.subarray(0, length), source.subarray(3, length), source.subarray(0, length)]
      const blocks = pieces.map((piece, index) => deflateBlock(piece, index === pieces.length - 1))
      assert.ok(zlib.inflateRawSync(Buffer.concat(blocks)).equals(Buffer.concat(pieces)), String(length))
    }
})

test('both checksums are those of zlib', () => {
  const bytes = pseudoRandom(10_000, 3)
  for (const compute of [crc32, tableCrc32])
    assert.equal(compute(bytes.subarray(500), compute(bytes.subarray(0, 500), 0)), zlib.crc32(bytes))
})

test('a zip has at most 500 bundles and 19 GiB, and a larger bundle has a zip of its own', () => {
  const gib = 1024 ** 3
  const bundle = (name: string, size: number) => ({
    path: `/x/${name}.dSYM`,
    files: [{ name: `${dwarf}/${name}`, path: `/x/${name}`, size }],
  })
  const shape = (plans: readonly PlannedZip[]) => plans.map(({ filename, bundles }) => [filename, bundles])
  const many = Array.from({ length: 1_001 }, (_, index) => bundle(`B${index}`, 1))
  assert.deepEqual(shape(planZips(many)), [
    ['dSYMs.zip', 500],
    ['dSYMs-2.zip', 500],
    ['dSYMs-3.zip', 1],
  ])
  const sizes = [10 * gib, 9 * gib, 1, 30 * gib, 1]
  assert.deepEqual(shape(planZips(sizes.map((size, index) => bundle(`L${index}`, size)))), [
    ['dSYMs.zip', 2],
    ['dSYMs-2.zip', 1],
    ['dSYMs-3.zip', 1],
    ['dSYMs-4.zip', 1],
  ])
})

test('the names of bundles in a zip are distinct, and have no backslash or line break', () => {
  const files = [{ name: 'x', path: '/x', size: 1 }]
  const plans = planZips(
    ['/a/App.dSYM', '/b/App.dsym', '/c/App.dSYM', '/d/O\\dd\n.dSYM'].map((path) => ({ path, files })),
  )
  assert.deepEqual(
    plans[0]?.files.map(({ zippedName }) => zippedName),
    ['App.dSYM/x', '2/App.dSYM/x', '3/App.dSYM/x', 'O_dd_.dSYM/x'],
  )
})

test('a file that changes while it is zipped fails', async (t) => {
  const folder = temporaryFolder(t)
  const bundle = makeBundle(folder, 'App.dSYM', { files: { App: 1_000 } })
  const [plan] = await planBundles([bundle])
  assert.ok(plan)
  for (const size of [999, 1_001]) {
    put(join(bundle, dwarf, 'App'), pseudoRandom(size, 1))
    await assert.rejects(zipInto(temporaryFolder(t), plan), /has changed while it was read/)
  }
})

test('the space for a zip is checked, and is never less than the zip needs', async (t) => {
  const folder = temporaryFolder(t)
  const [plan] = await planBundles(makeSamples(folder))
  assert.ok(plan)
  await requireSpace(folder, plan)
  const zip = readFileSync(await zipInto(folder, plan))
  assert.ok(mostZipBytes(plan) >= zip.length, `${mostZipBytes(plan)} and ${zip.length}`)
  await assert.rejects(
    requireSpace(folder, { ...plan, size: 2 ** 52 }),
    /dSYMs\.zip needs up to 4\d{3}\.\d TiB, and .* free\. Free space there, or choose .* --temp-dir/,
  )
})

test('stock programs read the zip64 records of a file behind 4 GiB, and of 70,000 files', (t) => {
  const path = join(temporaryFolder(t), 'sparse.zip')
  const content = Buffer.from('dSYM')
  const compressed = deflateBlock(content, true)
  const entry = {
    name: 'far',
    size: 4,
    compressedSize: compressed.length,
    crc: zlib.crc32(content),
    offset: 2 ** 32 + 7,
  }
  const count = 70_000
  const parts = [localHeader(entry), compressed]
  const offset = entry.offset + Buffer.concat(parts).length
  // All names lead to the same bytes.
  const directory = Buffer.concat(
    Array.from({ length: count }, (_, index) => centralHeader({ ...entry, name: `far${index}` })),
  )
  const file = openSync(path, 'w')
  truncateSync(path, entry.offset)
  writeSync(
    file,
    Buffer.concat([...parts, directory, endRecords({ entries: count, offset, size: directory.length })]),
    0,
    null,
    entry.offset,
  )
  closeSync(file)
  const program = [
    'import sys, zipfile',
    'z = zipfile.ZipFile(sys.argv[1])',
    'print(len(z.infolist()), z.infolist()[-1].header_offset, z.infolist()[-1].file_size)',
  ].join('\n')
  const read = execFileSync('python3', ['-c', program, path], { encoding: 'utf8' })
  assert.equal(read.trim(), `${count} ${entry.offset} 4`)
  assert.match(execFileSync('zipinfo', ['-h', path], { encoding: 'utf8' }), new RegExp(`number of entries: ${count}`))
})
