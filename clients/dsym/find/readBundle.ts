/** The files of a bundle that are uploaded: `Contents/Info.plist` and those in `Contents/Resources/DWARF`. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, messageOf } from '../failures.ts'
import { compareBytes } from './compareBytes.ts'

export interface BundleFile {
  /** The path in the bundle, with slashes. */
  readonly name: string
  /** The file on the disk. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

export interface Bundle {
  readonly path: string
  /** In the order of the bytes of their names. */
  readonly files: readonly BundleFile[]
}

const infoPlist = 'Contents/Info.plist'
const dwarfFolder = 'Contents/Resources/DWARF'
/** The server refuses a zip with such a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject
const refusedName = /[\\\u0000-\u001f\u007f]/
/** Files that macOS adds to any folder. */
const finderFile = /^(?:\.DS_Store|\._.*)$/s

/**
 * Links are followed, wherever they lead: a build system may keep the files of a bundle elsewhere. Only the files that they lead to are
 * read, never folders, so a loop of links ends with an error of the file system.
 * @returns undefined if the bundle has no DWARF file
 * @param warn receives a sentence for each file that is left out, and for the bundle
 */
export async function readBundle(path: string, warn: (text: string) => void): Promise<Bundle | undefined> {
  const folder = join(path, dwarfFolder)
  const names = await readdir(folder).catch(() => [])
  const symbols: BundleFile[] = []
  for (const name of names) {
    if (finderFile.test(name)) continue
    const file = refusedName.test(name)
      ? 'its name has a backslash or a control character'
      : await describeFile(`${dwarfFolder}/${name}`, path)
    if (typeof file === 'string') warn(`${join(folder, name)} is left out: ${file}.`)
    else symbols.push(file)
  }
  if (symbols.length === 0) {
    warn(
      `${path} is skipped: it has no file in ${dwarfFolder}. Check that DEBUG_INFORMATION_FORMAT is dwarf-with-dsym.`,
    )
    return undefined
  }
  const plist = await describeFile(infoPlist, path)
  if (typeof plist === 'string') warn(`${join(path, infoPlist)} is left out: ${plist}. The dSYM has no version.`)
  const files = typeof plist === 'string' ? symbols : [plist, ...symbols]
  return { path, files: files.sort((a, b) => compareBytes(a.name, b.name)) }
}

/** @returns the reason if it is no file that can be read */
async function describeFile(name: string, bundle: string): Promise<BundleFile | string> {
  const path = join(bundle, name)
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return 'it is a folder, or a link to one'
    // To open a pipe or a device could wait forever.
    return stats.isFile() ? { name, path, size: stats.size } : 'it is not a file'
  } catch (error) {
    return reasonOf(errnoOf(error) ?? messageOf(error))
  }
}

function reasonOf(code: string): string {
  if (code === 'ELOOP') return 'its links lead in a circle'
  if (code === 'ENOENT') return 'it does not exist, or is a link to a file that does not exist'
  return `it cannot be read (${code})`
}
