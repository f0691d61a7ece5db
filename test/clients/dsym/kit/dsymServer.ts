/** A double of the server's routes for uploads of dSYMs. A test makes it answer wrongly, late or not at all. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const apiKey = 'svc_0123456789abcdefSECRET'

export interface ReceivedRequest {
  readonly method: string
  /** `POST /`, `HEAD /{id}`, `PATCH /{id}`, `POST /{id}/complete`, `DELETE /{id}`. */
  readonly name: string
  readonly headers: IncomingMessage['headers']
  readonly message: IncomingMessage
}

/**
 * Handles a request instead of the server. Returns false if the server handles it.
 * @param count of the requests with this name, from 1
 */
export type Fault = (request: ReceivedRequest, response: ServerResponse, count: number) => boolean | undefined

export interface StoredUpload {
  readonly id: string
  readonly key: string
  readonly filename: string
  readonly size: number
  readonly sha256: string
  bytes: Buffer
  status: 'RECEIVING' | 'INDEXED' | 'DELETED' | 'FAILED'
}

export interface DsymServer {
  readonly url: string
  /** Names of all requests, in order. */
  readonly requests: string[]
  readonly received: ReceivedRequest[]
  readonly uploads: StoredUpload[]
  /** The most bytes of one PATCH. */
  largestChunk: number
  /** Bytes that were stored from all PATCHes, those that were sent again included. */
  bytesReceived: number
  stop(): Promise<void>
}

export const sampleDsym = {
  id: 'dsy_1',
  name: 'App',
  bundleIdentifier: 'example.app',
  version: '1.2',
  build: '34',
  images: [{ uuid: '0A1B2C3D-0000-1111-2222-333344445555', arch: 'arm64' }],
}

export async function startDsymServer(fault: Fault = () => false): Promise<DsymServer> {
  const uploads: StoredUpload[] = []
  const requests: string[] = []
  const received: ReceivedRequest[] = []
  const counts = new Map<string, number>()
  const server = createServer((message, response) => {
    const [, id, action] = /^\/api\/dsyms\/uploads(?:\/([\w-]+)(\/complete)?)?$/.exec(message.url ?? '') ?? []
    const name = `${message.method} /${id === undefined ? '' : `{id}${action ?? ''}`}`
    const request = { method: message.method ?? '', name, headers: message.headers, message }
    requests.push(name)
    received.push(request)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    if (fault(request, response, count)) return
    // The client may close the connection in the middle of a request.
    handle(request, response, id).catch(() => response.destroy())
  })

  async function handle({ name, headers, message }: ReceivedRequest, response: ServerResponse, id = ''): Promise<void> {
    if (headers['x-api-key'] !== apiKey) return refuse(response, 401, 'UNAUTHENTICATED', 'The API key is not valid.')
    const upload = uploads.find((one) => one.id === id && one.status !== 'DELETED')
    if (name === 'POST /') return create(JSON.parse((await readAll(message)).toString()), headers, response)
    if (upload === undefined) return refuse(response, 404, 'NOT_FOUND', 'There is no such upload.')
    const offset = { 'upload-offset': String(upload.bytes.length), 'upload-length': String(upload.size) }
    if (name === 'HEAD /{id}') return void response.writeHead(200, offset).end()
    if (name === 'DELETE /{id}') {
      upload.status = 'DELETED'
      return void response.writeHead(204).end()
    }
    if (name === 'PATCH /{id}') {
      if (headers['content-type'] !== 'application/offset+octet-stream')
        return refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', 'Wrong type.')
      if (Number(headers['upload-offset']) !== upload.bytes.length)
        return refuse(response, 409, 'CONFLICT', 'Wrong offset.', { offset: upload.bytes.length })
      // The bytes that arrive before the connection is lost are stored.
      let chunk = 0
      for await (const piece of message as AsyncIterable<Buffer>) {
        upload.bytes = Buffer.concat([upload.bytes, piece])
        chunk += piece.length
        one.bytesReceived += piece.length
      }
      one.largestChunk = Math.max(one.largestChunk, chunk)
      return void response.writeHead(204, { 'upload-offset': String(upload.bytes.length) }).end()
    }
    return complete(upload, response)
  }

  function create(body: StoredUpload, headers: IncomingMessage['headers'], response: ServerResponse): void {
    const key = String(headers['idempotency-key'])
    const known = uploads.find((upload) => upload.sha256 === body.sha256 && upload.status === 'INDEXED')
    let upload = uploads.find((stored) => stored.key === key)
    if (upload === undefined) {
      const { filename, size, sha256 } = body
      upload = {
        id: `dup_${uploads.length + 1}`,
        key,
        filename,
        size,
        sha256,
        bytes: Buffer.alloc(0),
        status: 'RECEIVING',
      }
      uploads.push(upload)
    }
    json(response, 201, {
      id: upload.id,
      offset: upload.bytes.length,
      chunkSizeMax: 16 * 1024 * 1024,
      expiresAt: '2030-01-01T00:00:00Z',
      status: upload.status,
      ...(known === undefined || known === upload ? {} : { duplicateOf: known.id }),
    })
  }

  function complete(upload: StoredUpload, response: ServerResponse): void {
    if (upload.bytes.length < upload.size) {
      refuse(response, 409, 'CONFLICT', 'Bytes are missing.', { offset: upload.bytes.length })
      return
    }
    if (createHash('sha256').update(upload.bytes).digest('hex') !== upload.sha256) {
      refuse(response, 422, 'CHECKSUM_MISMATCH', 'The SHA-256 differs.')
      return
    }
    upload.status = 'INDEXED'
    json(response, 200, {
      id: upload.id,
      status: 'INDEXED',
      dsyms: [sampleDsym],
      warnings: [],
      crashesToSymbolicate: 3,
    })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const one: DsymServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    received,
    uploads,
    largestChunk: 0,
    bytesReceived: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return one
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  more: object = {},
): void {
  json(response, status, { error: { code, message, requestId: 'req_1', ...more } })
}

async function readAll(message: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece)
  return Buffer.concat(pieces)
}
