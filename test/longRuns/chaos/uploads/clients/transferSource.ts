/**
 * The process of an agent that sends the file of one transfer in chunks, as docs/rest.md describes it: HEAD after an interruption, one PATCH for
 * each chunk, and `complete`. It may be killed at any time.
 */
import { open } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '../../../../../spec/core/backOff.ts'
import { type ClientIdentity, type ClientReports, idleMs, retry, runClient } from './clientMessages.ts'

export interface TransferSource extends ClientIdentity {
  readonly path: string
  readonly size: number
  /** The URL of the transfer. */
  readonly url: string
  readonly chunkBytes: number
}

interface SourceAnswer {
  readonly status: number
  readonly offset: number | undefined
  readonly text: string
}

/** Of these, a repeat has the same answer. */
const finalStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 411, 412, 413, 415, 422])

function send(
  { url, credential, epoch }: TransferSource,
  method: string,
  path = '',
  headers: Readonly<Record<string, string>> = {},
  body: Uint8Array = new Uint8Array(),
): Promise<SourceAnswer> {
  return new Promise((resolve, reject) => {
    const identity = { authorization: `Bearer ${credential}`, 'x-agent-epoch': String(epoch) }
    const length = method === 'HEAD' ? {} : { 'content-length': String(body.length) }
    const sent = request(`${url}${path}`, { method, headers: { ...identity, ...headers, ...length } })
    sent.setTimeout(idleMs, () => sent.destroy(new Error('the connection was silent')))
    sent.on('error', reject)
    sent.on('response', (response) => {
      response.on('error', reject)
      read(response).then(resolve, reject)
    })
    sent.end(body)
  })
}

async function read(response: IncomingMessage): Promise<SourceAnswer> {
  const { statusCode = 0, headers } = response
  const offset = headers['upload-offset']
  return { status: statusCode, offset: offset === undefined ? undefined : Number(offset), text: await text(response) }
}

/** @throws Error with the answer, if it is not the expected one */
function requireStatus(answer: SourceAnswer, expected: number): SourceAnswer {
  if (answer.status === expected) return answer
  throw Object.assign(new Error(`${answer.status} ${answer.text}`), { status: answer.status })
}

async function sendRest(source: TransferSource, { onProgress }: ClientReports): Promise<void> {
  const file = await open(source.path)
  try {
    let { offset = 0 } = requireStatus(await send(source, 'HEAD'), 200)
    onProgress(offset)
    while (offset < source.size) {
      const chunk = Buffer.alloc(Math.min(source.chunkBytes, source.size - offset))
      await file.read(chunk, 0, chunk.length, offset)
      const head = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
      const answer = requireStatus(await send(source, 'PATCH', '', head, chunk), 204)
      if (answer.offset !== offset + chunk.length)
        throw Object.assign(new Error(`${answer.offset} bytes are acknowledged after ${chunk.length} at ${offset}`), {
          status: 400,
        })
      offset = answer.offset
      onProgress(offset)
    }
    requireStatus(await send(source, 'POST', '/complete'), 200)
  } finally {
    await file.close()
  }
}

await runClient<TransferSource>(async (source, reports) => {
  for (let failures = 1; ; failures++) {
    try {
      await sendRest(source, reports)
      return
    } catch (error) {
      const { status, message } = error as Error & { readonly status?: number }
      const isFinal = status !== undefined && (finalStatuses.has(status) || /"FAILED_PRECONDITION"/.test(message))
      if (isFinal) throw error
      reports.onInterruption(message)
      await sleep(backOffMs(retry, failures))
    }
  }
})
