/** Watches that a PLAN run changes nothing in its worktree. */
import { SpoolWriter } from '../connection/spool.ts'
import { messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { type JobFolder, type JobResult, readRecord, writeRecord } from './folder.ts'
import { differences, readWorktreeState } from './worktreeState.ts'

/** Names in the message. */
const shownMax = 5

/**
 * Stores the state of the worktree before the run. A repository that git cannot describe is not watched.
 * @throws if the state can't be stored. The run must not start then
 */
export async function beginPlanWatch(folder: JobFolder, worktreePath: string, log: Logger): Promise<void> {
  const state = await readWorktreeState(worktreePath).catch((error) => {
    log.warn('A PLAN run is not watched for changes.', { jobId: folder.jobId, reason: messageOf(error) })
    return undefined
  })
  if (state !== undefined) await writeRecord(folder, 'worktree', { path: worktreePath, state })
}

/** Returns the result, or a failure if the run succeeded and has changed the worktree. The failure is on disk then. */
export async function endPlanWatch(folder: JobFolder, result: JobResult, log: Logger): Promise<JobResult> {
  const before = result.outcome === 'SUCCEEDED' ? await readRecord(folder, 'worktree') : undefined
  if (before === undefined) return result
  const after = await readWorktreeState(before.path).catch((error) => {
    log.warn('The worktree of a PLAN run could not be compared.', { jobId: folder.jobId, reason: messageOf(error) })
    return undefined
  })
  const changed = after === undefined ? [] : differences(before.state, after)
  if (changed.length === 0) return result
  const more = changed.length > shownMax ? ` and ${changed.length - shownMax} more` : ''
  const errorMessage = `The run only plans, and it changed the worktree: ${changed.slice(0, shownMax).join(', ')}${more}.`
  const spool = new SpoolWriter(folder.output)
  spool.write('SYSTEM', Buffer.from(`${errorMessage}\n`))
  spool.close()
  const failed: JobResult = { ...result, outcome: 'FAILED', errorCode: 'PLAN_CHANGED_WORKTREE', errorMessage }
  await writeRecord(folder, 'result', failed)
  return failed
}
