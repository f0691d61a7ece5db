/** The files that a run got from the person who requested it. They are kept outside the worktree, and removed with the attempt. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'
import { messageOf } from '../failures.ts'
import type { AcceptPayload, Attachment } from '../operations.ts'
import { isNoSpace } from '../system/unwritable.ts'
import { sleep } from '../wait.ts'
import { Refusal } from './refusal.ts'

/** A file on this machine. */
export interface AttachedFile extends Pick<Attachment, 'name' | 'contentType' | 'size'> {
  readonly path: string
}

const tries = 4
const retryPolicy: BackOffPolicy = { firstMs: 500, factor: 2, mostMs: 5_000, jitter: 0.5 }

const folderIn = (jobFolder: string): string => join(jobFolder, 'attachments')

/** The places of the files, each in a folder of its own, so that they keep their names. */
export function placeAttachments(attachments: readonly Attachment[], jobFolder: string): AttachedFile[] {
  return attachments.map(({ name, contentType, size }, index) => ({
    ...{ name, contentType, size },
    path: join(folderIn(jobFolder), String(index + 1), basename(name)),
  }))
}

/** @throws Refusal ATTACHMENT_UNAVAILABLE; the error of the system if the disk is full */
export async function downloadAttachments(
  { attachments, runToken }: Pick<AcceptPayload, 'attachments' | 'runToken'>,
  jobFolder: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const [index, { path }] of placeAttachments(attachments, jobFolder).entries()) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await download(attachments[index] as Attachment, runToken ?? '', path, signal)
    }
  } catch (error) {
    // The files would keep a full disk full, and the end of the job could not be stored.
    await rm(folderIn(jobFolder), { recursive: true, force: true })
    throw error
  }
}

async function download(attachment: Attachment, token: string, path: string, signal: AbortSignal): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await downloadOnce(attachment, token, path, signal)
    } catch (error) {
      // The job ends with DISK_FULL. The attachment is not the cause.
      if (isNoSpace(error)) throw error
      if (signal.aborted || tried === tries)
        throw new Refusal(
          'ATTACHMENT_UNAVAILABLE',
          `The attachment ${attachment.name} could not be downloaded: ${messageOf(error)}.`,
        )
      await sleep(backOffMs(retryPolicy, tried), signal)
    }
  }
}

async function downloadOnce(
  { url, size, sha256 }: Attachment,
  token: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, redirect: 'error', signal })
  if (response.status !== 200 || response.body === null) throw new Error(`the server answers ${response.status}`)
  const hash = createHash('sha256')
  let received = 0
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      hash.update(chunk)
      // A server must not fill the disk.
      done(received > size ? new Error(`it is larger than ${size} bytes`) : null, chunk)
    },
  })
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
  await pipeline(body, measured, createWriteStream(path, { mode: 0o600 }), { signal })
  if (received !== size || hash.digest('hex') !== sha256) throw new Error('its bytes are not those that were uploaded')
}
