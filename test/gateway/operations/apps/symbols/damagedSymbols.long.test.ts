/** Slices and tables that are cut off, or have changed bytes: each is read, or is refused by name, within its bounds. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { checksumOf } from '../../../../../gateway/operations/apps/symbols/pageWriter.ts'
import { SymbolsDamaged, SymbolTableDamaged } from '../../../../../gateway/operations/apps/symbols/symbolProblems.ts'
import { SymbolTable } from '../../../../../gateway/operations/apps/symbols/symbolTable.ts'
import { SymbolTableWriter } from '../../../../../gateway/operations/apps/symbols/symbolTableWriter.ts'
import { mostFrames, pageBytes, pageContentBytes } from '../../../../../gateway/operations/apps/symbols/tableFormat.ts'
import { Random } from '../../../../longRuns/soak/random.ts'
import { buildDamageSamples, codeAddresses, encodeSlice, type OpenSlice, openSlices } from './symbolFixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'damaged-symbols-'))
// A slice that takes longer hangs: whole ones take some milliseconds.
const writer = new SymbolTableWriter({ mostMemory: 64 * 1024 ** 2, withinMs: 10_000 })
after(() => {
  writer.close()
  rmSync(folder, { recursive: true })
})

const samples = buildDamageSamples(folder).map(({ path }) => readFileSync(path))

async function openThin(bytes: Buffer): Promise<OpenSlice> {
  const [slice] = await openSlices(bytes)
  assert.ok(slice)
  return slice
}

/** The slice with other bytes. Its headers are those of the whole one. */
const withBytes = ({ machO }: OpenSlice, bytes: Buffer): OpenSlice => ({ machO, source: sourceOf(bytes) })

async function write({ machO, source }: OpenSlice): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  await writer.write(source, machO, async (piece) => void pieces.push(piece))
  return Buffer.concat(pieces)
}

/** Reads a table at some addresses. Each look-up has frames, or the table is damaged. */
async function readSome(table: SymbolTable, addresses: readonly bigint[], random: Random): Promise<number> {
  let frames = 0
  for (let count = 0; count < 8; count++) {
    const found = await table.lookUp(random.pick(addresses))
    assert.ok(found.length <= mostFrames)
    for (const { line, column, offset } of found) {
      assert.ok(
        [line, column, offset].every((one) => one === null || (one | 0) === one),
        'a number beyond 32 bits',
      )
      assert.ok(
        [line, column].every((one) => one === null || one > 0),
        'a line or column below 1',
      )
    }
    frames += found.length
  }
  return frames
}

function damage(original: Buffer, random: Random, from: number, size: number): Buffer {
  const bytes = Buffer.from(original)
  for (let change = 1 + random.below(4); change > 0; change--) {
    const at = from + random.below(size)
    bytes[at] = random.chance(0.5)
      ? (bytes[at] ?? 0) ^ (1 << random.below(8))
      : random.pick([0, 1, 0x7f, 0x80, 0xff, random.below(256)])
  }
  return bytes
}

/** Damages of each section of each sample. There are some 40 of these. */
const roundsOfSection = 25

describe('a slice', () => {
  test('with changed bytes in any section of DWARF or in its symbols is read or refused', async () => {
    const random = new Random(33)
    const outcomes = { whole: 0, partly: 0, refused: 0, frames: 0 }
    for (const original of samples) {
      const whole = await openThin(original)
      const addresses = codeAddresses(whole.machO)
      const { symbols, dwarf } = whole.machO
      const ranges = [...dwarf.values(), symbols?.table, symbols?.names].filter((range) => range && range.size > 0)
      for (const range of ranges)
        for (let round = 0; round < roundsOfSection; round++) {
          if (range === undefined) continue
          const bytes = damage(original, random, range.offset, range.size)
          try {
            const table = await SymbolTable.open(sourceOf(await write(withBytes(whole, bytes))))
            outcomes.frames += await readSome(table, addresses, random)
            if (table.statistics.damagedUnits > 0) outcomes.partly++
            else outcomes.whole++
          } catch (error) {
            assert.ok(error instanceof SymbolsDamaged, String(error))
            outcomes.refused++
          }
        }
    }
    const slices = outcomes.whole + outcomes.partly + outcomes.refused
    assert.ok(
      slices >= 40 * roundsOfSection && outcomes.partly > 3 * roundsOfSection && outcomes.frames > 4 * slices,
      JSON.stringify(outcomes),
    )
  })

  test('that is cut off anywhere is refused, or its remaining part is read', async () => {
    const random = new Random(34)
    for (const original of samples) {
      const whole = await openThin(original)
      for (let round = 0; round < 40; round++) {
        const cut = withBytes(whole, original.subarray(0, random.below(original.length - 1)))
        const isRead = await write(cut).then(
          () => true,
          (error) => {
            assert.ok(error instanceof SymbolsDamaged && /^are cut off/.test(error.message), String(error))
            return false
          },
        )
        // Only sections that are not read come after those that are.
        if (isRead) assert.ok(cut.source.size > 0)
      }
    }
  })

  test('whose units refer to themselves, or have deep scopes, is written in bounded time', async () => {
    const original = samples[0] ?? assert.fail()
    const whole = await openThin(original)
    const info = whole.machO.dwarf.get('__debug_info') ?? assert.fail()
    const random = new Random(35)
    for (let round = 0; round < 200; round++) {
      const bytes = Buffer.from(original)
      // A run of one byte makes long chains of entries of one kind, which refer to one place.
      const [from, length] = [random.below(info.size), 1 + random.below(400)]
      bytes.fill(random.below(256), info.offset + from, info.offset + Math.min(info.size, from + length))
      await write(withBytes(whole, bytes))
    }
  })
})

