/** Real dSYMs, which the LLVM toolchain makes on any machine: clang compiles, lld links, and dsymutil collects the DWARF. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Program = 'clang' | 'ld64.lld' | 'dsymutil' | 'llvm-lipo' | 'llvm-readobj' | 'llvm-objdump' | 'llvm-dwarfdump'

/** Runs a program of LLVM, and returns its output. LLVM 14, which is Debian's default, writes wrong DWARF 5. */
export function llvm(name: Program, ...args: readonly string[]): string {
  return execFileSync(`${name}-19`, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
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
  const [target, platform, version] = platforms[arch]
  const place = join(folder, `${arch}-${dwarfVersion}`)
  mkdirSync(place, { recursive: true })
  const path = (name: string) => join(place, name)
  writeFileSync(path('app.c'), source)
  writeFileSync(path('libSystem.tbd'), libSystem)
  const debug = dwarfVersion === 'none' ? [] : ['-g', `-gdwarf-${dwarfVersion}`]
  llvm('clang', `--target=${target}`, ...debug, '-O1', '-c', path('app.c'), '-o', path('app.o'))
  const link = ['-arch', arch, '-platform_version', platform, version, version, '-e', '_main']
  llvm('ld64.lld', ...link, '-o', path('App'), path('app.o'), path('libSystem.tbd'))
  llvm('dsymutil', path('App'), '-o', path('App.dSYM'))
  return { binary: path('App'), symbols: path('App.dSYM/Contents/Resources/DWARF/App') }
}
