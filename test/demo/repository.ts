/** A git repository with two worktrees, made for the demo. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Repository {
  readonly path: string
  /** The second worktree, on a branch of its own. */
  readonly worktree: string
}

export async function makeRepository(folder: string): Promise<Repository> {
  const path = join(folder, 'orders')
  const worktree = join(folder, 'orders-checkout')
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.com', ...args], { cwd: path })
  await mkdir(path, { recursive: true })
  await git('init', '--quiet', '--initial-branch=main')
  await writeFile(join(path, 'README.md'), '# Orders\n')
  await git('add', '.')
  await git('commit', '--quiet', '-m', 'Begin')
  await git('worktree', 'add', '--quiet', '-b', 'checkout', worktree)
  return { path, worktree }
}
