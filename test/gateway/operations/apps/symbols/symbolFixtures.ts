/** Programs with symbols of many forms, and their frames from llvm-symbolizer. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ByteSource, partOf, sourceOf } from '../../../../../gateway/operations/apps/dsymFiles/byteSource.ts'
import { type MachOSlice, readMachO } from '../../../../../gateway/operations/apps/dsymFiles/readMachO.ts'
import { Demangler } from '../../../../../gateway/operations/apps/symbols/demangler.ts'
import { DwarfReader, readSections } from '../../../../../gateway/operations/apps/symbols/dwarfReader.ts'
import { encodeTable } from '../../../../../gateway/operations/apps/symbols/encodeTable.ts'
import { type SymbolFrame, SymbolTable } from '../../../../../gateway/operations/apps/symbols/symbolTable.ts'
import {
  buildApp,
  buildProgram,
  type DsymRequest,
  llvm,
  runLlvm,
} from '../../../../kit/program/objects/dsymFixtures.ts'
import { aliasesC, assembly, inlinedCpp, manyFunctionsC, outlinedC, splitFunction, swiftC } from './symbolSources.ts'

type Architecture = DsymRequest['arch']

export interface SymbolFixture {
  readonly title: string
  /** A Mach-O file with one slice or several. */
  readonly path: string
}

interface Recipe {
  readonly title: string
  readonly arch: Architecture
  readonly files: Readonly<Record<string, string>>
  /** The files that are compiled. */
  readonly sources: readonly string[]
  readonly flags: readonly string[]
  /** Options of the linker. */
  readonly link?: readonly string[]
}

const cppSources = ['main.cpp', 'geometry/geometry.cpp']
const cppFlags = ['-std=c++17', '-fno-exceptions', '-fno-rtti', '-fno-stack-protector']
const cppFiles = { files: inlinedCpp, sources: cppSources }

const architectures = ['arm64', 'x86_64', 'arm64_32'] as const

function cppRecipe(arch: Architecture, version: number, level: string): Recipe {
  const title = `C++ in several folders, ${arch}, DWARF ${version}, ${level}`
  return { title, arch, ...cppFiles, flags: [...cppFlags, `-gdwarf-${version}`, level] }
}

/** Each is small, so that each address of each can be compared. */
const recipes: readonly Recipe[] = [
  ...[2, 3, 4, 5].map((version) => cppRecipe('arm64', version, '-O2')),
  cppRecipe('arm64', 5, '-O0'),
  cppRecipe('x86_64', 4, '-O2'),
  cppRecipe('x86_64', 5, '-O2'),
  cppRecipe('arm64_32', 4, '-O2'),
  ...[4, 5].flatMap((version): readonly Recipe[] => [
    {
      title: `Swift names, DWARF ${version}`,
      arch: 'arm64',
      files: { 'swift.c': swiftC },
      sources: ['swift.c'],
      flags: [`-gdwarf-${version}`, '-O1'],
    },
    {
      title: `units that refer to each other, DWARF ${version}`,
      arch: 'arm64',
      ...cppFiles,
      flags: [...cppFlags, `-gdwarf-${version}`, '-O2', '-flto'],
      link: ['-object_path_lto', 'linked.o'],
    },
  ]),
  {
    title: 'functions that share code, and cold parts of functions',
    arch: 'arm64',
    files: { 'outlined.c': outlinedC },
    sources: ['outlined.c'],
    flags: ['-gdwarf-5', '-Oz', '-mllvm', '-hot-cold-split', '-mllvm', '-hotcoldsplit-threshold=0'],
  },
  {
    title: 'names for one address',
    arch: 'arm64',
    files: { 'aliases.c': aliasesC },
    sources: ['aliases.c'],
    flags: ['-gdwarf-5', '-O1'],
    link: ['--icf=all'],
  },
  ...(['arm64', 'x86_64'] as const).map((arch, index) => ({
    title: `assembly beside C, ${arch}`,
    arch,
    files: { 'code.s': assembly[arch], 'main.c': 'int first(int); int main(int c, char **v) { return first(c); }' },
    sources: ['main.c', 'code.s'],
    flags: ['-g', `-gdwarf-${index + 4}`],
  })),
  ...[4, 5].map(
    (version): Recipe => ({
      title: `a relative compilation directory, DWARF ${version}`,
      arch: 'arm64',
      ...cppFiles,
      flags: [...cppFlags, `-gdwarf-${version}`, '-O1', '-fdebug-compilation-dir=./build'],
    }),
  ),
  { title: 'no DWARF', arch: 'x86_64', ...cppFiles, flags: [...cppFlags, '-O1'] },
  { title: 'DWARF of lines only', arch: 'arm64', ...cppFiles, flags: [...cppFlags, '-O1', '-gline-tables-only'] },
]

/** All architectures, versions and levels: for the long test. */
const moreRecipes: readonly Recipe[] = architectures.flatMap((arch) =>
  [2, 3, 4, 5].flatMap((version) => ['-O0', '-O1', '-Oz', '-O3'].map((level) => cppRecipe(arch, version, level))),
)

export function buildFixtures(folder: string): readonly SymbolFixture[] {
  const thin = buildAll(folder, recipes)
  const parts = architectures.map((arch) => buildApp(join(folder, 'parts'), { arch, dwarfVersion: 5 }).symbols)
  const fat = [[], ['-fat64']].map((options) => {
    const path = join(folder, `fat${options.length}`)
    llvm('llvm-lipo', ...parts, '-create', ...options, '-output', path)
    return { title: options.length === 0 ? 'a fat file' : 'a fat file with 64-bit offsets', path }
  })
  const split = { title: 'a function with two ranges', path: assemble(folder, splitFunction) }
  return [...thin, ...fat, split, { title: 'arm64e', path: toArm64e(thin[3]?.path ?? '', join(folder, 'arm64e')) }]
}

