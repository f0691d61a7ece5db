/** The bundles and zips at the matched paths. */
import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { errnoOf, messageOf } from '../failures.ts'
import { compareBytes } from './compareBytes.ts'

export interface FoundPaths {
  /** Folders that are `.dSYM` bundles, in the order of their bytes. */
  readonly bundles: readonly string[]
  /** Files that are sent unchanged. */
  readonly zips: readonly string[]
}

const bundleEnd = /\.dSYM$/i
const zipEnd = /\.zip$/i

/** @param paths absolute paths @param warn receives a sentence for each path that is left out */
export async function findBundles(paths: readonly string[], warn: (text: string) => void): Promise<FoundPaths> {
  const bundles = new Set<string>()
  const zips = new Set<string>()
  const others: string[] = []
  for (const path of paths) {
    // A matched path may be a link itself. Only links inside of a folder are not followed.
    const kind = await kindOf(path)
    if (kind === 'folder' && bundleEnd.test(path)) bundles.add(path)
    else if (kind === 'folder') for (const bundle of await searchFolder(path, warn)) bundles.add(bundle)
    else if (kind === 'file' && zipEnd.test(path)) zips.add(path)
    else if (kind === 'file') others.push(path)
    else warn(`${path} is left out: ${reasons[kind]}.`)
  }
  warnOfOthers(others, bundles, warn)
  return { bundles: await withoutRepeats([...bundles]), zips: await withoutRepeats([...zips]) }
}

/** A glob such as `build/**` matches the files in bundles too, and many others, so there is one warning. */
function warnOfOthers(files: readonly string[], bundles: ReadonlySet<string>, warn: (text: string) => void): void {
  const outside = files.filter((path) => ![...bundles].some((bundle) => path.startsWith(`${bundle}${sep}`)))
  const [first] = outside
  if (first === undefined) return
  const more = outside.length > 1 ? ` So are ${outside.length - 1} other files.` : ''
  warn(`${first} is left out: only .dSYM bundles, folders and .zip files are uploaded.${more}`)
}

type PathKind = 'folder' | 'file' | 'other' | 'missing'

const reasons = {
  other: 'it is neither a file nor a folder',
  missing: 'it is a link to a path that does not exist, or cannot be read',
} as const

async function kindOf(path: string): Promise<PathKind> {
  const stats = await stat(path).catch(() => undefined)
  if (stats === undefined) return 'missing'
  if (stats.isDirectory()) return 'folder'
  return stats.isFile() ? 'file' : 'other'
}

/** A bundle is not searched for further bundles. */
async function searchFolder(folder: string, warn: (text: string) => void): Promise<readonly string[]> {
  const found: string[] = []
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await listFolder(next, warn)) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) (bundleEnd.test(entry.name) ? found : waiting).push(path)
      else if (entry.isSymbolicLink() && bundleEnd.test(entry.name))
        warn(`${path} is left out: links in a folder are not followed. Name it in dsym_paths to upload it.`)
    }
  }
  return found
}

async function listFolder(folder: string, warn: (text: string) => void): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    warn(`${folder} is left out: it cannot be read (${errnoOf(error) ?? messageOf(error)}).`)
    return []
  }
}

/** Two lines may match the same folder by two paths. */
async function withoutRepeats(paths: readonly string[]): Promise<readonly string[]> {
  const byRealPath = new Map<string, string>()
  for (const path of paths.toSorted(compareBytes)) {
    const real = await realpath(path)
    if (!byRealPath.has(real)) byRealPath.set(real, path)
  }
  return [...byRealPath.values()]
}
