/**
 * The changes that a run makes in its worktree. Its content is stored before the run. After the run, the differences become the last events
 * of the run. If the agent restarts between these events and their acknowledgement, it may write them again; the last ones count.
 */
import { join } from 'node:path'
import { storeBase } from '../changes/base.ts'
import { readChanges } from '../changes/changes.ts'
import { type ChangesEvent, toChangesEvents } from '../changes/changesEvents.ts'
import { SpoolWriter } from '../connection/spool.ts'
import { messageOf } from '../failures.ts'
import type { Logger } from '../log.ts'
import { type JobFolder, readRecord, writeRecord } from './folder.ts'

/** A worktree that git can't describe, for example one without a commit, has no changes in its run. */
export async function beginChanges(folder: JobFolder, worktreePath: string, log: Logger): Promise<void> {
  try {
    const base = await storeBase(worktreePath, join(folder.path, 'objects'))
    await writeRecord(folder, 'base', { path: worktreePath, base })
  } catch (error) {
    log.warn('The changes of a run are not recorded.', { jobId: folder.jobId, reason: messageOf(error) })
  }
}

/**
 * Milliseconds for the changes of a run that was canceled. The control plane waits 30 s for the end of the run, and ending its processes may
 * take 10 s of them.
 */
const canceledMs = 8_000

/**
 * @param isAlone whether no other run used the worktree meanwhile
 * @param isCanceled whether the control plane waits for the end of the run
 */
export async function endChanges(
  folder: JobFolder,
  { isAlone, isCanceled }: { readonly isAlone: boolean; readonly isCanceled: boolean },
  log: Logger,
): Promise<void> {
  const record = await readRecord(folder, 'base')
  if (record === undefined) return
  const { path, base } = record
  const signal = isCanceled ? AbortSignal.timeout(canceledMs) : undefined
  const events = await readChanges(path, base, signal).then(
    (changes) => toChangesEvents(changes, base.commit, !isAlone),
    (error): readonly ChangesEvent[] => {
      const problem = signal?.aborted
        ? `Git took longer than ${canceledMs / 1_000} s, and a canceled run ends without waiting longer.`
        : messageOf(error)
      log.warn('The changes of a run can’t be read.', { jobId: folder.jobId, reason: problem })
      return [{ type: 'CHANGES', data: { commit: base.commit, problem: problem.slice(0, 1_000) } }]
    },
  )
  try {
    const spool = new SpoolWriter(folder.events)
    for (const event of events) spool.write('EVENT', Buffer.from(JSON.stringify(event)))
    spool.close()
  } catch (error) {
    // The run ends all the same, for example on a full disk.
    log.warn('The changes of a run can’t be stored.', { jobId: folder.jobId, reason: messageOf(error) })
  }
}
