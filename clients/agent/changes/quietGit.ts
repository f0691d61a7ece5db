/**
 * Git that only reads a worktree, whatever the configuration of the repository is: it starts no other program, asks no other machine and
 * writes only to a folder of its own.
 */
import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { GitError, git, gitStream, readOlderVersion } from '../system/git.ts'
import { splitAtZeros } from './zeroSeparated.ts'

export interface QuietGitOptions {
  /** A folder that keeps the objects which are written. Without it, they are removed. */
  readonly objects?: string
  /** A folder with more objects to read. */
  readonly moreObjects?: string | undefined
  /** Ends the commands when it aborts. */
  readonly signal?: AbortSignal | undefined
}

export interface QuietGit {
  readonly worktree: string
  /** Yields the output of a command. */
  stream(args: string[], input?: Buffer): AsyncGenerator<Buffer>
}

const settings: readonly (readonly [name: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.safecrlf', 'false'],
  ['core.splitIndex', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.quotePath', 'false'],
  ['protocol.allow', 'never'],
]

/**
 * Calls `use` with a git that has a copy of the index. The copy is removed afterwards. It needs git 2.31, the first that takes settings from
 * the environment.
 */
export async function withQuietGit<Result>(
  worktree: string,
  use: (git: QuietGit) => Promise<Result>,
  { objects: kept, moreObjects, signal }: QuietGitOptions = {},
): Promise<Result> {
  // At the same time, because a run waits for them before its CLI is started.
  const [version, ownIndex, ownObjects, filters] = await Promise.all([
    readOlderVersion(worktree, 31),
    locate(worktree, 'index'),
    locate(worktree, 'objects'),
    withoutFilters(worktree),
  ])
  if (version !== undefined)
    throw new Error(`The changes of a worktree need git 2.31 or newer; this machine has ${version}.`)
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-changes-'))
  try {
    const index = join(folder, 'index')
    const objects = kept ?? join(folder, 'objects')
    await mkdir(objects, { recursive: true })
    // A repository in which nothing was added has no index.
    await copyIndex(ownIndex, index).catch(() => {})
    const env = {
      ...asEnvironment([...settings, ...filters]),
      GIT_WORK_TREE: worktree,
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: listAlternates([ownObjects, moreObjects]),
      GIT_LITERAL_PATHSPECS: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: '',
    }
    return await use({
      worktree,
      stream: (args, input) =>
        gitStream(worktree, ['--no-pager', '--no-optional-locks', ...args], {
          env,
          signal,
          ...(input ? { input } : {}),
        }),
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Git takes a file for unchanged if its size and time are those in the index, unless it may have been written at the time of the index. So the
 * copy has the time of the original, not a later one.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from)
  await copyFile(from, to)
  const seconds = Math.floor(mtimeMs) / 1_000
  await utimes(to, seconds, seconds)
}

async function locate(worktree: string, name: string): Promise<string> {
  const path = await git(worktree, ['rev-parse', '--git-path', name])
  return resolve(worktree, path.replace(/\n$/, ''))
}

/** Git splits the variable at colons, unless a path is quoted. */
function listAlternates(paths: readonly (string | undefined)[]): string {
  const present = paths.filter((path) => path !== undefined)
  return present
    .map((path) => (path.includes(delimiter) || path.startsWith('"') ? JSON.stringify(path) : path))
    .join(delimiter)
}

/** Filters are programs that git starts to convert a changed file. Without them, git compares the files as they are. */
async function withoutFilters(worktree: string): Promise<readonly (readonly [string, string])[]> {
  const args = ['config', '--null', '--name-only', '--get-regexp', '^filter\\.']
  const names: string[] = []
  try {
    for await (const name of splitAtZeros(gitStream(worktree, args, { env: {} }))) names.push(name.toString())
  } catch (error) {
    // Exit code 1: there is none.
    if (!(error instanceof GitError && error.exitCode === 1)) throw error
  }
  const drivers = new Set(names.map((name) => name.slice(0, name.lastIndexOf('.'))))
  return [...drivers].flatMap((driver) => [
    [`${driver}.clean`, ''] as const,
    [`${driver}.process`, ''] as const,
    [`${driver}.required`, 'false'] as const,
  ])
}

/** Names of settings can have any character here, unlike with `-c`. */
function asEnvironment(pairs: readonly (readonly [string, string])[]): Record<string, string> {
  const entries = pairs.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ])
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(entries) }
}
