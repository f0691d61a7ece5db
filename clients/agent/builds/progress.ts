import { readFile } from 'node:fs/promises'
import type { Uplink } from '../connection/uplink.ts'
import { ConnectionLost, messageOf } from '../failures.ts'
import type { JobFolder } from '../jobs/folder.ts'
import type { Logger } from '../log.ts'
import { reportBuildProgress } from '../operations.ts'
import { sleep } from '../wait.ts'
import { commitFile } from './planBuild.ts'

const lookMs = 200

/** The commit of the build. Undefined if it was not checked out yet. */
export async function readCommit(folder: JobFolder): Promise<string | undefined> {
  const text = await readFile(commitFile(folder), 'utf8').catch(() => '')
  return text.trim() || undefined
}

/**
 * Reports that the commit is checked out, as soon as it is.
 * @param signal aborted when the execution has ended, or the attempt no longer belongs to this agent
 */
export async function reportBuilding(
  folder: JobFolder,
  uplink: Uplink,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  try {
    let commit = await readCommit(folder)
    for (; commit === undefined && !signal.aborted; commit = await readCommit(folder)) await sleep(lookMs, signal)
    if (commit !== undefined && !signal.aborted)
      await reportProgress(folder, uplink, { phase: 'BUILDING', commit }, signal)
  } catch (error) {
    if (signal.aborted || error instanceof ConnectionLost) return
    log.warn('The progress of a build could not be reported.', { jobId: folder.jobId, reason: messageOf(error) })
  }
}

export async function reportProgress(
  { jobId, attempt }: JobFolder,
  uplink: Uplink,
  progress: { readonly phase: 'BUILDING' | 'COLLECTING'; readonly commit: string },
  signal: AbortSignal,
): Promise<void> {
  await uplink.ask(reportBuildProgress, { jobId, attempt, ...progress }, signal)
}
