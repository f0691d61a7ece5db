import { digest, tail } from '../connection/spool.ts'
import type { Uplink } from '../connection/uplink.ts'
import { ControlPlaneError, isDisowning, messageOf } from '../failures.ts'
import { type CompleteInput, completeJob, type JobKind, refuseJob } from '../operations.ts'
import { fitted } from './fitted.ts'
import { type JobFolder, type JobResult, writeRecord } from './folder.ts'
import { concludeJob, type Setup } from './plan.ts'

export interface Ended {
  kind: JobKind
  spec: unknown
  result: JobResult
  setup: Setup
}

/** Reports the result of the attempt until the control plane has received it. Throws what uplink.ask throws. */
export async function reportResult(
  uplink: Uplink,
  folder: JobFolder,
  ended: Ended,
  signal: AbortSignal,
): Promise<void> {
  const { jobId, attempt } = folder
  if (ended.result.refused && (await refuse(uplink, folder, ended.result, signal))) return
  const { concluded: _, refused: __, collected: ___, ...result } = await conclude(folder, ended)
  const log = await digest(folder.output)
  const input: CompleteInput = { jobId, attempt, ...result, logChunks: log.chunks, logSha256: log.sha256 }
  await uplink.ask(completeJob, input, signal)
}

/** Returns false if the offer has expired. The caller then reports a failure instead. */
async function refuse(
  uplink: Uplink,
  { jobId, attempt }: JobFolder,
  result: JobResult,
  signal: AbortSignal,
): Promise<boolean> {
  const { errorCode: code = 'BAD_SPEC', errorMessage: message = 'The job was refused.' } = result
  try {
    await uplink.ask(refuseJob, { jobId, attempt, code, message }, signal)
    return true
  } catch (error) {
    if (error instanceof ControlPlaneError && isDisowning(error)) return false
    throw error
  }
}

/** Adds the result of the job. It is computed once and stored, since the worktree may be removed before the result is reported. */
async function conclude(folder: JobFolder, { kind, spec, result, setup }: Ended): Promise<JobResult> {
  if (result.concluded || result.refused) return result
  let concluded: JobResult
  try {
    const explained =
      kind === 'CREATE_WORKTREE' || kind === 'REMOVE_WORKTREE' ? await withLastOutput(folder, result) : result
    concluded = { ...explained, concluded: true, result: fitted(await concludeJob(kind, spec, result, folder, setup)) }
  } catch (error) {
    // Another outcome has a reason of its own.
    concluded = { ...result, concluded: true, ...(result.outcome === 'SUCCEEDED' ? withoutResult(error) : {}) }
  }
  // On a full disk it is reported from memory.
  await writeRecord(folder, 'result', concluded).catch(() => {})
  return concluded
}

function withoutResult(error: unknown) {
  const errorMessage = `It ended well, but its result can’t be found: ${messageOf(error)}`
  return { outcome: 'FAILED', errorCode: 'RESULT_MISSING', errorMessage } as const
}

/**
 * Adds output to the error message, because a worktree has no log in the console: git's reason instead of its exit code, and the last
 * line of a failed preparation.
 */
async function withLastOutput(folder: JobFolder, result: JobResult): Promise<JobResult> {
  if (result.errorCode === 'PREPARATION_FAILED') {
    const last = (await tail(folder.output, 'STDERR', 2_000)).trim().split('\n').at(-1)?.slice(0, 200)
    return last ? { ...result, errorMessage: `${result.errorMessage} Its last output: ${last}` } : result
  }
  if (result.errorCode !== 'STEP_FAILED') return result
  const lines = (await tail(folder.output, 'STDERR', 2_000)).trim().split('\n')
  const words = lines.findLast((line) => /^(fatal|error): /.test(line)) ?? lines.at(-1)
  return words ? { ...result, errorMessage: words } : result
}
