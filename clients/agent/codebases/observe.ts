import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../failures.ts'
import { preparedBy } from '../jobs/unfinished.ts'
import { listWorktrees } from '../jobs/worktreeList.ts'
import { redact } from '../log.ts'
import type { CodebaseReport } from '../operations.ts'
import { git, gitLine, withoutCredentials } from '../system/git.ts'

/** The maximum number of branches in a report, which also contains their total number. */
const mostBranches = 500

/** Reads the current state of a repository from git. Never throws: an error is reported in `statusError`. */
export async function observe(path: string, now: () => Date = () => new Date()): Promise<CodebaseReport> {
  const lastCheckedAt = now().toISOString()
  try {
    const [worktrees, branches, tracking, lastFetchedAt] = await Promise.all([
      listWorktrees(path),
      listBranches(path),
      observeTracking(path),
      fetchedAt(path),
    ])
    const own = worktrees[0]
    return {
      path,
      ...tracking,
      branch: own?.branch,
      headSha: own?.headSha,
      availability: 'PRESENT',
      lastCheckedAt,
      lastFetchedAt,
      branches: branches.slice(0, mostBranches),
      branchCount: branches.length,
      worktrees: worktrees
        .filter((worktree) => !worktree.prunable && preparedBy(worktree) === undefined)
        .map(({ path, branch, headSha }) => ({ path, branch, headSha })),
    }
  } catch (error) {
    const statusError = redact(messageOf(error)).slice(0, 500)
    return { path, syncState: 'UNKNOWN', availability: 'PRESENT', statusError, lastCheckedAt, worktrees: [] }
  }
}

/** The report of a repository that was present before and is now missing. */
export function missing(path: string, now: () => Date = () => new Date()): CodebaseReport {
  return { path, syncState: 'UNKNOWN', availability: 'MISSING', lastCheckedAt: now().toISOString(), worktrees: [] }
}

async function listBranches(path: string): Promise<string[]> {
  const text = await git(path, ['for-each-ref', '--format=%(refname:short)', 'refs/heads'])
  return text.split('\n').filter(Boolean)
}

type Tracking = Pick<CodebaseReport, 'observedOrigin' | 'upstream' | 'ahead' | 'behind' | 'syncState'>

async function observeTracking(path: string): Promise<Tracking> {
  const address = await gitLine(path, ['config', '--get', 'remote.origin.url'])
  const observedOrigin = address === undefined ? undefined : withoutCredentials(address)
  const upstream = await gitLine(path, ['rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}'])
  if (upstream === undefined) return { observedOrigin, syncState: 'NO_UPSTREAM' }
  const counts = await gitLine(path, ['rev-list', '--left-right', '--count', 'HEAD...@{upstream}'])
  const [ahead, behind] = counts?.split('\t').map(Number) ?? []
  if (ahead === undefined || behind === undefined) return { observedOrigin, upstream, syncState: 'UNKNOWN' }
  return { observedOrigin, upstream, ahead, behind, syncState: syncStateOf(ahead, behind) }
}

function syncStateOf(ahead: number, behind: number): CodebaseReport['syncState'] {
  if (ahead > 0) return behind > 0 ? 'DIVERGED' : 'AHEAD'
  return behind > 0 ? 'BEHIND' : 'CLEAN'
}

async function fetchedAt(path: string): Promise<string | undefined> {
  return stat(join(path, '.git', 'FETCH_HEAD')).then(
    (found) => found.mtime.toISOString(),
    () => undefined,
  )
}
