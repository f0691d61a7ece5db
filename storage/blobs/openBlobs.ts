import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Settings } from '../../spec/settings/s3.ts'
import { StartError } from '../database/startError.ts'
import type { Blobs } from '../ports/blobs.ts'
import { FileBlobs } from './blobs.ts'
import type { BlobParts } from './s3/blobParts.ts'
import { S3Blobs } from './s3/s3Blobs.ts'
import { S3Objects } from './s3/s3Objects.ts'

/** So long a server waits at its start for a bucket that does not answer, ms. */
const startMs = 30_000
const startPauseMs = 1_000

export interface BlobSettings {
  readonly dataDir: string
  /** Undefined: files under `dataDir`. */
  readonly s3: S3Settings | undefined
}

/** @throws StartError if the bucket cannot be used */
export async function openBlobs(
  { dataDir, s3 }: BlobSettings,
  parts: BlobParts,
  log: (line: string) => void,
): Promise<Blobs> {
  if (s3 === undefined) return new FileBlobs(join(dataDir, 'blobs'))
  const objects = new S3Objects(s3, log)
  const lastAt = performance.now() + startMs
  let problem = await objects.problem()
  // The server of the bucket may be starting too.
  while (problem?.isTemporary && performance.now() < lastAt) {
    log(`the bucket of BLOB_URL can't be used yet: ${problem.text}`)
    await sleep(startPauseMs)
    problem = await objects.problem()
  }
  if (problem !== undefined)
    throw new StartError(
      `The bucket of BLOB_URL can't be used (${problem.text}): check BLOB_URL, AWS_REGION, AWS_ENDPOINT_URL and the key of AWS_ACCESS_KEY_ID.`,
    )
  return new S3Blobs(objects, parts)
}
