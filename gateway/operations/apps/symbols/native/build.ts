/**
 * Builds the two WebAssembly modules from the sources in this folder and from Debian's packages (`npm run build:symbols`, on Debian 12).
 * The result has the same bytes on each machine with the same packages. `manifest.json` has the versions and the SHA-256 of all files, and
 * `test/gateway/operations/apps/symbols/modules.test.ts` compares them.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const here = import.meta.dirname
/** The sources of Rust's packages, as Debian installs them. */
const crates = '/usr/share/cargo/registry'
/** Debian's compiler. Another one of the name may be first on the PATH. */
const rustc = '/usr/bin/rustc'

export const packages = [
  'clang-19',
  'lld-19',
  'wasi-libc',
  'libc++-19-dev-wasm32',
  'libc++abi-19-dev-wasm32',
  'libclang-rt-19-dev-wasm32',
  'rustc',
  'libstd-rust-dev-wasm32',
  'librust-gimli-dev',
  'librust-symbolic-demangle-dev',
  'patch',
] as const

export const moduleFiles = ['dwarfReader.wasm', 'demangler.wasm'] as const

/** Builds both modules into a folder. */
export function buildModules(target: string): void {
  const work = mkdtempSync(join(tmpdir(), 'symbols-build-'))
  try {
    buildDwarfReader(work, join(target, 'dwarfReader.wasm'))
    buildDemangler(work, join(target, 'demangler.wasm'))
    // Linkers make their output executable.
    for (const file of moduleFiles) chmodSync(join(target, file), 0o644)
  } finally {
    rmSync(work, { recursive: true })
  }
}

function buildDwarfReader(work: string, output: string): void {
  const options = [
    '--target=wasm32-unknown-unknown',
    ...['opt-level=3', 'panic=abort', 'codegen-units=1', 'target-feature=+bulk-memory'].flatMap((one) => ['-C', one]),
    ...[here, crates, work].map((folder) => `--remap-path-prefix=${folder}=.`),
  ]
  const [gimli] = globSync(`${crates}/gimli-*/src/lib.rs`)
  if (gimli === undefined) throw new Error('gimli is missing: install librust-gimli-dev')
  const features = ['read', 'read-core'].flatMap((one) => ['--cfg', `feature="${one}"`])
  const library = join(work, 'libgimli.rlib')
  const asCrate = ['--crate-name=gimli', '--crate-type=rlib', '--edition=2018', '--cap-lints=allow', ...features]
  run(rustc, [...options, ...asCrate, gimli, '-o', library])
  const link = [
    // The host sets the maximum of the memory for each slice.
    ...['--import-memory', '--initial-memory=2097152', '--max-memory=4294967296'],
    // The archives of Debian's Rust have a member that this linker warns about.
    ...['--stack-first', '--no-fatal-warnings'],
  ]
  run(rustc, [
    ...options,
    ...['--crate-name=dwarf_reader', '--crate-type=cdylib', '--edition=2021', '-D', 'warnings'],
    ...['--extern', `gimli=${library}`, '-C', 'lto=fat', '-C', 'strip=symbols'],
    ...['-C', 'linker=wasm-ld-19', '-C', 'linker-flavor=wasm-ld'],
    ...link.flatMap((one) => ['-C', `link-arg=${one}`]),
    ...[join(here, 'dwarf/lib.rs'), '-o', output],
  ])
}

/** `OldRemangler.cpp` is only for tools that mangle. */
const swiftSources = [
  ...['Context', 'Demangler', 'ManglingUtils', 'NodeDumper', 'NodePrinter', 'OldDemangler', 'Punycode', 'Remangler'],
]

function buildDemangler(work: string, output: string): void {
  const [vendored] = globSync(`${crates}/symbolic-demangle-*/vendor/swift`)
  if (vendored === undefined) throw new Error('the Swift demangler is missing: install librust-symbolic-demangle-dev')
  const swift = join(work, 'swift')
  cpSync(vendored, swift, { recursive: true })
  // The package changes what Apple's short form prints: it leaves out the labels of parameters. Apple's own form has them.
  run('patch', ['--reverse', '--strip=4', '--silent', `--directory=${swift}`, `--input=${swift}/1-arguments.patch`])
  run('clang++-19', [
    ...['--target=wasm32-wasi', '-mexec-model=reactor', '-std=c++17', '-O2', '-DNDEBUG', '-w'],
    ...['-fno-exceptions', '-fno-rtti', '-fno-threadsafe-statics', '-ffunction-sections', '-fdata-sections'],
    '-DLLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1',
    ...[`-I${swift}/include`, `-I${swift}/stdlib/public`],
    ...['demangle', 'arena'].map((name) => join(here, `demangle/${name}.cpp`)),
    ...swiftSources.map((name) => `${swift}/lib/Demangling/${name}.cpp`),
    // The arena and the stack. If the stack overflows, it is below all data, and the access traps.
    ...['--gc-sections', '--strip-all', '--stack-first', '-z,stack-size=2097152'].map((one) => `-Wl,${one}`),
    ...['--initial-memory=20971520', '--max-memory=20971520'].map((one) => `-Wl,${one}`),
    ...['-o', output],
  ])
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

export interface Manifest {
  /** Debian's versions. */
  readonly packages: Readonly<Record<string, string>>
  /** The SHA-256 of each source in this folder. */
  readonly sources: Readonly<Record<string, string>>
  /** The SHA-256 of each module. */
  readonly modules: Readonly<Record<string, string>>
}

export function hashSources(): Manifest['sources'] {
  const files = globSync('{build.ts,dwarf/*,demangle/*}', { cwd: here }).map((file) => file.replaceAll('\\', '/'))
  return hashFiles(here, files.sort())
}

export function hashFiles(folder: string, files: readonly string[]): Readonly<Record<string, string>> {
  const hash = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
  return Object.fromEntries(files.map((file) => [file, hash(file)]))
}

export function readPackageVersions(): Manifest['packages'] {
  return Object.fromEntries(
    packages.map((name) => [name, run('dpkg-query', ['--show', `--showformat=\${Version}`, name]).trim()]),
  )
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename) {
  const { values } = parseArgs({ options: { target: { type: 'string', default: here } } })
  buildModules(values.target)
  const manifest: Manifest = {
    packages: readPackageVersions(),
    sources: hashSources(),
    modules: hashFiles(values.target, moduleFiles),
  }
  writeFileSync(join(values.target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
