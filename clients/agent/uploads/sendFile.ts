/**
 * Sends a file to the URL of an upload. After an interruption it asks the server for the offset and continues there. It ends when the
 * server has checked the SHA-256, or refuses for good, or when no byte more was stored for some hours.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'
import { smallerRequest } from '../../smallerRequest.ts'
import { messageOf } from '../failures.ts'
import { sleep } from '../wait.ts'
import { sendUploadRequest, type UploadAnswer } from './uploadRequest.ts'

export interface FileToSend {
  readonly path: string
  /** Its size in bytes. It must not change while it is sent. */
  readonly size: number
  /** The URL of the upload. */
  readonly url: string
}

export interface SendOptions {
  /** The credential of the agent. Read for each request, because it changes. */
  credential(): Promise<string>
  /** The epoch of the present connection. Waits if there is none. */
  epoch(signal: AbortSignal): Promise<number>
  readonly signal: AbortSignal
  /** Called if a request fails and is repeated. */
  onInterruption?(reason: string, waitMs: number): void
  /** Called when the server has stored more bytes. */
  onProgress?(stored: number): void
  /** Milliseconds without another stored byte after which it gives up. 6 hours if omitted. */
  readonly giveUpMs?: number
  /** Milliseconds for which a connection may be silent. 60 s if omitted: the answer to the last byte may take 25 s. */
  readonly idleMs?: number
  readonly retry?: BackOffPolicy
}

