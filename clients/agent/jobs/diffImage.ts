/** The job that reads an image of a worktree before and after its change, and sends the bytes of both. It starts no process. */
import { createHash } from 'node:crypto'
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'
import type { DiffImageContent, DiffImageContents, DiffImageSide } from '../../../spec/worktrees/diffImages.ts'
import { type ImageSide, readImageSides } from '../changes/imageSides.ts'
import type { CredentialStore } from '../connection/credential.ts'
import type { Uplink } from '../connection/uplink.ts'
import { messageOf } from '../failures.ts'
import { requireWorktree } from '../roots.ts'
import { sleep } from '../wait.ts'
import { DiffImageSpec, readSpec } from './spec.ts'

export interface ImageSender {
  readonly roots: readonly string[]
  readonly uplink: Pick<Uplink, 'ready'>
  readonly credentials: Pick<CredentialStore, 'read'>
  readonly signal: AbortSignal
}

const tries = 4
const retryPolicy: BackOffPolicy = { firstMs: 250, factor: 2, mostMs: 2_000, jitter: 0.5 }

/** Returns the result of the job. @throws Refusal OUTSIDE_ROOTS, COMMIT_NOT_FOUND, BAD_SPEC */
export async function sendDiffImage(spec: unknown, sender: ImageSender): Promise<DiffImageContents> {
  const { worktreePath, path, oldPath, base, head, maxBytes, uploadUrl } = readSpec(DiffImageSpec, spec)
  const worktree = await requireWorktree(sender.roots, worktreePath)
  const sides = await readImageSides({ worktree: worktree.path, path, oldPath, base, head, maxBytes })
  return {
    before: await send('before', sides.before, uploadUrl, sender),
    after: await send('after', sides.after, uploadUrl, sender),
  }
}

async function send(name: DiffImageSide, side: ImageSide, url: string, sender: ImageSender): Promise<DiffImageContent> {
  if (!('bytes' in side)) return side
  const { content, bytes } = side
  for (let tried = 1; ; tried++) {
    try {
      await sendOnce(`${url}?side=${name}`, bytes, sender)
      return { content, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    } catch (error) {
      if (sender.signal.aborted || tried === tries)
        throw new Error(`The image could not be sent: ${messageOf(error)}`, { cause: error })
      await sleep(backOffMs(retryPolicy, tried), sender.signal)
    }
  }
}

async function sendOnce(url: string, bytes: Buffer, { uplink, credentials, signal }: ImageSender): Promise<void> {
  const { epoch } = await uplink.ready(signal)
  const credential = await credentials.read()
  const headers = {
    authorization: `Bearer ${credential?.value ?? ''}`,
    'x-agent-epoch': String(epoch),
    'content-type': 'application/octet-stream',
  }
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(bytes), redirect: 'error', signal })
  await response.body?.cancel()
  if (response.status !== 204) throw new Error(`the server answers ${response.status}`)
}