describe('a table', () => {
  const tableOf = async () => encodeSlice(await openThin(samples[0] ?? assert.fail()))
  const addressesOf = async () => codeAddresses((await openThin(samples[0] ?? assert.fail())).machO)
  const readAll = async (bytes: Buffer, addresses: readonly bigint[]) => {
    const table = await SymbolTable.open(sourceOf(bytes))
    for (const address of addresses) await table.lookUp(address)
  }

  test('with one changed bit is refused when the page is read', async () => {
    const [original, addresses, random] = [await tableOf(), await addressesOf(), new Random(36)]
    let pages = 0
    for (let at = 0; at < original.length; at += pageBytes, pages++) {
      const bytes = Buffer.from(original)
      const place = at + random.below(pageBytes)
      bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8))
      await assert.rejects(
        readAll(bytes, addresses),
        new SymbolTableDamaged(`have a table whose page ${pages} is damaged`),
      )
    }
    assert.ok(pages >= 3)
  })

  test('whose pages are in another order is refused', async () => {
    const [original, addresses] = [await tableOf(), await addressesOf()]
    const pages = [1, 0].map((page) => original.subarray(page * pageBytes, (page + 1) * pageBytes))
    await assert.rejects(readAll(Buffer.concat([...pages, original.subarray(2 * pageBytes)]), addresses), {
      name: 'SymbolTableDamaged',
    })
  })

  test('that is cut off, is empty or is of another version is refused', async () => {
    const original = await tableOf()
    for (const bytes of [original.subarray(0, -1), original.subarray(0, -pageBytes), Buffer.alloc(0)])
      await assert.rejects(SymbolTable.open(sourceOf(bytes)), { name: 'SymbolTableDamaged' })
    const other = Buffer.from(original)
    other.writeUInt32LE(2, original.length - pageBytes + 8)
    signPages(other)
    const message = 'have a table of another version'
    await assert.rejects(SymbolTable.open(sourceOf(other)), { name: 'SymbolTableDamaged', message })
  })

  test('that is hostile and has right checksums is read or refused', async () => {
    const [original, addresses, random] = [await tableOf(), await addressesOf(), new Random(37)]
    const outcomes = { read: 0, refused: 0 }
    for (let round = 0; round < 3_000; round++) {
      // Half of the changes are in the foot, which has the places of all else.
      const bytes = random.chance(0.5)
        ? damage(original, random, original.length - pageBytes, 240)
        : damage(original, random, 0, original.length - pageBytes)
      signPages(bytes)
      try {
        await readSome(await SymbolTable.open(sourceOf(bytes)), addresses, random)
        outcomes.read++
      } catch (error) {
        assert.ok(error instanceof SymbolTableDamaged, String(error))
        outcomes.refused++
      }
    }
    assert.ok(outcomes.read > 300 && outcomes.refused > 300, JSON.stringify(outcomes))
  })
})

function signPages(bytes: Buffer): void {
  for (let page = 0; page < bytes.length / pageBytes; page++) {
    const content = bytes.subarray(page * pageBytes, page * pageBytes + pageContentBytes)
    bytes.writeUInt32LE(checksumOf(content, page), page * pageBytes + pageContentBytes)
  }
}
