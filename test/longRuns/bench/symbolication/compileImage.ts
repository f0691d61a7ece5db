import { readFileSync } from 'node:fs'
import {
  buildManyFunctions,
  codeAddresses,
  openSlices,
} from '../../../gateway/operations/apps/symbols/symbolFixtures.ts'
import type { CompiledImage } from '../../../kit/program/objects/appImages.ts'

/** Compiles a program with so many functions, which takes about 2 ms for each. */
export async function compileImage(folder: string, functions: number): Promise<CompiledImage> {
  return await readImage(buildManyFunctions(folder, functions).path)
}

/** @param path the Mach-O file of a dSYM for one architecture */
export async function readImage(path: string): Promise<CompiledImage> {
  const symbols = readFileSync(path)
  const [slice] = await openSlices(symbols)
  const { uuid, textAddress } = slice?.machO ?? {}
  if (slice === undefined || !uuid || textAddress === undefined || textAddress === null)
    throw new Error(`${path} has no slice with a UUID and an address.`)
  // The address before the first instruction has no symbol.
  return { symbols, uuid, textAddress, code: codeAddresses(slice.machO).slice(1) }
}
