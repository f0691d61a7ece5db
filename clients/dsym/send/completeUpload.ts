/** Asks the server to index an upload whose bytes it has, and waits for the result. */
import { backOffMs } from '../../../spec/core/backOff.ts'
import { UploadFailure } from '../failures.ts'
import { sleep } from '../stop.ts'
import type { Attempts } from './attempts.ts'
import { UploadGone } from './sendBytes.ts'
import type { SendContext } from './sendContext.ts'
import type { CompletedUpload, FailedRequest, ZipToSend } from './uploadApi.ts'

/** The server does not have all bytes. */
export interface MissingBytes {
  readonly missingFrom: number
}

/** @throws UploadFailure, UploadGone, or the reason of the signal */
export async function completeUpload(
  id: string,
  { filename }: ZipToSend,
  { api, stop, retry, completionMs, print }: SendContext,
  attempts: Attempts,
): Promise<CompletedUpload | MissingBytes> {
  const start = performance.now()
  const leftMs = () => completionMs - (performance.now() - start)
  for (let asked = 1; ; asked++) {
    const outcome = await api.complete(id, leftMs())
    if ('value' in outcome) return outcome.value
    const { failed } = outcome
    if (failed.status === 404) throw new UploadGone()
    if (failed.status === 409 && failed.error?.problem === undefined && failed.offset !== undefined)
      return { missingFrom: failed.offset }
    if (!failed.isTransient) throw finalFailure(filename, failed)
    if (!isIndexingMeanwhile(failed)) {
      await attempts.wait(failed)
      continue
    }
    const waitMs = Math.max(backOffMs(retry.backOff, asked), failed.retryAfterMs ?? 0)
    if (waitMs >= leftMs())
      throw new UploadFailure(
        `The server has not reported the result of ${filename} within ${completionMs / 60_000} minutes. The last answer: ${failed.text} The server has all bytes. Rerun the step: it continues to wait, and sends nothing again.`,
      )
    print(
      `${failed.text} The server may be indexing ${filename}. The client asks again in ${(waitMs / 1_000).toFixed(1)} s, for at most ${Math.ceil(leftMs() / 60_000)} minutes more.`,
    )
    await sleep(waitMs, stop.now)
  }
}

/** After these, the indexing in progress continues. */
const waitingStatuses: ReadonlySet<number> = new Set([408, 502, 503, 504, 520, 521, 522, 523, 524])

function isIndexingMeanwhile({ hasAnswer, status }: FailedRequest): boolean {
  return !hasAnswer || waitingStatuses.has(status)
}

function finalFailure(filename: string, { status, text, error }: FailedRequest): UploadFailure {
  if (error?.problem === 'SERVER_RESTARTED' || error?.code === 'SERVER_RESTARTED')
    return new UploadFailure(
      `The server restarted while it indexed ${filename}. It has all bytes. Rerun the step: nothing is sent again.`,
    )
  if (status === 422)
    return new UploadFailure(
      `The server received other bytes of ${filename} than were sent: the SHA-256 differs. ${text} Rerun the step. If it happens again, look for a proxy that changes requests.`,
      { hasEnded: true },
    )
  return new UploadFailure(`${filename} was not indexed. ${text}`, { hasEnded: error?.problem !== undefined })
}
