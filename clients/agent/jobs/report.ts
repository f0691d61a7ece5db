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

/** Tells the control plane how the attempt ended, until it has heard it. Throws what uplink.ask throws. */
export async function reportResult(
  uplink: Uplink,
  folder: JobFolder,
  ended: Ended,
  signal: AbortSignal,
): Promise<void> {
  const { jobId, attempt } = folder
  if (ended.result.refused && (await refuse(uplink, folder, ended.result, signal))) return
  const { concluded: _, refused: __, ...result } = await conclude(folder, ended)
  const log = await digest(folder.output)
  const input: CompleteInput = { jobId, attempt, ...result, logChunks: log.chunks, logSha256: log.sha256 }
  await uplink.ask(completeJob, input, signal)
}

/** False when the control plane has no ear for a refusal any more; then it is told as a failure. */
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

/** Adds what the job has made; it is found out once and kept, since the worktree may go before the result is heard. */
async function conclude(folder: JobFolder, { kind, spec, result, setup }: Ended): Promise<JobResult> {
  if (result.concluded || result.refused) return result
  let concluded: JobResult
  try {
    const told = kind === 'CREATE_WORKTREE' || kind === 'REMOVE_WORKTREE' ? await inItsWords(folder, result) : result
    concluded = { ...told, concluded: true, result: fitted(await concludeJob(kind, spec, result, folder, setup)) }
  } catch (error) {
    const errorMessage = `It ended well, but its result can’t be found: ${messageOf(error)}`
    concluded = { ...result, concluded: true, outcome: 'FAILED', errorCode: 'RESULT_MISSING', errorMessage }
  }
  await writeRecord(folder, 'result', concluded)
  return concluded
}

/**
 * Whoever looks at a worktree sees no log: why git refused stands where its exit code would, and behind a preparation that failed
 * stands what it said last.
 */
async function inItsWords(folder: JobFolder, result: JobResult): Promise<JobResult> {
  if (result.errorCode === 'PREPARATION_FAILED') {
    const last = (await tail(folder.output, 'STDERR', 2_000)).trim().split('\n').at(-1)?.slice(0, 200)
    return last ? { ...result, errorMessage: `${result.errorMessage} It said: ${last}` } : result
  }
  if (result.errorCode !== 'STEP_FAILED') return result
  const lines = (await tail(folder.output, 'STDERR', 2_000)).trim().split('\n')
  const words = lines.findLast((line) => /^(fatal|error): /.test(line)) ?? lines.at(-1)
  return words ? { ...result, errorMessage: words } : result
}
