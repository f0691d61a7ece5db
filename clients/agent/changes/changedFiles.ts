/** The files that differ between a commit and the worktree, with those that are not added to git. */
import type { QuietGit } from './quietGit.ts'
import { splitAtZeros } from './zeroSeparated.ts'

export interface ChangedFile {
  readonly path: string
  /** Only if the status is RENAMED. */
  readonly oldPath?: string
  readonly status: 'ADDED' | 'MODIFIED' | 'DELETED' | 'RENAMED'
  /**
   * Only TEXT has lines and is in the diff. BINARY: it has bytes that are no text, or an attribute makes it one. LFS: git has a pointer to it.
   * FILTERED: git converts it by a program that is not started here, for example to encrypt it. SUBMODULE: another repository.
   */
  readonly content: 'TEXT' | 'BINARY' | 'SUBMODULE' | 'LFS' | 'FILTERED'
  /** Lines; null unless it is TEXT. */
  readonly added: number | null
  readonly removed: number | null
}

/** One difference, as `git diff --raw` describes it. */
export interface Difference {
  /** The name in the worktree; of a deleted file, that in the commit. */
  readonly path: Buffer
  readonly oldPath: Buffer | undefined
  readonly status: ChangedFile['status']
  /** Git prints a file that becomes a link, or the other way round, as two patches. */
  readonly patches: 1 | 2
  readonly isSubmodule: boolean
  readonly oldId: string
  /** Undefined if git has not stored the content. */
  readonly newId: string | undefined
  /** Undefined: it is binary. */
  readonly lines: { readonly added: number; readonly removed: number } | undefined
}

export interface Differences {
  readonly differences: readonly Difference[]
  /** The number of differences that are not listed. */
  readonly omitted: number
}

const slash = '/'.charCodeAt(0)

/** The maximum number of changed files that are listed. */
export const filesMax = 2_000

/** The same for all reads, so that they have the same order. No setting of the repository or of a person changes the result. */
export const diffOptions = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--find-renames=50%',
  '-l1000',
  '-O/dev/null',
]

export interface Untracked {
  /** Folders of other repositories, which are not submodules. */
  readonly repositories: readonly Buffer[]
  /** The number of untracked files that are left out. */
  readonly omitted: number
}

/** Adds the untracked files to the copy of the index, without their content, so that `git diff` shows them. */
export async function noteUntracked(git: QuietGit): Promise<Untracked> {
  const files: Buffer[] = []
  const repositories: Buffer[] = []
  let omitted = 0
  for await (const path of splitAtZeros(git.stream(['ls-files', '--others', '--exclude-standard', '-z']))) {
    if (files.length + repositories.length === filesMax) omitted += 1
    else if (path.at(-1) === slash) repositories.push(path.subarray(0, -1))
    else files.push(path)
  }
  if (files.length > 0) {
    const input = Buffer.concat(files.flatMap((path) => [path, Buffer.of(0)]))
    const args = ['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul']
    for await (const _ of git.stream(args, input));
  }
  return { repositories, omitted }
}

export async function readDifferences(git: QuietGit, since: string): Promise<Differences> {
  const parts = splitAtZeros(git.stream([...diffOptions, '--raw', '--no-abbrev', '--numstat', '-z', since, '--']))
  const next = async (): Promise<Buffer> => {
    const part = await parts.next()
    if (part.done) throw new Error('The output of git diff ends too early.')
    return part.value
  }
  const found = new Map<string, Difference>()
  let omitted = 0
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    const head = part.value.toString('latin1')
    if (head.startsWith(':')) {
      const letter = head.split(' ')[4]?.[0] ?? ''
      const names = letter === 'R' ? [await next(), await next()] : [await next()]
      // A conflict is listed twice: as unmerged, and as a change of the file in the worktree.
      if (letter === 'U') continue
      const difference = readRaw(head, letter, names)
      const key = difference.path.toString('latin1')
      if (found.size < filesMax) found.set(key, difference)
      else omitted += 1
    } else {
      const [, added = '-', removed = '-', name = ''] = /^([\d-]+)\t([\d-]+)\t(.*)$/s.exec(head) ?? []
      const old = name === '' ? await next() : undefined
      const key = old ? (await next()).toString('latin1') : name
      const difference = found.get(key)
      const lines = added === '-' ? undefined : { added: Number(added), removed: Number(removed) }
      if (difference) found.set(key, { ...difference, lines })
    }
  }
  return { differences: [...found.values()], omitted }
}

const statuses: Readonly<Record<string, ChangedFile['status']>> = { A: 'ADDED', D: 'DELETED', R: 'RENAMED' }

function readRaw(head: string, letter: string, names: readonly Buffer[]): Difference {
  const [oldMode, newMode, oldId = '', newId = ''] = head.slice(1).split(' ')
  const [first = Buffer.alloc(0), second] = names
  return {
    path: second ?? first,
    oldPath: second && first,
    status: statuses[letter] ?? 'MODIFIED',
    patches: letter === 'T' ? 2 : 1,
    isSubmodule: oldMode === '160000' || newMode === '160000',
    oldId,
    newId: /^0+$/.test(newId) ? undefined : newId,
    lines: undefined,
  }
}
