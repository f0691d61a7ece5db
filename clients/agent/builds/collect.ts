/** Stores the files that a build keeps, after its steps have ended and before its checkout is removed. */
import { join } from 'node:path'
import type { CredentialStore } from '../connection/credential.ts'
import { SpoolWriter } from '../connection/spool.ts'
import type { Uplink } from '../connection/uplink.ts'
import { ConnectionLost, ControlPlaneError, messageOf } from '../failures.ts'
import { type JobFolder, type JobResult, readRecord, writeRecord } from '../jobs/folder.ts'
import type { BuildSpec } from '../jobs/spec.ts'
import { createBuildArtifact } from '../operations.ts'
import { requireCodebase } from '../roots.ts'
import { FileNotSent, sendFile } from '../uploads/sendFile.ts'
import { checkoutPath } from './checkout.ts'
import { contentTypeOf } from './contentTypes.ts'
import { type FoundFile, findFiles, measureFile, TooManyFiles } from './findArtifacts.ts'
import { readCommit, reportProgress } from './progress.ts'
import { type AppFacts, readApp } from './readApp.ts'

export interface Collecting {
  readonly folder: JobFolder
  readonly spec: BuildSpec
  readonly roots: readonly string[]
  readonly uplink: Uplink
  readonly credentials: CredentialStore
  /** Aborted when the build is canceled or no longer belongs to this agent, and when the agent stops. */
  readonly signal: AbortSignal
}

/**
 * Returns the result of the build after its files are stored. A build whose files cannot be stored has failed. After a restart of the agent
 * it continues: each file has one artifact, and the server has the offset of its upload.
 * @throws ConnectionLost if the agent stops
 */
export async function collectArtifacts(result: JobResult, collecting: Collecting): Promise<JobResult> {
  const { folder, spec, uplink, signal } = collecting
  const commit = await readCommit(folder)
  const isKept = result.outcome === 'SUCCEEDED' || result.outcome === 'FAILED'
  if (result.collected || commit === undefined || !isKept || spec.artifacts.length === 0) return result
  const log = new SpoolWriter(folder.output)
  const note = (line: string) => log.write('SYSTEM', Buffer.from(`${line}\n`))
  let collected: JobResult
  try {
    await reportProgress(folder, uplink, { phase: 'COLLECTING', commit }, signal)
    const codebasePath = await requireCodebase(collecting.roots, spec.codebasePath)
    const checkout = checkoutPath({ codebasePath, buildId: spec.buildId })
    for (const file of await listArtifacts(checkout, collecting, note)) await store(file, checkout, collecting, note)
    collected = { ...result, collected: true }
  } catch (error) {
    if (signal.aborted || error instanceof ConnectionLost) throw error
    const reason = messageOf(error)
    note(`The artifacts could not be stored: ${reason}`)
    const errorCode = error instanceof TooManyFiles ? 'TOO_MANY_ARTIFACTS' : codeOf(error)
    const problem = {
      outcome: 'FAILED',
      errorCode,
      errorMessage: `The artifacts could not be stored: ${reason}`,
    } as const
    // The problem of a build that failed by itself is more important.
    collected = { ...result, collected: true, ...(result.outcome === 'SUCCEEDED' ? problem : {}) }
  } finally {
    log.close()
  }
  await writeRecord(folder, 'result', collected)
  return collected
}

/** The files, with their checksums. They are found once, so that a restarted agent continues with the same ones. */
async function listArtifacts(
  checkout: string,
  { folder, spec }: Collecting,
  note: (line: string) => void,
): Promise<readonly FoundFile[]> {
  const known = await readRecord(folder, 'artifacts')
  if (known !== undefined) return known.files
  const paths = await findFiles(checkout, spec.artifacts)
  if (paths.length === 0) note(`No file matches the artifacts of the build: ${spec.artifacts.join(', ')}`)
  const files: FoundFile[] = []
  for (const path of paths) files.push(await measureFile(checkout, path))
  await writeRecord(folder, 'artifacts', { files })
  return files
}

async function store(
  file: FoundFile,
  checkout: string,
  { folder, uplink, credentials, signal }: Collecting,
  note: (line: string) => void,
): Promise<void> {
  const { jobId, attempt } = folder
  const app = await appOf(join(checkout, file.path), file.path, note)
  const input = { jobId, attempt, ...file, contentType: contentTypeOf(file.path), app }
  const { uploadUrl, uploadStatus } = await uplink.ask(createBuildArtifact, input, signal)
  if (uploadStatus === 'READY') return
  note(`▶ Store ${file.path} (${file.size} bytes)`)
  const path = join(checkout, file.path)
  await sendFile(
    { path, size: file.size, url: uploadUrl },
    {
      credential: async () => (await credentials.read())?.value ?? '',
      epoch: async (waiting) => (await uplink.ready(waiting)).epoch,
      signal,
      onInterruption: (reason, waitMs) =>
        note(`The upload of ${file.path} was interrupted, and continues in ${Math.ceil(waitMs / 1_000)} s: ${reason}`),
    },
  )
}

/** Null if it is no iOS app. One that cannot be read is stored anyway, and cannot be installed by its link. */
async function appOf(file: string, path: string, note: (line: string) => void): Promise<AppFacts | null> {
  if (!/\.ipa$/i.test(path)) return null
  try {
    return await readApp(file)
  } catch (error) {
    note(`${path} cannot be installed over the air: ${messageOf(error)}`)
    return null
  }
}

function codeOf(error: unknown): string {
  return error instanceof FileNotSent || error instanceof ControlPlaneError ? error.code : 'ARTIFACTS_NOT_STORED'
}
