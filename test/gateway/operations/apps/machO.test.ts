/** The headers of Mach-O files, beside those that LLVM's own tools read. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sourceOf } from '../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { MachOProblem, type MachOSlice, readMachO } from '../../../../gateway/operations/apps/dsymFiles/readMachO.ts'
import { buildApp, llvm } from '../../../kit/program/objects/dsymFixtures.ts'
import { Random } from '../../../longRuns/soak/random.ts'

const folder = mkdtempSync(join(tmpdir(), 'mach-o-'))
after(() => rmSync(folder, { recursive: true }))

const read = (bytes: Uint8Array) => readMachO(sourceOf(bytes))
const readFile = (path: string) => read(readFileSync(path))

const architectures = ['arm64', 'arm64_32', 'x86_64'] as const
const apps = architectures.flatMap((arch) =>
  ([4, 5, 'none'] as const).map((dwarfVersion) => ({
    arch,
    dwarfVersion,
    ...buildApp(folder, { arch, dwarfVersion }),
  })),
)
const symbolsOf = (arch: string, version: unknown = 5): string =>
  apps.find((app) => app.arch === arch && app.dwarfVersion === version)?.symbols ?? assert.fail(arch)

/** The sections of DWARF, as `llvm-readobj` prints them. */
function sectionsByLlvm(path: string): Record<string, { offset: number; size: number }> {
  const sections = llvm('llvm-readobj', '--sections', path).split(' Section {')
  const field = (section: string, name: string): string =>
    new RegExp(`^ *${name}: (\\S+)`, 'm').exec(section)?.[1] ?? ''
  return Object.fromEntries(
    sections
      .filter((section) => field(section, 'Segment') === '__DWARF')
      .map((section) => [
        field(section, 'Name'),
        { offset: Number(field(section, 'Offset')), size: Number(field(section, 'Size')) },
      ]),
  )
}

const uuidsByLlvm = (path: string) =>
  [...llvm('llvm-dwarfdump', '--uuid', path).matchAll(/UUID: (\S+) \((\S+)\)/g)].map(([, uuid, arch]) => [uuid, arch])
const uuidsOf = (slices: readonly MachOSlice[]) => slices.map(({ uuid, arch }) => [uuid, arch])

describe('a thin file', () => {
  for (const { arch, dwarfVersion, symbols, binary } of apps)
    test(`of ${arch} with DWARF ${dwarfVersion} is read, as a dSYM and as a binary`, async () => {
      const [slice, ...others] = await readFile(symbols)
      assert.ok(slice && others.length === 0)
      assert.equal(slice.isDsym, true)
      assert.deepEqual(uuidsOf([slice]), uuidsByLlvm(symbols))
      assert.deepEqual(Object.fromEntries(slice.dwarf), sectionsByLlvm(symbols))
      assert.equal(slice.dwarf.has('__debug_info'), dwarfVersion !== 'none')
      const [, text] =
        /segname __TEXT\n\s+vmaddr (\S+)/.exec(llvm('llvm-objdump', '--macho', '--private-headers', symbols)) ?? []
      assert.equal(slice.textAddress, BigInt(text ?? -1))
      assert.ok(slice.symbolCount >= 3, String(slice.symbolCount))
      const [own] = await readFile(binary)
      assert.deepEqual([own?.isDsym, own?.uuid, own?.dwarf.size], [false, slice.uuid, 0])
    })

  test('an object file has no UUID', async () => {
    const [slice] = await readFile(join(folder, 'arm64-5/app.o'))
    assert.deepEqual([slice?.arch, slice?.uuid, slice?.isDsym, slice?.textAddress], ['arm64', null, false, null])
    assert.ok(slice?.dwarf.has('__debug_info'))
  })

  test('the subtype distinguishes arm64e from arm64, whatever its capability bits are', async () => {
    for (const [subtype, arch] of [
      [0x80000002, 'arm64e'],
      [2, 'arm64e'],
      [0x80000000, 'arm64'],
    ] as const) {
      const bytes = readFileSync(symbolsOf('arm64'))
      bytes.writeUInt32LE(subtype, 8)
      assert.equal((await read(bytes))[0]?.arch, arch)
    }
  })
})

