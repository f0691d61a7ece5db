import { mkdir } from 'node:fs/promises'
import type { CredentialStore } from '../connection/credential.ts'
import { SpoolWriter } from '../connection/spool.ts'
import type { Uplink } from '../connection/uplink.ts'
import type { JobFolder } from '../jobs/folder.ts'
import { type AcceptPayload, reportDeploymentProgress } from '../operations.ts'
import { downloadFile } from './downloadFile.ts'
import { fileOf, workFolder } from './place.ts'

/** Progress is reported after so many milliseconds, and if a hundredth more of the file is there. */
const reportMs = 1_000
/** It is reported at least this often, ms. */
const slowestReportMs = 10_000

export interface Fetching {
  readonly folder: JobFolder
  readonly uplink: Uplink
  readonly credentials: CredentialStore
  /** Aborted when the deployment is stopped or no longer belongs to this agent, and when the agent stops. */
  readonly signal: AbortSignal
}

/** Creates the folder in which the steps start, and brings the file to this machine. @throws Refusal FILE_UNAVAILABLE */
export async function prepareDeploy({ file }: Pick<AcceptPayload, 'file'>, fetching: Fetching): Promise<void> {
  await mkdir(workFolder(fetching.folder), { recursive: true, mode: 0o700 })
  if (file !== null) await fetchFile(file, fetching)
}

async function fetchFile(file: NonNullable<AcceptPayload['file']>, fetching: Fetching): Promise<void> {
  const { folder, uplink, credentials, signal } = fetching
  const log = new SpoolWriter(folder.output)
  const note = (line: string) => log.write('SYSTEM', Buffer.from(`${line}\n`))
  note(`▶ Download ${file.name} (${file.size} bytes)`)
  let noted = ''
  try {
    await downloadFile(
      { ...file, path: fileOf(folder, file.name) },
      {
        credential: async () => (await credentials.read())?.value ?? '',
        epoch: async (waiting) => (await uplink.ready(waiting)).epoch,
        signal,
        onProgress: progressReporter(file.size, fetching),
        onInterruption: (reason) => {
          // A file that is not stored yet is asked for again and again.
          if (reason !== noted) note(`The download waits, and continues: ${reason}`)
          noted = reason
        },
      },
    )
  } finally {
    log.close()
  }
}

function progressReporter(size: number, { folder, uplink, signal }: Fetching): (received: number) => void {
  const { jobId, attempt } = folder
  let lastAt = Number.NEGATIVE_INFINITY
  let last = 0
  return (received) => {
    const passedMs = performance.now() - lastAt
    const isDue = passedMs >= slowestReportMs || (passedMs >= reportMs && received - last >= size / 100)
    if (!isDue || received === size) return
    lastAt = performance.now()
    last = received
    const report = { jobId, attempt, phase: 'TRANSFERRING' as const, receivedBytes: received }
    // The next report has a later number, so a lost one does not matter.
    uplink.ask(reportDeploymentProgress, report, signal).catch(() => {})
  }
}
