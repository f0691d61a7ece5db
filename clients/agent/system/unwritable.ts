/** The reason that a job gives if the agent cannot write to its state folder. Mostly the disk is full. */
import { statfs } from 'node:fs/promises'
import { errnoOf, messageOf } from '../failures.ts'

/** A disk with less free space, in bytes, counts as full. */
const leastBytes = 1024 * 1024

/** Seconds between the request to end and the kill of processes whose output cannot be stored. */
export const unwritableGraceSeconds = 2

export interface UnwritableReason {
  readonly errorCode: 'DISK_FULL' | 'AGENT_ERROR'
  readonly errorMessage: string
}

/** @param doing what could not be done, for example “The job could not be started” */
export function explainUnwritable(folder: string, error: unknown, doing: string): UnwritableReason {
  if (isNoSpace(error)) return diskFull(folder)
  return { errorCode: 'AGENT_ERROR', errorMessage: `${doing}: ${messageOf(error)}` }
}

export function diskFull(folder: string): UnwritableReason {
  return {
    errorCode: 'DISK_FULL',
    errorMessage: `The disk with the folder ${folder} of the machine is full, so the job could not go on. Free some space, and start it again.`,
  }
}

/** ENOSPC: no block or inode is left. EDQUOT: the quota of the user is used up. */
export function isNoSpace(error: unknown): boolean {
  const code = errnoOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Whether a process that wrote to the folder has probably ended because of a full disk. */
export async function isDiskFull(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(folder)
    // A file system without a fixed number of files reports 0.
    return bavail * bsize < leastBytes || (files > 0 && ffree === 0)
  } catch {
    return false
  }
}
