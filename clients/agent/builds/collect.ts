/** Reads the coverage of a build and stores the files that it keeps, after its steps have ended, and before its checkout is removed or its worktree is free. */
import { join } from 'node:path'
import { SpoolWriter } from '../connection/spool.ts'
import { ConnectionLost, ControlPlaneError, messageOf } from '../failures.ts'
import { type JobResult, readRecord, writeRecord } from '../jobs/folder.ts'
import { createBuildArtifact } from '../operations.ts'
import { FileNotSent, sendFile } from '../uploads/sendFile.ts'
import type { Collecting } from './collecting.ts'
import { contentTypeOf } from './contentTypes.ts'
import { collectCoverage } from './coverage/collectCoverage.ts'
import { ReportProblem } from './coverage/problem.ts'
import { type FoundFile, findFiles, measureFile } from './findFiles.ts'
import { readCommit, reportProgress } from './progress.ts'
import { type AppFacts, readApp } from './readApp.ts'
import { sourceFolder } from './sourceFolder.ts'

/** The maximum number of files that one build keeps, as the control plane has it. */
const artifactsMax = 1_000

/** A build cannot keep its files. */
class TooManyFiles extends Error {
  override name = 'TooManyFiles'
}

type Failed = Required<Pick<JobResult, 'errorCode' | 'errorMessage'>>

/**
 * Returns the result of the build after its coverage is reported and its files are stored. A build for which one of them is impossible has
 * failed. After a restart of the agent it continues: the coverage was read once, each file has one artifact, and the server has the offset
 * of its upload.
 * @throws ConnectionLost if the agent stops
 */
export async function collectFiles(result: JobResult, collecting: Collecting): Promise<JobResult> {
  const { folder, spec, uplink, signal } = collecting
  const commit = await readCommit(folder)
  const isKept = result.outcome === 'SUCCEEDED' || result.outcome === 'FAILED'
  const hasFiles = spec.artifacts.length > 0 || spec.coverageReports !== undefined
  if (result.collected || commit === undefined || !isKept || !hasFiles) return result
  const log = new SpoolWriter(folder.output)
  const note = (line: string) => log.write('SYSTEM', Buffer.from(`${line}\n`))
  const problems: Failed[] = []
  const attempt = async (work: () => Promise<void>, what: string, generalCode: string) => {
    try {
      await work()
    } catch (error) {
      if (signal.aborted || error instanceof ConnectionLost) throw error
      const errorMessage = `${what}: ${messageOf(error)}`
      note(errorMessage)
      problems.push({ errorCode: codeOf(error, generalCode), errorMessage })
    }
  }
  try {
    await attempt(
      async () => await reportProgress(folder, uplink, { phase: 'COLLECTING', commit }, signal),
      'The progress could not be reported',
      'ARTIFACTS_NOT_STORED',
    )
    await attempt(
      async () => await collectCoverage(await sourceFolder(collecting.spec, collecting.roots), collecting, note),
      'The coverage could not be read',
      'COVERAGE_NOT_STORED',
    )
    await attempt(
      async () => await collectArtifacts(collecting, note),
      'The artifacts could not be stored',
      'ARTIFACTS_NOT_STORED',
    )
  } finally {
    log.close()
  }
  const [problem] = problems
  // The problem of a build that failed by itself is more important.
  const isFailed = problem !== undefined && result.outcome === 'SUCCEEDED'
  const collected: JobResult = { ...result, collected: true, ...(isFailed ? { outcome: 'FAILED', ...problem } : {}) }
  await writeRecord(folder, 'result', collected)
  return collected
}

async function collectArtifacts(collecting: Collecting, note: (line: string) => void): Promise<void> {
  if (collecting.spec.artifacts.length === 0) return
  const source = await sourceFolder(collecting.spec, collecting.roots)
  for (const file of await listArtifacts(source, collecting, note)) await store(file, source, collecting, note)
}

/** The files, with their checksums. They are found once, so that a restarted agent continues with the same ones. */
async function listArtifacts(
  source: string,
  { folder, spec }: Collecting,
  note: (line: string) => void,
): Promise<readonly FoundFile[]> {
  const known = await readRecord(folder, 'artifacts')
  if (known !== undefined) return known.files
  const paths = await findFiles(
    source,
    spec.artifacts,
    artifactsMax,
    () =>
      new TooManyFiles(
        `More than ${artifactsMax} files match the artifacts of the build configuration. Use patterns that match fewer, or pack the files into an archive.`,
      ),
  )
  if (paths.length === 0) note(`No file matches the artifacts of the build: ${spec.artifacts.join(', ')}`)
  const files: FoundFile[] = []
  for (const path of paths) files.push(await measureFile(source, path))
  await writeRecord(folder, 'artifacts', { files })
  return files
}

async function store(
  file: FoundFile,
  source: string,
  { folder, uplink, credentials, signal }: Collecting,
  note: (line: string) => void,
): Promise<void> {
  const { jobId, attempt } = folder
  const app = await appOf(join(source, file.path), file.path, note)
  const input = { jobId, attempt, ...file, contentType: contentTypeOf(file.path), app }
  const { uploadUrl, uploadStatus } = await uplink.ask(createBuildArtifact, input, signal)
  if (uploadStatus === 'READY') return
  note(`▶ Store ${file.path} (${file.size} bytes)`)
  const path = join(source, file.path)
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

function codeOf(error: unknown, general: string): string {
  if (error instanceof TooManyFiles) return 'TOO_MANY_ARTIFACTS'
  const hasCode = error instanceof FileNotSent || error instanceof ControlPlaneError || error instanceof ReportProblem
  return hasCode ? error.code : general
}
