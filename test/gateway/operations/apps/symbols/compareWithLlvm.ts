import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { allowedDifferences } from './allowedDifferences.ts'
import {
  asLlvmFrame,
  codeAddresses,
  type LlvmFrame,
  openSlices,
  openTable,
  type SymbolFixture,
  symbolizeByLlvm,
} from './symbolFixtures.ts'

/** One failure has at most so many addresses. */
const mostShown = 5

/**
 * Compares each address of the code with llvm-symbolizer, raw and demangled.
 *
 * @returns the number of comparisons
 */
export async function compareWithLlvm({ path }: SymbolFixture): Promise<number> {
  let compared = 0
  for (const slice of await openSlices(readFileSync(path))) {
    const table = await openTable(slice)
    assert.equal(table.statistics.damagedUnits, 0)
    const { arch } = slice.machO
    const addresses = codeAddresses(slice.machO)
    assert.ok(addresses.length > 0)
    for (const isRaw of [true, false]) {
      const byLlvm = symbolizeByLlvm(path, arch, addresses, isRaw ? ['--no-demangle'] : [])
      assert.equal(byLlvm.length, addresses.length)
      const wrong: unknown[] = []
      for (const [index, address] of addresses.entries()) {
        const found = (await table.lookUp(address)).map((frame) => asLlvmFrame(frame, address, isRaw))
        const expected = adapt(byLlvm[index] ?? [], isRaw)
        compared++
        if (!isSame(found, expected)) wrong.push({ arch, address: `0x${address.toString(16)}`, found, expected })
      }
      assert.deepEqual(wrong.slice(0, mostShown), [], `${wrong.length} of ${addresses.length} addresses`)
    }
  }
  return compared
}

function adapt(frames: readonly LlvmFrame[], isRaw: boolean): readonly LlvmFrame[] {
  const own = frames.map(({ FunctionName, FileName, Line, Column, StartAddress }) => ({
    ...{ FunctionName, FileName, Line, Column, StartAddress },
  }))
  return allowedDifferences
    .filter(({ isForRaw }) => isForRaw || !isRaw)
    .reduce<readonly LlvmFrame[]>((all, difference) => difference.adapt(all), own)
}

function isSame(found: readonly LlvmFrame[], expected: readonly LlvmFrame[]): boolean {
  return JSON.stringify(found) === JSON.stringify(expected)
}
