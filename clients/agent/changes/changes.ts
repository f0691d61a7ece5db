/** The changes of a worktree since a run began: what it has done there, committed or not. */
import { type ChangesBase, markOf } from './base.ts'
import { type ChangedFile, type Difference, noteUntracked, readDifferences } from './changedFiles.ts'
import { type Commits, readCommits } from './commits.ts'
import { isSameLfsFile, readFilters } from './filters.ts'
import { readPatches } from './patches.ts'
import { type QuietGit, withQuietGit } from './quietGit.ts'

export interface Changes extends Commits {
  /** With files that are not committed or not added. Ignored files are not in it. */
  readonly files: readonly ChangedFile[]
  /** The number of changed files that are not listed. */
  readonly omittedFiles: number
  /** The patches of whole files, in the order of `files`. Bytes that are no UTF-8 are replaced. */
  readonly diff: string
  /** The names of the TEXT files that are not in the diff, because it would be too large. */
  readonly omittedFromDiff: readonly string[]
}

/** The maximum size of the diff, in bytes. */
const diffMax = 256 * 1024

/**
 * Returns the changes since the base. It only reads: the index, the objects and the files stay as they are, and no program
 * that the repository names is started.
 * @param signal ends it
 * @throws GitError if the commit or the tree does not exist, or git takes too long
 */
export async function readChanges(worktree: string, base: ChangesBase, signal?: AbortSignal): Promise<Changes> {
  const { commit, tree, objects } = base
  for (const id of [commit, tree])
    if (!/^[0-9a-f]{40,64}$/.test(id)) throw new TypeError(`“${id}” is not the ID of a commit or a tree.`)
  const read = async (git: QuietGit): Promise<Changes> => {
    const commits = await readCommits(git, commit)
    const untracked = await noteUntracked(git)
    const { differences, omitted } = await readDifferences(git, tree)
    const described = await describe(git, differences, base)
    const patches = await readPatches(git, tree, differences, {
      isWanted: (difference) => described.get(difference)?.content === 'TEXT',
      bytes: diffMax,
    })
    const files = differences.flatMap((difference, index) => {
      const file = described.get(difference)
      return file ? [{ file, patch: patches?.[index] }] : []
    })
    return {
      ...commits,
      files: [...files.map(({ file }) => file), ...untracked.repositories.map(describeRepository)],
      omittedFiles: untracked.omitted + omitted,
      diff: files.map(({ patch }) => patch?.toString() ?? '').join(''),
      omittedFromDiff: files.flatMap(({ file, patch }) => (file.content === 'TEXT' && !patch ? [file.path] : [])),
    }
  }
  return withQuietGit(worktree, read, { moreObjects: objects, signal })
}

/** Leaves out files of Git LFS that are only touched, and large files that are as they were before the run. */
async function describe(
  git: QuietGit,
  differences: readonly Difference[],
  { large }: ChangesBase,
): Promise<Map<Difference, ChangedFile>> {
  const filters = await readFilters(git, differences)
  const described = new Map<Difference, ChangedFile>()
  for (const difference of differences) {
    const content = contentOf(difference, filters.get(difference.path.toString('latin1')))
    if (content === 'LFS' && (await isSameLfsFile(git, difference))) continue
    const { path, oldPath, status, lines } = difference
    const mark = large[path.toString()]
    if (mark !== undefined && mark === (await markOf(git.worktree, path.toString()))) continue
    described.set(difference, {
      path: path.toString(),
      ...(oldPath ? { oldPath: oldPath.toString() } : {}),
      status,
      content,
      added: content === 'TEXT' ? (lines?.added ?? 0) : null,
      removed: content === 'TEXT' ? (lines?.removed ?? 0) : null,
    })
  }
  return described
}

function describeRepository(path: Buffer): ChangedFile {
  return { path: path.toString(), status: 'ADDED', content: 'SUBMODULE', added: null, removed: null }
}

function contentOf({ isSubmodule, lines }: Difference, filter: string | undefined): ChangedFile['content'] {
  if (isSubmodule) return 'SUBMODULE'
  if (filter !== undefined) return filter === 'lfs' ? 'LFS' : 'FILTERED'
  return lines ? 'TEXT' : 'BINARY'
}
