/** Uploads of dSYMs over HTTP, as a CI step sends them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

interface Sender {
  readonly url: string
  readonly key: string
}

interface CreatedUpload {
  readonly id: string
  readonly status: string
}

async function send(
  { url, key }: Sender,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: Uint8Array | string,
): Promise<Response> {
  return await fetch(`${url}/api/dsyms/uploads${path}`, {
    method,
    headers: { 'x-api-key': key, ...headers },
    ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
  })
}

/** Creates an upload of a zip. No byte is sent. */
export async function createDsymUpload(
  sender: Sender,
  zip: Uint8Array,
  filename = 'dSYMs.zip',
): Promise<CreatedUpload> {
  const input = { filename, size: zip.length, sha256: createHash('sha256').update(zip).digest('hex') }
  const answer = await send(sender, 'POST', '', { 'content-type': 'application/json' }, JSON.stringify(input))
  assert.equal(answer.status, 201, await answer.clone().text())
  return (await answer.json()) as CreatedUpload
}

/** Sends the bytes of a zip from an offset to another one. */
export async function sendDsymBytes(
  sender: Sender,
  id: string,
  zip: Uint8Array,
  from: number,
  to: number,
): Promise<void> {
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) }
  const answer = await send(sender, 'PATCH', `/${id}`, headers, zip.subarray(from, to))
  assert.equal(answer.status, 204, await answer.text())
}

/** Waits until the dSYMs are indexed. @returns the status of the answer */
export async function completeDsymUpload(sender: Sender, id: string): Promise<number> {
  const answer = await send(sender, 'POST', `/${id}/complete`)
  await answer.arrayBuffer()
  return answer.status
}
