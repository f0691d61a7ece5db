/** Tables that are written in threads: the bounds on memory and time, and errors on the way. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { SymbolsDamaged, SymbolsTooLarge } from '../../../../../gateway/operations/apps/symbols/symbolProblems.ts'
import { SymbolTable } from '../../../../../gateway/operations/apps/symbols/symbolTable.ts'
import { SymbolTableWriter } from '../../../../../gateway/operations/apps/symbols/symbolTableWriter.ts'
import { pageBytes } from '../../../../../gateway/operations/apps/symbols/tableFormat.ts'
import {
  buildDamageSamples,
  buildManyFunctions,
  encodeSlice,
  type OpenSlice,
  openSlices,
  repeatUnits,
} from './symbolFixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'symbol-writer-'))
const writer = new SymbolTableWriter()
after(() => {
  writer.close()
  rmSync(folder, { recursive: true })
})

const [sample] = await openSlices(readFileSync(buildDamageSamples(folder)[0]?.path ?? ''))
const [many] = await openSlices(readFileSync(buildManyFunctions(join(folder, 'many'), 2_000).path))
assert.ok(sample && many)

async function write({ source, machO }: OpenSlice, by = writer): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await by.write(source, machO, async (piece) => void pieces.push(piece))
  return Buffer.concat(pieces)
}

test('a thread writes one table after the other, each time with the same bytes', async () => {
  const expected = [await encodeSlice(sample), await encodeSlice(many)]
  assert.ok((expected[1]?.length ?? 0) > 20 * pageBytes)
  for (let round = 0; round < 3; round++)
    assert.deepEqual(await Promise.all([write(sample), write(many)]), expected, `round ${round}`)
})

test('a look-up in a table reads only a few pages of its source', async () => {
  const bytes = await write(many)
  const whole = sourceOf(bytes)
  let pages = 0
  const table = await SymbolTable.open({
    size: whole.size,
    read: async (offset, length) => {
      pages += length / pageBytes
      return await whole.read(offset, length)
    },
  })
  const [section] = many.machO.codeSections
  const [frame] = await table.lookUp((section?.address ?? 0n) + (section?.size ?? 0n) / 2n)
  assert.match(frame?.function ?? '', /^(function|part)\d+$/)
  assert.ok(pages > 3 && pages < 16, `${pages} pages of ${bytes.length / pageBytes}`)
})

test('a slice without symbols has a table in which no address is found', async () => {
  const machO = { ...sample.machO, dwarf: new Map(), symbols: null }
  const bytes = await write({ machO, source: sample.source })
  const table = await SymbolTable.open(sourceOf(bytes))
  assert.deepEqual(table.statistics, { units: 0, damagedUnits: 0, segments: 0 })
  for (const { address } of sample.machO.codeSections) assert.deepEqual(await table.lookUp(address), [])
})

test('a slice that needs more memory than the limit is refused, and the next one is written', async () => {
  const small = new SymbolTableWriter({ mostMemory: 4 * 1024 ** 2 })
  try {
    await assert.rejects(write(many, small), new SymbolsTooLarge('need more than 4 MiB of memory'))
    assert.deepEqual(await write(sample, small), await encodeSlice(sample))
  } finally {
    small.close()
  }
})

test('sections with more bytes than the memory limit are refused before they are read', async () => {
  const size = 3 * 1024 ** 3
  const source = { size, read: async () => assert.fail('it is read') }
  const machO = { ...sample.machO, symbols: null, dwarf: new Map([['__debug_info', { offset: 0, size }]]) }
  await assert.rejects(write({ source, machO }), new SymbolsTooLarge('need more than 3072 MiB of memory'))
})

test('a slice that needs more time than the limit is refused, and its thread ends', async () => {
  // Some seconds of reading DWARF, which no message can interrupt.
  const long = repeatUnits(many, 64 * 1024 ** 2)
  const impatient = new SymbolTableWriter({ withinMs: 500 })
  try {
    const began = performance.now()
    await assert.rejects(write(long, impatient), new SymbolsTooLarge('need more than 0.5 s for one part'))
    const cpuAtEnd = process.cpuUsage()
    assert.ok(performance.now() - began < 5_000)
    await sleep(500)
    const { user } = process.cpuUsage(cpuAtEnd)
    assert.ok(user < 300_000, `${user} µs of processor time after the end`)
    assert.deepEqual(await write(sample, impatient), await encodeSlice(sample))
  } finally {
    impatient.close()
  }
})

test('an error of the source, or of the receiver, ends the writing, and the next slice is written', async () => {
  const broken = { size: sample.source.size, read: async () => Promise.reject(new Error('the disk is gone')) }
  await assert.rejects(write({ machO: sample.machO, source: broken }), /^Error: the disk is gone$/)
  const refuse = async () => Promise.reject(new Error('the disk is full'))
  await assert.rejects(writer.write(sample.source, sample.machO, refuse), /^Error: the disk is full$/)
  assert.deepEqual(await write(sample), await encodeSlice(sample))
})

test('a slice whose sections are not in the file is refused', async () => {
  const cut = sourceOf((await sample.source.read(0, sample.source.size)).subarray(0, 4_096))
  await assert.rejects(write({ machO: sample.machO, source: cut }), (error) => {
    assert.ok(error instanceof SymbolsDamaged)
    assert.match(error.message, /^are cut off: \d+ bytes at \d+ are not within 4096 bytes$/)
    return true
  })
})

test('the receiver gets one piece at a time, and the writer waits for it', async () => {
  let [open, pieces] = [0, 0]
  await writer.write(many.source, many.machO, async () => {
    open++
    pieces++
    await sleep(2)
    assert.equal(open, 1)
    open--
  })
  assert.ok(pieces > 3, String(pieces))
})
