/** A model server on loopback for tests, whose replies are scripted. It supports the wire formats of three vendors. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { openAi } from './openAi.ts'
import type { ModelReply, ModelRequest, ModelScript } from './turns.ts'
import { asObject, type WireFormat } from './wireFormat.ts'

export interface ModelServer {
  close(): Promise<void>
  readonly url: string
  /** All requests for a reply so far. */
  readonly requests: readonly ModelRequest[]
  /** Method and path of requests that the server does not know. It answers them with 404. */
  readonly unknown: readonly string[]
  /** Replies whose receiver closed the connection before their end. */
  readonly abandoned: readonly ModelRequest[]
}

const formats: readonly WireFormat[] = [openAi, anthropic, gemini]

export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const unknown: string[] = []
  const abandoned: ModelRequest[] = []

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const body = request.method === 'POST' ? asObject(await json(request)) : {}
    for (const format of formats) {
      const count = format.countTokens(pathname)
      if (count !== undefined) return writeJson(response, 200, count)
      const asked = format.readRequest(pathname, body)
      if (!asked) continue
      requests.push(asked)
      response.once('close', () => {
        if (!response.writableEnded) abandoned.push(asked)
      })
      return writeReply(response, format, asked, script(asked))
    }
    unknown.push(`${request.method} ${pathname}`)
    writeJson(response, 404, { error: { message: `This server has no ${pathname}.` } })
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error) =>
      writeJson(response, 500, { error: { message: `The model server failed: ${error}` } }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    unknown,
    abandoned,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

async function writeReply(
  response: ServerResponse,
  format: WireFormat,
  request: ModelRequest,
  reply: ModelReply,
): Promise<void> {
  if ('error' in reply) {
    const { status, message } = reply.error
    return writeJson(response, status, format.writeError(status, message))
  }
  const { delayMs = 0 } = reply
  if (!request.isStreamed) {
    await delay(delayMs)
    return writeJson(response, 200, format.writeWhole(reply, request))
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
  for (const { name, data, isContent } of format.writeStream(reply, request)) {
    if (isContent && delayMs > 0) await delay(delayMs)
    if (response.destroyed) return
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`)
  }
  response.end()
}

function writeJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
