/** Writes the folder of a skill into a worktree, and removes it. A file that the agent has not written is never replaced or deleted. */
import { lstat, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SkillArchiveFile } from '../../../spec/work/skills/skillArchive.ts'
import { skillIgnoreFile, skillMarker } from '../../../spec/work/skills/skillPath.ts'
import { errnoOf } from '../failures.ts'
import { writeAtomic } from '../system/files.ts'
import { git } from '../system/git.ts'
import { findFolder, ignoreText, isAgentFile, type SkillMarker } from './skillMarker.ts'

export interface SkillPlace {
  readonly worktree: string
  /** Relative to the worktree. */
  readonly folder: string
}

/**
 * After each write, the agent recognizes the folder as its own, and git leaves it out. So a crash between two writes does no harm.
 * @throws Error if the folder cannot be written, for example because a part of its path is a symbolic link
 */
export async function writeSkill(
  { worktree, folder }: SkillPlace,
  marker: Omit<SkillMarker, 'files'>,
  files: readonly SkillArchiveFile[],
): Promise<void> {
  await makeFolders(worktree, folder)
  const path = join(worktree, folder)
  await writeAtomic(join(path, skillIgnoreFile), ignoreText, 0o644)
  const content = JSON.stringify({ ...marker, files: files.map((file) => file.path) })
  await writeAtomic(join(path, skillMarker), `${content}\n`, 0o644)
  for (const file of files) {
    await makeFolders(path, dirname(file.path))
    await writeNew(join(path, file.path), file.bytes, file.executable ? 0o755 : 0o644)
  }
}

/**
 * Removes what the agent has placed. Files that were added since stay, and git goes on to leave them out.
 * @param tracked the files of the worktree that git tracks. A checkout may have put a skill of the repository into the folder
 */
export async function removeSkill({ worktree, folder }: SkillPlace, tracked: ReadonlySet<string>): Promise<void> {
  const path = join(worktree, folder)
  const found = await findFolder(path)
  if (found.kind !== 'OURS') return
  if (await isBehindLink(worktree, folder)) return
  const remove = async (name: string) => {
    if (tracked.has(`${folder}/${name}`) || (await isBehindLink(path, name))) return
    await rm(join(path, name), { force: true }).catch(() => {})
  }
  const files = found.marker?.files ?? []
  for (const file of files) await remove(file)
  await removeEmptyFolders(path, files)
  const left = await readdir(path)
  const isOfRepository = left.some((name) => [...tracked].some((one) => `${one}/`.startsWith(`${folder}/${name}/`)))
  if (!left.every(isAgentFile) && !isOfRepository) return
  // The file that hides the others from git is the last one.
  for (const name of left.filter(isAgentFile).sort((a, b) => b.length - a.length)) await remove(name)
  for (let at = folder; at !== '.'; at = dirname(at)) if (!(await removeIfEmpty(join(worktree, at)))) return
}

/** The files below folders that git tracks, relative to the worktree, even if the worktree does not have them now. */
export async function listTracked(worktree: string, folders: readonly string[]): Promise<ReadonlySet<string>> {
  const output = await git(worktree, ['--literal-pathspecs', 'ls-files', '-z', '--', ...folders])
  return new Set(output.split('\0').filter((name) => name !== ''))
}

/** Creates one folder after the other, because a symbolic link on the way would lead elsewhere. */
async function makeFolders(top: string, relative: string): Promise<void> {
  if (relative === '.') return
  let at = top
  for (const name of relative.split('/')) {
    at = join(at, name)
    try {
      await mkdir(at)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
      const found = await lstat(at)
      if (!found.isDirectory())
        throw new Error(`${at} is ${found.isSymbolicLink() ? 'a symbolic link' : 'not a folder'}`)
    }
  }
}

async function isBehindLink(top: string, relative: string): Promise<boolean> {
  let at = top
  for (const name of dirname(relative).split('/')) {
    at = join(at, name)
    const found = await lstat(at).catch(() => undefined)
    if (found !== undefined && !found.isDirectory()) return true
  }
  return false
}

/** Fails if the file exists, also as a symbolic link. */
async function writeNew(path: string, content: Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    await file.writeFile(content)
  } finally {
    await file.close()
  }
}

async function removeEmptyFolders(top: string, files: readonly string[]): Promise<void> {
  const folders = new Set<string>()
  for (const file of files) for (let at = dirname(file); at !== '.'; at = dirname(at)) folders.add(at)
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) await removeIfEmpty(join(top, folder))
}

async function removeIfEmpty(path: string): Promise<boolean> {
  return rmdir(path).then(
    () => true,
    (error) => errnoOf(error) === 'ENOENT',
  )
}
