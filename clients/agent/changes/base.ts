/** The content of a worktree before a run, with which it is compared after the run. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { GitError } from '../system/git.ts'
import { type QuietGit, withQuietGit } from './quietGit.ts'
import { splitAtZeros } from './zeroSeparated.ts'

export const ChangesBase = v.object({
  /** The ID of the commit. */
  commit: v.string(),
  /** The ID of the tree: the commit with the changes that were not committed. */
  tree: v.string(),
  /** The folder with the objects that the repository does not have. */
  objects: v.optional(v.string()),
  /**
   * Changed files that are too large to be stored, by name, with a mark that changes when the file is written. The tree has them as the commit
   * has them.
   */
  large: v.record(v.string(), v.string()),
})
export type ChangesBase = v.InferOutput<typeof ChangesBase>

/** The maximum size of one changed file, and of all together, in bytes. */
const fileMax = 1024 ** 2
const sumMax = 32 * 1024 ** 2
/** The maximum number of changed files. */
const countMax = 5_000

/**
 * Stores the worktree’s content in a folder of its own. The repository stays as it is.
 * @throws GitError, for example in a repository without a commit
 */
export async function storeBase(worktree: string, objects: string): Promise<ChangesBase> {
  return withQuietGit(
    worktree,
    async (git) => {
      const commit = await readLine(git, ['rev-parse', '--verify', 'HEAD'])
      const { stored, large } = await chooseFiles(git)
      await addFiles(git, stored)
      return { commit, tree: await readLine(git, ['write-tree']), objects, large }
    },
    { objects },
  )
}

/** A mark of a file that changes when the file is written. */
export async function markOf(worktree: string, name: string): Promise<string> {
  const file = await lstat(join(worktree, name), { bigint: true }).catch(() => undefined)
  return file ? `${file.size} ${file.mtimeNs} ${file.mode}` : 'absent'
}

async function chooseFiles(git: QuietGit): Promise<{ stored: Buffer[]; large: Record<string, string> }> {
  const args = ['ls-files', '--modified', '--others', '--exclude-standard', '--deduplicate', '-z']
  const stored: Buffer[] = []
  const large: Record<string, string> = {}
  let sum = 0
  for await (const path of splitAtZeros(git.stream(args))) {
    const name = path.toString()
    // Another repository, which is not a submodule.
    if (name.endsWith('/')) continue
    const file = await lstat(Buffer.concat([Buffer.from(join(git.worktree, '/')), path])).catch(() => undefined)
    const size = file?.isFile() ? file.size : 0
    if (stored.length >= countMax || size > fileMax || sum + size > sumMax) {
      large[name] = await markOf(git.worktree, name)
      continue
    }
    sum += size
    stored.push(path)
  }
  return { stored, large }
}

async function addFiles(git: QuietGit, paths: readonly Buffer[]): Promise<void> {
  if (paths.length === 0) return
  const input = Buffer.concat(paths.flatMap((path) => [path, Buffer.of(0)]))
  const args = ['add', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul']
  try {
    for await (const _ of git.stream(args, input));
  } catch (error) {
    // A file that can't be read is left out. The others are added.
    if (!(error instanceof GitError)) throw error
  }
}

async function readLine(git: QuietGit, args: string[]): Promise<string> {
  let text = ''
  for await (const data of git.stream(args)) text += data.toString()
  return text.trim()
}
