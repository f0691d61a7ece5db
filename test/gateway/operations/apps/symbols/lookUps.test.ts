/** Look-ups in the tables of real dSYMs, beside llvm-symbolizer at each address of their code. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { SymbolTable } from '../../../../../gateway/operations/apps/symbols/symbolTable.ts'
import { buildApp } from '../../../../kit/program/objects/dsymFixtures.ts'
import { namesOfRemovedSymbols } from './allowedDifferences.ts'
import { compareWithLlvm } from './compareWithLlvm.ts'
import { buildFixtures, codeAddresses, openSlices, openTable, symbolizeByLlvm } from './symbolFixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'symbols-'))
after(() => rmSync(folder, { recursive: true }))

const fixtures = buildFixtures(folder)
const pathOf = (title: string): string => fixtures.find((one) => one.title === title)?.path ?? assert.fail(title)
const tableOf = async (title: string) => {
  const [slice] = await openSlices(readFileSync(pathOf(title)))
  assert.ok(slice)
  return { table: await openTable(slice), addresses: codeAddresses(slice.machO) }
}

describe('each address of the code is found as llvm-symbolizer finds it', () => {
  for (const fixture of fixtures)
    test(fixture.title, async () => {
      const compared = await compareWithLlvm(fixture)
      assert.ok(compared >= 16, String(compared))
    })
})

test('an address in inlined calls has a frame for each call, with the place of the call', async () => {
  const { table, addresses } = await tableOf('C++ in several folders, arm64, DWARF 5, -O2')
  const chains = await Promise.all(addresses.map((address) => table.lookUp(address)))
  const deepest = chains.toSorted((a, b) => b.length - a.length)[0] ?? []
  assert.deepEqual(
    deepest.map(({ function: name, isInlined }) => [name, isInlined]),
    [
      ['shapes::check(int)', true],
      ['shapes::Box<int>::area() const', true],
      ["outer(int)::'lambda'(int)::operator()(int) const", true],
      ["int apply<outer(int)::'lambda'(int)>(outer(int)::'lambda'(int), int)", true],
      ['outer(int)', true],
      ['loop(int)', true],
      ['plain_c', false],
    ],
  )
  assert.deepEqual(
    deepest.map(({ file, line }) => [file?.replace(/^.*\/(?=include|main)/, ''), line]),
    [
      ['include/shapes/area.h', 5],
      ['include/shapes/area.h', 6],
      ['main.cpp', 6],
      ['main.cpp', 4],
      ['main.cpp', 7],
      ['main.cpp', 9],
      ['main.cpp', 10],
    ],
  )
})

test('the offset in a function of two ranges is from the start of each', async () => {
  const { table } = await tableOf('a function with two ranges')
  const found = async (address: bigint) =>
    (await table.lookUp(address)).map(({ function: name, offset, line }) => [name, offset, line])
  assert.deepEqual(await found(4n), [
    ['called', null, null],
    ['split', 4, 42],
  ])
  assert.deepEqual(await found(16n), [['between', 4, null]])
  assert.deepEqual(await found(24n), [
    ['called', null, null],
    ['split.cold.1', 4, 42],
  ])
})

test('names of Swift are found raw and demangled, in functions and in inlined calls', async () => {
  const { table, addresses } = await tableOf('Swift names, DWARF 5')
  const names = new Map<string | null, string | null>()
  for (const address of addresses)
    for (const { rawName, function: name } of await table.lookUp(address)) names.set(rawName, name)
  assert.equal(names.get('$s4main3FooC3bar1xSiSd_tF'), 'Foo.bar(x:)')
  assert.equal(names.get('$s4main3fooyyYaFTY0_'), '(1) suspend resume partial function for foo()')
  assert.equal(names.get('_$s4main6helper1xS2i_tF'), 'helper(x:)')
  assert.equal(names.get('main'), 'main')
})

test('addresses outside the code, and the header of the file, are not found', async () => {
  const { table, addresses } = await tableOf('no DWARF')
  const [first = 0n, last = 0n] = [addresses[0], addresses.at(-1)]
  for (const address of [0n, 0x100000000n, first - 1n, last + 0x10000n, 2n ** 63n, 2n ** 64n - 1n])
    assert.deepEqual(await table.lookUp(address), [], address.toString(16))
  const [frame] = await table.lookUp(first + 1n)
  assert.deepEqual([frame?.offset, frame?.file, frame?.line], [1, null, null])
})

test('a function without a symbol keeps its name in DWARF, even if another symbol comes before it', async () => {
  const { symbols: path } = buildApp(join(folder, 'app'), { arch: 'arm64', dwarfVersion: 5 })
  const bytes = readFileSync(path)
  const [whole] = await openSlices(bytes)
  assert.ok(whole)
  const addresses = codeAddresses(whole.machO)
  const namesOf = async (table: SymbolTable) =>
    await Promise.all(addresses.map(async (address) => (await table.lookUp(address))[0]?.rawName))
  const names = await namesOf(await openTable(whole))
  const address = addresses[names.indexOf('add')] ?? assert.fail()
  const { offset, size } = whole.machO.symbols?.table ?? assert.fail()
  for (let at = offset; at < offset + size; at += 16)
    if (bytes.readBigUInt64LE(at + 8) === address) bytes.fill(0, at + 4, at + 16)
  const [stripped] = await openSlices(bytes)
  assert.ok(stripped)
  assert.deepEqual(await namesOf(await openTable(stripped)), names)
  writeFileSync(path, bytes)
  const [frame] = symbolizeByLlvm(path, 'arm64', [address])[0] ?? []
  assert.deepEqual({ byLlvm: frame?.FunctionName, byLookUp: 'add' }, namesOfRemovedSymbols)
})
