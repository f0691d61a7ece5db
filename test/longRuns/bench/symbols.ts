/**
 * Symbol tables beside LLVM's programs: indexing a dSYM until the first answer, look-ups, and demangled names. Then crash reports that a whole
 * server symbolicates, beside llvm-symbolizer with the same addresses. The programs take turns in one run, so the ratios do not depend on the
 * speed of the machine.
 * node test/longRuns/bench/symbols.ts [--functions 10000] [--look-ups 100000] [--names 100000] [--rounds 3]
 *   [--reports 1000] [--images 12] [--threads 20] [--frames 30] [--profile FOLDER]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sourceOf } from '../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { Demangler } from '../../../gateway/operations/apps/symbols/demangler.ts'
import { SymbolTable } from '../../../gateway/operations/apps/symbols/symbolTable.ts'
import { SymbolTableWriter } from '../../../gateway/operations/apps/symbols/symbolTableWriter.ts'
import {
  buildManyFunctions,
  codeAddresses,
  openSlices,
  symbolizeByLlvm,
} from '../../gateway/operations/apps/symbols/symbolFixtures.ts'
import { runLlvm } from '../../kit/program/objects/dsymFixtures.ts'
import { Random } from '../soak/random.ts'
import { printMachine, printTable } from './support/report.ts'
import { readImage } from './symbolication/compileImage.ts'
import { measureSymbolication } from './symbolication/measureSymbolication.ts'

const { values } = parseArgs({
  options: {
    functions: { type: 'string', default: '10000' },
    'look-ups': { type: 'string', default: '100000' },
    names: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    /** Crash reports in each of the two orders: after their symbols, and before them. */
    reports: { type: 'string', default: '1000' },
    images: { type: 'string', default: '12' },
    threads: { type: 'string', default: '20' },
    /** Of each thread. */
    frames: { type: 'string', default: '30' },
    /** A folder for a profile of the server's processor time. */
    profile: { type: 'string' },
  },
})
const lookUps = Number(values['look-ups'])
const rounds = Number(values.rounds)

printMachine()
const folder = mkdtempSync(join(tmpdir(), 'symbols-bench-'))
const writer = new SymbolTableWriter()
try {
  const { path } = buildManyFunctions(folder, Number(values.functions))
  const [slice] = await openSlices(readFileSync(path))
  if (slice === undefined) throw new Error('The program has no slice.')
  const { machO, source } = slice
  const sizes = [...machO.dwarf.values(), machO.symbols?.table, machO.symbols?.names].map((range) => range?.size ?? 0)
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  const random = new Random(1)
  const code = codeAddresses(machO)
  const addresses = Array.from({ length: lookUps }, () => random.pick(code))
  const names = Array.from({ length: Number(values.names) }, (_, index) => nameOf(index))
  const encoded = names.map((name) => Buffer.from(name))
  const demangler = new Demangler()

  let bytes = Buffer.alloc(0)
  const index = async () => {
    const pieces: Uint8Array[] = []
    await writer.write(source, machO, async (piece) => void pieces.push(piece))
    bytes = Buffer.concat(pieces)
  }
  const lookUpAll = async (list: readonly bigint[]) => {
    const table = await SymbolTable.open(sourceOf(bytes))
    for (const address of list) await table.lookUp(address)
  }
  const first = addresses.slice(0, 1)
  const ownIndex = await best(index)
  const llvmIndex = await best(async () => void symbolizeByLlvm(path, machO.arch, first))
  const ownLookUps = await best(() => lookUpAll(addresses))
  // Its time without that of its start and of reading the DWARF.
  const llvmLookUps = (await best(async () => void symbolizeByLlvm(path, machO.arch, addresses))) - llvmIndex
  const ownNames = await best(async () => {
    for (const name of encoded) demangler.demangle(name)
  })
  const input = `${names.join('\n')}\n`
  const llvmNames = await best(async () => void runLlvm('llvm-cxxfilt', [], { input }))

  console.log(`${megabytes.toFixed(1)} MB of DWARF and symbols, a table of ${(bytes.length / 1e6).toFixed(1)} MB`)
  const row = (part: string, unit: string, count: number, own: number, llvm: number) => ({
    part,
    unit,
    signalbox: (count / own) * 1_000,
    LLVM: (count / llvm) * 1_000,
    ratio: llvm / own,
  })
  printTable([
    row('index, or read until the first answer', 'MB/s', megabytes, ownIndex, llvmIndex),
    row('look-ups in random order', '1/s', lookUps, ownLookUps, llvmLookUps),
    row('C++ names', '1/s', names.length, ownNames, llvmNames),
  ])
  const measured = await measureSymbolication({
    compiled: await readImage(path),
    images: Number(values.images),
    threads: Number(values.threads),
    framesPerThread: Number(values.frames),
    reports: Number(values.reports),
    profile: values.profile,
  })
  const shape = `${values.threads} threads of ${values.frames} frames over ${values.images} images`
  console.log(`\n${values.reports} crash reports of ${shape}, by a server with PostgreSQL`)
  printTable(
    measured.map(({ what, reports, frames, symbolications, ms, llvmMs }) => ({
      what,
      'reports/s': (reports / ms) * 1_000,
      'frames/s': (frames / ms) * 1_000,
      'LLVM, frames/s': (frames / llvmMs) * 1_000,
      ratio: llvmMs / ms,
      'symbolications of a report': symbolications / reports,
    })),
  )
} finally {
  writer.close()
  rmSync(folder, { recursive: true })
}

/** The milliseconds of the fastest round. */
async function best(once: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await once()
    times.push(performance.now() - began)
  }
  return Math.min(...times)
}

/** Of the length and the form of names in apps. */
function nameOf(index: number): string {
  const type = `St6vectorIN5model11Order${String(index).padStart(6, '0')}ESaIS1_EE`
  return `_ZNK4shop8checkout11OrderWriter5write${index % 2 === 0 ? 'I' : 'IJ'}${type}${index % 2 === 0 ? '' : 'E'}EEvRKT_m`
}