/** Few, for many damages of each. */
export function buildDamageSamples(folder: string): readonly SymbolFixture[] {
  return buildAll(folder, [cppRecipe('arm64', 5, '-O2'), cppRecipe('arm64', 4, '-O2'), cppRecipe('arm64_32', 2, '-O1')])
}

export function buildMoreFixtures(folder: string): readonly SymbolFixture[] {
  return buildAll(join(folder, 'more'), moreRecipes)
}

function buildAll(folder: string, list: readonly Recipe[]): readonly SymbolFixture[] {
  return list.map((recipe, index) => ({
    title: recipe.title,
    path: buildRecipe(join(folder, String(index)), recipe),
  }))
}

export function buildManyFunctions(folder: string, count: number): SymbolFixture {
  const files = { 'many.c': manyFunctionsC(count) }
  const title = `${count} functions`
  return {
    title,
    path: buildRecipe(folder, { title, arch: 'arm64', files, sources: ['many.c'], flags: ['-gdwarf-5', '-O1'] }),
  }
}

function buildRecipe(folder: string, { files, ...request }: Recipe): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return buildProgram(folder, request).symbols
}

function assemble(folder: string, source: string): string {
  const path = join(folder, 'split.o')
  runLlvm('clang', ['--target=arm64-apple-ios14', '-x', 'assembler', '-c', '-', '-o', path], { input: source })
  return path
}

/** lld writes no arm64e, so the subtype is changed. */
function toArm64e(path: string, target: string): string {
  const bytes = readFileSync(path)
  bytes.writeUInt32LE(0x80000002, 8)
  writeFileSync(target, bytes)
  return target
}

export interface OpenSlice {
  readonly machO: MachOSlice
  readonly source: ByteSource
}

export async function openSlices(bytes: Uint8Array): Promise<readonly OpenSlice[]> {
  const source = sourceOf(bytes)
  const slices = await readMachO(source)
  return slices.map((machO) => ({ machO, source: partOf(source, machO.range.offset, machO.range.size) }))
}

const demangler = new Demangler()

/** As `SymbolTableWriter` does, without its thread. */
export async function encodeSlice({ machO, source }: OpenSlice, mostMemory = 256 * 1024 ** 2): Promise<Buffer> {
  const reader = new DwarfReader(mostMemory)
  for (const [kind, name] of readSections.entries()) {
    const own = { symbols: machO.symbols?.table, 'symbol names': machO.symbols?.names }[name as string]
    const { offset, size } = own ?? machO.dwarf.get(name) ?? { offset: 0, size: 0 }
    reader.fill(reader.addSection(kind, size), await source.read(offset, size))
  }
  for (const section of machO.codeSections) reader.addCodeSection(section)
  reader.build(machO.is64)
  return Buffer.concat([...encodeTable(reader, demangler)])
}

export async function openTable(slice: OpenSlice): Promise<SymbolTable> {
  return await SymbolTable.open(sourceOf(await encodeSlice(slice)))
}

/** A slice whose units are there many times, without bytes of its own. */
export function repeatUnits({ machO, source }: OpenSlice, bytes: number): OpenSlice {
  const info = machO.dwarf.get('__debug_info') ?? { offset: 0, size: 1 }
  const copies = Math.ceil(bytes / info.size)
  const size = copies * info.size
  const repeated = { offset: source.size, size }
  return {
    machO: { ...machO, dwarf: new Map([...machO.dwarf, ['__debug_info', repeated]]) },
    source: {
      size: source.size + size,
      read: async (offset, length) => {
        if (offset < source.size) return await source.read(offset, length)
        const pieces: Buffer[] = []
        for (let at = offset - source.size, rest = length; rest > 0; ) {
          const from = at % info.size
          const piece = await source.read(info.offset + from, Math.min(rest, info.size - from))
          pieces.push(piece)
          at += piece.length
          rest -= piece.length
        }
        return Buffer.concat(pieces)
      },
    },
  }
}

/** Each instruction, or each byte on x86-64. */
export function codeAddresses({ arch, codeSections }: MachOSlice): readonly bigint[] {
  const every = arch === 'x86_64' ? 1n : 4n
  return codeSections.flatMap(({ address, size }) =>
    Array.from({ length: Number(size / every) }, (_, index) => address + BigInt(index) * every),
  )
}

/** A frame of llvm-symbolizer. */
export interface LlvmFrame {
  readonly FunctionName: string
  readonly FileName: string
  readonly Line: number
  readonly Column: number
  /** Empty if it is not known. */
  readonly StartAddress: string
}

/** @returns the frames of each address, the innermost first */
export function symbolizeByLlvm(
  path: string,
  arch: string,
  addresses: readonly bigint[],
  options: readonly string[] = [],
): readonly (readonly LlvmFrame[])[] {
  const input = addresses.map((address) => `0x${address.toString(16)}\n`).join('')
  const args = ['--output-style=JSON', `--obj=${path}`, `--default-arch=${arch}`, ...options]
  const lines = runLlvm('llvm-symbolizer', args, { input }).trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as { Symbol: LlvmFrame[] }).Symbol)
}

/** A frame of a table, as llvm-symbolizer has it. */
export function asLlvmFrame(frame: SymbolFrame, address: bigint, isRaw: boolean): LlvmFrame {
  return {
    FunctionName: (isRaw ? frame.rawName : frame.function) ?? '',
    FileName: frame.file ?? '',
    Line: frame.line ?? 0,
    Column: frame.column ?? 0,
    StartAddress: frame.offset === null ? '' : `0x${(address - BigInt(frame.offset)).toString(16)}`,
  }
}