describe('a fat file', () => {
  for (const [kind, options] of [
    ['with 32-bit offsets', []],
    ['with 64-bit offsets', ['-fat64']],
  ] as const)
    test(`${kind} has the slices of its parts`, async () => {
      const path = join(folder, `fat${options.length}`)
      const parts = architectures.map((arch) => symbolsOf(arch))
      llvm('llvm-lipo', ...parts, '-create', ...options, '-output', path)
      const slices = await readFile(path)
      assert.deepEqual(uuidsOf(slices).sort(), uuidsByLlvm(path).sort())
      for (const { arch, range, ...slice } of slices) {
        const [thin] = await readFile(symbolsOf(arch))
        assert.deepEqual({ ...slice, arch, range: { ...range, offset: 0 } }, thin)
      }
    })

  const fat = () => readFileSync(join(folder, 'fat0'))
  test('whose slices overlap, or are too many, is refused', async () => {
    const overlapping = fat()
    overlapping.writeUInt32BE(overlapping.readUInt32BE(16), 36)
    await assert.rejects(read(overlapping), new MachOProblem('has architectures that overlap'))
    const many = fat()
    many.writeUInt32BE(17, 4)
    await assert.rejects(read(many), new MachOProblem('has 17 architectures, and at most 16 are read'))
    many.writeUInt32BE(0, 4)
    await assert.rejects(read(many), new MachOProblem('has no architecture'))
  })
})

describe('another file', () => {
  const ofBytes = (...bytes: readonly number[]) => Buffer.concat([Buffer.from(bytes), Buffer.alloc(64)])
  const others: readonly (readonly [string, Buffer, RegExp])[] = [
    ['that is empty', Buffer.alloc(0), /^is cut off or damaged: 4 bytes at 0 are not within 0 bytes$/],
    ['of text', Buffer.from('symbols for you and me, in text'), /^is not a Mach-O file$/],
    ['of ELF', ofBytes(0x7f, 0x45, 0x4c, 0x46), /^is not a Mach-O file$/],
    ['of Java 21', ofBytes(0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65), /^has 65 architectures, and at most 16 are read$/],
    ['for PowerPC', ofBytes(0xfe, 0xed, 0xfa, 0xce), /^is for a big-endian processor, which is not supported$/],
    ['for a new processor', ofBytes(0xcf, 0xfa, 0xed, 0xfe, 99), /^is for the unknown processor 0x63$/],
  ]
  for (const [title, bytes, message] of others)
    test(`${title} is refused`, () => assert.rejects(read(bytes), { name: 'MachOProblem', message }))
})

describe('a damaged file', () => {
  const samples = [symbolsOf('arm64'), symbolsOf('arm64_32', 4)]
  const problemOf = async (bytes: Buffer): Promise<string | undefined> => {
    try {
      await read(bytes)
      return undefined
    } catch (error) {
      assert.ok(error instanceof MachOProblem, String(error))
      return error.message
    }
  }

  test('is refused wherever it is cut off', async () => {
    for (const path of samples) {
      const bytes = readFileSync(path)
      const [slice] = await read(bytes)
      const end = Math.max(...[...(slice?.dwarf.values() ?? [])].map(({ offset, size }) => offset + size))
      for (let length = 0; length < end; length += length < 4_096 ? 1 : 97)
        assert.match((await problemOf(bytes.subarray(0, length))) ?? '', /cut off or damaged/, `${length} bytes`)
      assert.equal(await problemOf(bytes.subarray(0, end)), undefined)
    }
  })

  test('with changed bytes in its headers is read or refused, without any other error', async () => {
    const random = new Random(21)
    const outcomes = { read: 0, refused: 0 }
    for (const path of [...samples, join(folder, 'fat0')]) {
      const original = readFileSync(path)
      for (let round = 0; round < 3_000; round++) {
        const bytes = Buffer.from(original)
        for (let change = 1 + random.below(4); change > 0; change--)
          bytes[random.below(random.chance(0.5) ? 64 : 2_500)] = random.pick([
            0,
            1,
            0x7f,
            0x80,
            0xff,
            random.below(256),
          ])
        if ((await problemOf(bytes)) === undefined) outcomes.read++
        else outcomes.refused++
      }
    }
    assert.ok(outcomes.read > 500 && outcomes.refused > 500, JSON.stringify(outcomes))
  })
})