/** The file was not sent. `code` is that of the server's refusal, or FILE_CHANGED, UPLOAD_STALLED or UPLOAD_STOPPED. */
export class FileNotSent extends Error {
  override name = 'FileNotSent'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const hourMs = 3_600_000
const usualRetry: BackOffPolicy = { firstMs: 500, factor: 2, mostMs: 30_000, jitter: 0.5 }
/** The bytes that are read from the disk at once. */
const readBytes = 1024 * 1024
/**
 * The bytes of one request. A server on the same machine, or behind a proxy that keeps whole requests, is sent to faster than it can store, and
 * cannot stop the sender: it has to hold all of a request in memory, and answers nothing else while it receives it.
 */
const requestBytes = 32 * 1024 * 1024
/** A credential may be replaced at the moment of a request. More refusals in a row are final. */
const mostUnauthenticated = 3

/** @throws FileNotSent */
export async function sendFile(file: FileToSend, options: SendOptions): Promise<void> {
  const { signal, giveUpMs = 6 * hourMs, retry = usualRetry } = options
  await requireSize(file)
  let stored = -1
  let failures = 0
  let unauthenticated = 0
  let progressAt = performance.now()
  /** Undefined: the server is asked. */
  let next: UploadAnswer | undefined
  /** The most bytes of the next request. */
  let most = requestBytes
  /** The bytes of the last request. */
  let sent = 0
  const sendFrom = (offset: number) => {
    sent = Math.min(file.size - offset, most)
    return send(file, offset, sent, options)
  }
  while (!signal.aborted) {
    let problem: string
    let isInterrupted = true
    let retryAfterMs = 0
    try {
      if (next === undefined) sent = 0
      const answer: UploadAnswer = next ?? (await ask(file, options))
      next = undefined
      if (answer.offset !== undefined && answer.offset > stored) {
        stored = answer.offset
        failures = 0
        progressAt = performance.now()
        options.onProgress?.(stored)
      }
      unauthenticated = answer.status === 401 ? unauthenticated + 1 : 0
      if (answer.status < 300 && answer.uploadStatus === 'READY') return
      if (answer.uploadStatus === 'FAILED') throw await refusalOf(answer, file, options)
      if (isTooLargeForProxy(answer) && sent > 0) {
        const smaller = smallerRequest(sent)
        if (smaller === undefined) throw proxyRefusal(sent)
        most = smaller
        continue
      }
      if (isFinal(answer) || unauthenticated >= mostUnauthenticated) throw finalRefusal(answer)
      if (answer.status < 300 && answer.status !== 202 && answer.offset !== undefined) {
        next = await sendFrom(answer.offset)
        continue
      }
      // A refusal that names the offset is an answer: continue there, at once for the first time.
      if (answer.code === 'CONFLICT' && answer.offset !== undefined && failures === 0) {
        failures++
        next = await sendFrom(answer.offset)
        continue
      }
      // All bytes are there, and nothing is sent again.
      isInterrupted = answer.status !== 202
      problem = isInterrupted
        ? (answer.message ?? `the server answered ${answer.status}`)
        : 'the server has not computed the checksum yet'
      retryAfterMs = answer.retryAfterMs ?? 0
    } catch (error) {
      if (error instanceof FileNotSent) throw error
      next = undefined
      problem = messageOf(error)
    }
    if (signal.aborted) break
    if (performance.now() - progressAt > giveUpMs)
      throw new FileNotSent(
        'UPLOAD_STALLED',
        `No byte was stored for ${giveUpMs / hourMs} hours. The last problem: ${problem}`,
      )
    await requireSize(file)
    failures++
    const waitMs = Math.max(backOffMs(retry, failures), retryAfterMs)
    if (isInterrupted) options.onInterruption?.(problem, waitMs)
    await sleep(waitMs, signal)
  }
  throw new FileNotSent('UPLOAD_STOPPED', 'The upload was stopped.')
}

async function headers({ credential, epoch, signal }: SendOptions): Promise<Record<string, string>> {
  return { authorization: `Bearer ${await credential()}`, 'x-agent-epoch': String(await epoch(signal)) }
}

async function ask({ url }: FileToSend, options: SendOptions): Promise<UploadAnswer> {
  const { signal, idleMs = 60_000 } = options
  return await sendUploadRequest({ method: 'HEAD', url, headers: await headers(options), idleMs, signal })
}

/** Sends the next bytes from an offset. With none left, it waits for the checksum. */
async function send(
  { url, path, size }: FileToSend,
  offset: number,
  length: number,
  options: SendOptions,
): Promise<UploadAnswer> {
  const { signal, idleMs = 60_000 } = options
  const head = {
    ...(await headers(options)),
    'upload-offset': String(offset),
    'content-type': 'application/octet-stream',
  }
  if (length < 0) throw new FileNotSent('FILE_CHANGED', `The server has ${offset} bytes, and the file has ${size}.`)
  if (length === 0) return await sendUploadRequest({ method: 'POST', url, headers: head, idleMs, signal })
  const stream = createReadStream(path, { start: offset, end: offset + length - 1, highWaterMark: readBytes })
  return await sendUploadRequest({ method: 'POST', url, headers: head, body: { stream, length }, idleMs, signal })
}

/** A HEAD has no body, so the reason is asked for with an empty request. */
async function refusalOf(answer: UploadAnswer, file: FileToSend, options: SendOptions): Promise<FileNotSent> {
  return finalRefusal(await send(file, answer.offset ?? 0, 0, options))
}

/** Of these, a repeat has the same answer. */
const finalStatuses: ReadonlySet<number> = new Set([400, 403, 404, 405, 411, 413, 415, 422])

function isFinal({ status, code }: UploadAnswer): boolean {
  return finalStatuses.has(status) || code === 'FAILED_PRECONDITION'
}

/** The server names the code of each refusal, and a proxy does not. */
function isTooLargeForProxy({ status, code }: UploadAnswer): boolean {
  return status === 413 && code === undefined
}

function proxyRefusal(bytes: number): FileNotSent {
  return new FileNotSent(
    'HTTP_413',
    `A proxy in front of the server refuses a request of ${bytes} bytes (413). The likely reason is a limit such as client_max_body_size of nginx: see docs/server-urls.md.`,
  )
}

function finalRefusal({ status, code, message }: UploadAnswer): FileNotSent {
  return new FileNotSent(code ?? `HTTP_${status}`, message ?? `The server answered ${status}.`)
}

async function requireSize({ path, size }: FileToSend): Promise<void> {
  const present = await stat(path).then(
    (stats) => stats.size,
    () => undefined,
  )
  if (present === size) return
  const found = present === undefined ? 'is gone' : `has ${present} bytes`
  throw new FileNotSent('FILE_CHANGED', `The file ${found} and had ${size} bytes when its upload began.`)
}
