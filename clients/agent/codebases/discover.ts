import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The maximum depth of folders below a root that are searched. A root itself is at depth 0. */
const deepest = 5
const passedOver = new Set(['node_modules', 'vendor', 'Library'])

/** Returns the repositories below the roots, by resolved path. It follows no links and does not search inside a repository. */
export async function discoverRepositories(roots: readonly string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const root of roots) {
    const real = await realpath(root).catch(() => undefined)
    if (real) await walk(real, 0, found)
  }
  return [...found].sort()
}

async function walk(folder: string, depth: number, found: Set<string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const dotGit = entries.find((entry) => entry.name === '.git')
  if (dotGit?.isDirectory()) {
    found.add(folder)
    return
  }
  // A `.git` file belongs to a linked worktree or a submodule. Its repository reports it.
  if (dotGit || depth === deepest) return
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith('.') || passedOver.has(entry.name)) continue
    await walk(join(folder, entry.name), depth + 1, found)
  }
}

/**
 * Returns a text that changes if a repository's branches, heads, remotes or worktrees change: the times of git's own files, read
 * without running git. Contents of files in the worktree do not affect a report.
 */
export async function fingerprint(repository: string): Promise<string> {
  const gitFolder = join(repository, '.git')
  const files = [
    'HEAD',
    'config',
    'packed-refs',
    'FETCH_HEAD',
    'logs/HEAD',
    'refs/heads',
    'refs/remotes',
    'worktrees',
    'index',
  ]
  const worktrees = await readdir(join(gitFolder, 'worktrees')).catch(() => [])
  for (const name of worktrees)
    files.push(...['HEAD', 'logs/HEAD', 'locked'].map((file) => `worktrees/${name}/${file}`))
  for (const folder of await foldersOf(join(gitFolder, 'refs'))) files.push(`refs/${folder}`)
  const times = await Promise.all(
    files.map((file) =>
      stat(join(gitFolder, file)).then(
        (found) => `${found.mtimeMs}:${found.size}`,
        () => '-',
      ),
    ),
  )
  return times.join(' ')
}

/** Returns folders of refs. Their times change if a ref in them changes. The limit is enough for usual branch names. */
async function foldersOf(refs: string, below = '', left = { count: 200 }): Promise<string[]> {
  const entries = await readdir(join(refs, below), { withFileTypes: true }).catch(() => [])
  const folders: string[] = []
  for (const entry of entries) {
    if (!entry.isDirectory() || left.count-- <= 0) continue
    const path = join(below, entry.name)
    folders.push(path, ...(await foldersOf(refs, path, left)))
  }
  return folders
}
