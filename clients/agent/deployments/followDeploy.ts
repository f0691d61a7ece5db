import { access } from 'node:fs/promises'
import type { Uplink } from '../connection/uplink.ts'
import { ConnectionLost, messageOf } from '../failures.ts'
import type { JobFolder } from '../jobs/folder.ts'
import type { Logger } from '../log.ts'
import { reportDeploymentProgress } from '../operations.ts'
import { sleep } from '../wait.ts'
import { runningFile } from './place.ts'

const lookMs = 200

/**
 * Reports that the installation begins, then that it runs, as soon as it does.
 * @param signal aborted when the execution has ended, or the attempt no longer belongs to this agent
 */
export async function followDeploy(folder: JobFolder, uplink: Uplink, signal: AbortSignal, log: Logger): Promise<void> {
  const { jobId, attempt } = folder
  const report = (phase: 'INSTALLING' | 'RUNNING') =>
    uplink.ask(reportDeploymentProgress, { jobId, attempt, phase }, signal)
  try {
    if (!(await isRunning(folder))) await report('INSTALLING')
    while (!(await isRunning(folder)) && !signal.aborted) await sleep(lookMs, signal)
    if (!signal.aborted) await report('RUNNING')
  } catch (error) {
    if (signal.aborted || error instanceof ConnectionLost) return
    log.warn('The progress of a deployment could not be reported.', { jobId, reason: messageOf(error) })
  }
}

function isRunning(folder: JobFolder): Promise<boolean> {
  return access(runningFile(folder)).then(
    () => true,
    () => false,
  )
}
