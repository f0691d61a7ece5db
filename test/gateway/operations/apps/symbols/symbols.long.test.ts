/** The longer comparisons of symbol tables: 100,000 addresses of many programs, a gigabyte of DWARF, and the build of the WebAssembly modules. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  buildModules,
  hashFiles,
  type Manifest,
  moduleFiles,
  readPackageVersions,
} from '../../../../../gateway/operations/apps/symbols/native/build.ts'
import { SymbolTableWriter } from '../../../../../gateway/operations/apps/symbols/symbolTableWriter.ts'
import { compareWithLlvm } from './compareWithLlvm.ts'
import { buildManyFunctions, buildMoreFixtures, openSlices, repeatUnits } from './symbolFixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'symbols-long-'))
after(() => rmSync(folder, { recursive: true }))

test('6,000 functions are found as llvm-symbolizer finds them, at each of more than 100,000 addresses', async () => {
  const compared = await compareWithLlvm(buildManyFunctions(join(folder, 'many'), 6_000))
  // Raw and demangled.
  assert.ok(compared > 2 * 100_000, String(compared))
})

describe('each address of the code is found as llvm-symbolizer finds it', () => {
  for (const fixture of buildMoreFixtures(folder))
    test(fixture.title, async () => {
      assert.ok((await compareWithLlvm(fixture)) > 300)
    })
})

const native = resolve(import.meta.dirname, '../../../../../gateway/operations/apps/symbols/native')
const manifest = JSON.parse(readFileSync(join(native, 'manifest.json'), 'utf8')) as Manifest

/** Why the modules cannot be built here with the same result, or undefined. */
function findMissingPackage(): string | undefined {
  if (!existsSync('/usr/bin/dpkg-query')) return 'not Debian'
  try {
    const here = readPackageVersions()
    return Object.entries(manifest.packages)
      .filter(([name, version]) => here[name] !== version)
      .map(([name, version]) => `${name} ${version} is not installed`)
      .at(0)
  } catch {
    return 'the packages of the build are not installed'
  }
}

const missing = findMissingPackage()

test('a build with the same packages has the same bytes', { skip: missing ?? false }, () => {
  const target = mkdtempSync(join(tmpdir(), 'symbol-modules-'))
  try {
    buildModules(target)
    assert.deepEqual(hashFiles(target, moduleFiles), manifest.modules)
  } finally {
    rmSync(target, { recursive: true })
  }
})

test('a gigabyte of DWARF is written within the memory of the thread, or is refused', async () => {
  const [path] = [buildManyFunctions(join(folder, 'copied'), 2_000).path]
  const [slice] = await openSlices(readFileSync(path))
  assert.ok(slice)
  for (const [bytes, isWritten] of [
    [1024 ** 3, true],
    [2.5 * 1024 ** 3, false],
  ] as const) {
    const large = repeatUnits(slice, bytes)
    const writer = new SymbolTableWriter()
    const before = process.memoryUsage().rss
    let mostMemory = 0
    const take = async () => {
      mostMemory = Math.max(mostMemory, process.memoryUsage().rss)
    }
    try {
      const written = writer.write(large.source, large.machO, take)
      if (isWritten) {
        const { units, damagedUnits } = await written
        assert.ok(units > 100 && damagedUnits === 0, JSON.stringify({ units, damagedUnits }))
        assert.ok(mostMemory - before < 3.25 * 1024 ** 3, `${mostMemory - before} bytes`)
      } else await assert.rejects(written, { name: 'SymbolsTooLarge' })
    } finally {
      writer.close()
    }
  }
})
