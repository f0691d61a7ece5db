/** Real dSYMs, which the LLVM toolchain makes on any machine: clang compiles, lld links, and dsymutil collects the DWARF. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

type Program =
  | 'clang'
  | 'ld64.lld'
  | 'dsymutil'
  | 'llvm-lipo'
  | 'llvm-readobj'
  | 'llvm-objdump'
  | 'llvm-dwarfdump'
  | 'llvm-symbolizer'
  | 'llvm-cxxfilt'

/** Runs a program of LLVM, and returns its output. LLVM 14, which is Debian's default, writes wrong DWARF 5. */
export function llvm(name: Program, ...args: readonly string[]): string {
  return runLlvm(name, args)
}

export function runLlvm(
  name: Program,
  args: readonly string[],
  options: { cwd?: string; input?: string } = {},
): string {
  const maxBuffer = 1024 ** 3
  return execFileSync(`${name}-19`, args, { encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], maxBuffer, ...options })
}

/** The same for a run of many seconds. Meanwhile the process goes on, so its connections are closed in time. */
export async function runLlvmLong(name: Program, args: readonly string[], input: string): Promise<string> {
  const running = promisify(execFile)(`${name}-19`, args, { encoding: 'utf8', maxBuffer: 1024 ** 3 })
  running.child.stdin?.end(input)
  return (await running).stdout
}

export interface DsymRequest {
  readonly arch: 'arm64' | 'arm64_32' | 'x86_64'
  /** `none`: the app is compiled without debug symbols, and its dSYM has only a symbol table. */
  readonly dwarfVersion: 4 | 5 | 'none'
  readonly source?: string
}

const platforms = {
  arm64: ['arm64-apple-ios14', 'ios', '14.0'],
  arm64_32: ['arm64_32-apple-watchos7', 'watchos', '7.0'],
  x86_64: ['x86_64-apple-macos11', 'macos', '11.0'],
} as const

const threeFunctions = `
__attribute__((noinline)) static int add(int a, int b) { return a + b; }
__attribute__((noinline)) int multiply(int a, int b) { int sum = 0; while (b--) sum = add(sum, a); return sum; }
int main(int argc, char **argv) { return multiply(argc, 3); }
`

/** The library that every app links. dyld's symbol is what the linker looks for. */
const libSystem = `--- !tapi-tbd
tbd-version: 4
targets: [ arm64-ios, arm64_32-watchos, x86_64-macos ]
install-name: /usr/lib/libSystem.B.dylib
exports:
  - targets: [ arm64-ios, arm64_32-watchos, x86_64-macos ]
    symbols: [ dyld_stub_binder ]
...
`

export interface BuiltApp {
  readonly binary: string
  /** The Mach-O file in the dSYM. */
  readonly symbols: string
}

/** Builds a program of three functions in the folder, under the name of its architecture. */
export function buildApp(folder: string, { arch, dwarfVersion, source = threeFunctions }: DsymRequest): BuiltApp {
  const debug = dwarfVersion === 'none' ? [] : ['-g', `-gdwarf-${dwarfVersion}`]
  const place = join(folder, `${arch}-${dwarfVersion}`)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'app.c'), source)
  return buildProgram(place, { arch, sources: [join(place, 'app.c')], flags: [...debug, '-O1'] })
}

export interface ProgramRequest {
  readonly arch: DsymRequest['arch']
  /** Paths of sources, as they are given to the compiler: absolute, or from the folder. */
  readonly sources: readonly string[]
  readonly flags: readonly string[]
  /** Options of the linker. */
  readonly link?: readonly string[]
}

/** Builds a program, and its dSYM, in the folder. The object of `app.c` is `app.o`. */
export function buildProgram(folder: string, { arch, sources, flags, link = [] }: ProgramRequest): BuiltApp {
  const [target, platform, version] = platforms[arch]
  const path = (name: string) => join(folder, name)
  writeFileSync(path('libSystem.tbd'), libSystem)
  const objects = sources.map((source) => {
    const object = path(basename(source).replace(/\.\w+$/, '.o'))
    runLlvm('clang', [`--target=${target}`, ...flags, '-c', source, '-o', object], { cwd: folder })
    return object
  })
  const options = ['-arch', arch, '-platform_version', platform, version, version, '-e', '_main', ...link]
  const output = ['-o', path('App'), ...objects, path('libSystem.tbd')]
  runLlvm('ld64.lld', [...options, ...output], { cwd: folder })
  llvm('dsymutil', path('App'), '-o', path('App.dSYM'))
  return { binary: path('App'), symbols: path('App.dSYM/Contents/Resources/DWARF/App') }
}
