/** dSYM bundles for tests of the client, which does not read what is in their files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

export interface BundleRequest {
  /** Names of the files in `Contents/Resources/DWARF`, with the number of their bytes. */
  readonly files?: Readonly<Record<string, number>>
  readonly hasPlist?: boolean
}

/** Creates a bundle in the folder. @returns its path */
export function makeBundle(
  folder: string,
  name: string,
  { files = { App: 5_000 }, hasPlist = true }: BundleRequest = {},
): string {
  const bundle = join(folder, name)
  mkdirSync(join(bundle, 'Contents/Resources/DWARF'), { recursive: true })
  if (hasPlist) put(join(bundle, 'Contents/Info.plist'), `<plist>${name}</plist>\n`)
  for (const [file, size] of Object.entries(files))
    put(join(bundle, 'Contents/Resources/DWARF', file), pseudoRandom(size, file.length))
  return bundle
}

export function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** Bytes that compress a little, and are the same on every machine. */
export function pseudoRandom(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size)
  let state = seed + 1
  for (let at = 0; at < size; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = (state >>> 24) & (at % 64 < 32 ? 0x0f : 0xff)
  }
  return bytes
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-dsym-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
