/**
 * The paths that a glob matches. `*`, `?`, `[…]` and `{a,b}` match in one name, names that begin with a dot included. `**` matches any number
 * of folders. A link is matched, but `**` does not follow it. Packages for globs leave links out if they do not follow them.
 */
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import picomatch from 'picomatch'

/** @returns absolute paths, each once */
export async function expandGlob(glob: string, folder: string): Promise<readonly string[]> {
  let paths: ReadonlySet<string> = new Set([isAbsolute(glob) ? '/' : folder])
  for (const segment of glob.split('/')) {
    if (segment === '' || segment === '.') continue
    const next = new Set<string>()
    for (const path of paths) for await (const match of matchSegment(segment, path)) next.add(match)
    paths = next
  }
  return [...paths]
}

async function* matchSegment(segment: string, folder: string): AsyncGenerator<string> {
  if (segment === '..') yield dirname(folder)
  else if (segment === '**') yield* walk(folder)
  else if (picomatch.scan(segment).isGlob) {
    const isMatch = picomatch(segment, { dot: true, nonegate: true })
    for (const { name } of await list(folder)) if (isMatch(name)) yield join(folder, name)
  } else {
    const path = join(folder, segment)
    if (await exists(path)) yield path
  }
}

/** The folder, and everything below it. */
async function* walk(folder: string): AsyncGenerator<string> {
  yield folder
  for (const entry of await list(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else yield path
  }
}

/** A folder that cannot be read, or a file, has no matches. */
function list(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => [])
}

export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
