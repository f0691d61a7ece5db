/**
 * Downloads the file of a deployment from its transfer. After an interruption, also of the agent, it continues with the bytes that are on
 * the disk. It ends when the SHA-256 is right and the control plane has confirmed it, or when the transfer is refused for good.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type BackOffPolicy, backOffMs } from '../../../spec/core/backOff.ts'
import { messageOf } from '../failures.ts'
import { Refusal } from '../jobs/refusal.ts'
import { isNoSpace } from '../system/unwritable.ts'
import { sleep } from '../wait.ts'
import { sendTransferRequest } from './transferRequest.ts'

export interface FileToDownload {
  /** The URL of the transfer. */
  readonly url: string
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
  /** The place of the complete file. */
  readonly path: string
}

export interface DownloadOptions {
  /** The credential of the agent. Read for each request, because it changes. */
  credential(): Promise<string>
  /** The epoch of the present connection. Waits if there is none. */
  epoch(signal: AbortSignal): Promise<number>
  readonly signal: AbortSignal
  /** Called with the number of bytes on the disk. */
  onProgress(received: number): void
  /** Called if a request fails and is repeated. */
  onInterruption(reason: string): void
  readonly retry?: BackOffPolicy
  /** Milliseconds for which a connection may be silent. */
  readonly idleMs?: number
}

const usualRetry: BackOffPolicy = { firstMs: 500, factor: 2, mostMs: 15_000, jitter: 0.5 }
/** A credential may be replaced at the moment of a request. More refusals in a row are final. */
const mostUnauthenticated = 3
/** A file whose bytes are wrong is downloaded once more. */
const mostWrong = 2

/** The transfer is not over: the file is still being sent, or the connection was cut. */
class Interrupted extends Error {}

/** @throws Refusal FILE_UNAVAILABLE; the error of the system if the disk is full. Resolves early, without the file, if the signal is aborted */
export async function downloadFile(file: FileToDownload, options: DownloadOptions): Promise<void> {
  const { signal, retry = usualRetry } = options
  await mkdir(dirname(file.path), { recursive: true, mode: 0o700 })
  let failures = 0
  let unauthenticated = 0
  let wrong = 0
  while (!signal.aborted) {
    const before = await sizeOf(`${file.path}.part`)
    try {
      if (!(await hasAll(file))) {
        await fetchRest(file, options)
        if ((await shaOf(`${file.path}.part`)) !== file.sha256) {
          wrong++
          await rm(`${file.path}.part`, { force: true })
          if (wrong === mostWrong) throw unavailable(file, 'its bytes are not those that the build has stored.')
          throw new Interrupted('the bytes are not those that the build has stored')
        }
        await rename(`${file.path}.part`, file.path)
      }
      await complete(file, options)
      return
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Refusal) throw error
      if (error instanceof Unauthenticated && ++unauthenticated >= mostUnauthenticated)
        throw unavailable(file, 'the credential of the agent is refused.')
      if (!(error instanceof Unauthenticated)) unauthenticated = 0
      if (isNoSpace(error)) {
        // The part would keep the disk full: the end of the job could not be stored.
        await rm(`${file.path}.part`, { force: true })
        // The job ends with DISK_FULL. The file is not the cause.
        throw error
      }
      failures = (await sizeOf(`${file.path}.part`)) > before ? 1 : failures + 1
      options.onInterruption(messageOf(error))
      await sleep(backOffMs(retry, failures), signal)
    }
  }
}

class Unauthenticated extends Error {}

const unavailable = ({ name }: FileToDownload, reason: string): Refusal =>
  new Refusal('FILE_UNAVAILABLE', `The file ${name} could not be downloaded: ${reason}`)

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0

async function hasAll({ path, size }: FileToDownload): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.size === size
}

async function shaOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function fetchRest(file: FileToDownload, options: DownloadOptions): Promise<void> {
  const out = await open(`${file.path}.part`, 'a', 0o600)
  try {
    let { size: received } = await out.stat()
    if (received > file.size) {
      await out.truncate(0)
      received = 0
    }
    if (received < file.size) await append(out, received, file, options)
    await out.sync()
  } finally {
    await out.close()
  }
}

async function append(out: FileHandle, from: number, file: FileToDownload, options: DownloadOptions): Promise<void> {
  const response = await request(file.url, 'GET', { range: `bytes=${from}-` }, options)
  if (response.statusCode !== 206) throw await problemOf(response, file)
  let received = from
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length
    // A server must not fill the disk.
    if (received > file.size) throw new Interrupted(`the server sends more than ${file.size} bytes`)
    await writeAll(out, chunk)
    options.onProgress(received)
  }
  if (received < file.size) throw new Interrupted('the connection was cut')
}

async function writeAll(out: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await out.write(chunk, at)).bytesWritten
}

async function complete(file: FileToDownload, options: DownloadOptions): Promise<void> {
  const response = await request(`${file.url}/complete`, 'POST', {}, options)
  if (response.statusCode !== 200) throw await problemOf(response, file)
  response.resume()
}

async function request(
  url: string,
  method: 'GET' | 'POST',
  headers: Readonly<Record<string, string>>,
  { credential, epoch, signal, idleMs = 60_000 }: DownloadOptions,
): Promise<IncomingMessage> {
  const identity = { authorization: `Bearer ${await credential()}`, 'x-agent-epoch': String(await epoch(signal)) }
  return await sendTransferRequest({
    ...{ method, url, idleMs, signal },
    headers: { ...headers, ...identity, 'accept-encoding': 'identity' },
  })
}

const mostErrorBytes = 64 * 1024
const finalStatuses: readonly number[] = [400, 403, 404, 410, 416]

async function problemOf(response: IncomingMessage, file: FileToDownload): Promise<Error> {
  const { statusCode = 0 } = response
  const { code, message, problem } = readError(await readStart(response).catch(() => ''))
  const text = message ?? `the server answers ${statusCode}.`
  if (statusCode === 401) return new Unauthenticated(text)
  if (code === 'FAILED_PRECONDITION' && problem === 'NOT_STORED')
    return new Interrupted('its machine is still sending it')
  const isFinal = finalStatuses.includes(statusCode) || code === 'FAILED_PRECONDITION'
  return isFinal ? unavailable(file, text) : new Interrupted(text)
}

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= mostErrorBytes) chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readError(text: string): { code?: unknown; message?: string; problem?: unknown } {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown; problem?: unknown } }
    const { code, message, problem } = error ?? {}
    return { code, problem, ...(typeof message === 'string' ? { message } : {}) }
  } catch {
    return {}
  }
}
