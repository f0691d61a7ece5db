/** Mach-O files that clang and dsymutil make, and small ones that are made by hand. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDamageSamples } from '../../../../gateway/operations/apps/symbols/symbolFixtures.ts'
import { shop } from '../../../../kit/program/objects/crashFiles.ts'
import { buildApp, llvm } from '../../../../kit/program/objects/dsymFixtures.ts'
import { smallMachO } from '../../../../kit/program/objects/dsymZips.ts'

let built: readonly Buffer[] | undefined

/** Made once: the compilers take some seconds. */
export function builtMachOs(): readonly Buffer[] {
  built ??= build()
  return built
}

function build(): readonly Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-macho-'))
  try {
    const apps = (['arm64', 'x86_64', 'arm64_32'] as const).map((arch) => buildApp(folder, { arch, dwarfVersion: 5 }))
    const plain = buildApp(folder, { arch: 'arm64', dwarfVersion: 'none' })
    const fat = [[], ['-fat64']].map((options, index) => {
      const path = join(folder, `fat${index}`)
      llvm('llvm-lipo', ...apps.map(({ symbols }) => symbols), '-create', ...options, '-output', path)
      return path
    })
    const paths = [
      ...apps.map(({ symbols }) => symbols),
      plain.symbols,
      plain.binary,
      join(folder, 'arm64-5/app.o'),
      ...fat,
    ]
    const samples = buildDamageSamples(join(folder, 'samples')).map(({ path }) => path)
    return [smallMachO(shop), ...[...paths, ...samples].map((path) => readFileSync(path))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}
