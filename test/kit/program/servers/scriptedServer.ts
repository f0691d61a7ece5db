/**
 * A real MCP server, made with the SDK, on a free port. A test decides its tools and its behavior: Streamable HTTP with sessions
 * at `/mcp`, legacy SSE at `/sse`.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

type Extra = Parameters<Parameters<Server['setRequestHandler']>[1]>[1]

export interface ScriptedCall {
  readonly name: string
  readonly arguments: Record<string, unknown>
  readonly signal: AbortSignal
  progress(progress: number, message?: string): Promise<void>
}

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  /** The method of the JSON-RPC message, if there is one. */
  readonly rpc: string | undefined
}

export interface ScriptedServer {
  readonly url: string
  readonly sseUrl: string
  readonly origin: string
  /** All requests that it received. */
  readonly seen: Seen[]
  /** All calls that were begun, by tool. */
  readonly calls: string[]
  /** Calls for which it received a cancellation. */
  readonly cancelled: string[]
  tools: unknown[]
  /** The number of tools on one page of the list. */
  pageSize: number
  /** The answer of a tool. It is sent unchanged, even if it is invalid. */
  answer: (call: ScriptedCall) => unknown
  /** Called first for each request. Returns true if it has answered the request. */
  before: (request: IncomingMessage, response: ServerResponse, body: string) => boolean
  forgetSessions(): void
  /** Breaks all connections. */
  cut(): void
  stop(): Promise<void>
}

export const tool = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...more,
})

export const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

export async function startScripted(tools: unknown[] = [tool('echo')]): Promise<ScriptedServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const streams = new Map<string, SSEServerTransport>()
  const listener = http.createServer((request, response) => void serve(request, response))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const origin = `http://127.0.0.1:${(listener.address() as { port: number }).port}`
  const self: ScriptedServer = {
    url: `${origin}/mcp`,
    sseUrl: `${origin}/sse`,
    origin,
    seen: [],
    calls: [],
    cancelled: [],
    tools,
    pageSize: 1_000,
    answer: ({ arguments: given }) => text(String(given.text ?? '')),
    before: () => false,
    forgetSessions: () => sessions.clear(),
    cut: () => listener.closeAllConnections(),
    async stop() {
      listener.close()
      listener.closeAllConnections()
      for (const one of [...sessions.values(), ...streams.values()]) await one.close()
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { pathname, searchParams } = new URL(request.url ?? '/', origin)
    const { method = 'GET', headers } = request
    const message = body === '' ? undefined : JSON.parse(body)
    self.seen.push({ method, path: pathname, headers, rpc: message?.method })
    if (self.before(request, response, body)) return
    if (pathname === '/sse') {
      const stream = new SSEServerTransport('/message', response)
      streams.set(stream.sessionId, stream)
      await build().connect(stream)
      return
    }
    if (pathname === '/message') {
      const stream = streams.get(searchParams.get('sessionId') ?? '')
      if (stream === undefined) response.writeHead(404).end('Session not found')
      else await stream.handlePostMessage(request, response, message)
      return
    }
    const session = String(headers['mcp-session-id'] ?? '')
    const known = sessions.get(session)
    if (known === undefined && session !== '') response.writeHead(404).end('no such session')
    else await (known ?? (await begin())).handleRequest(request, response, message)
  }

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await build().connect(transport as never)
    return transport
  }

  function build(): Server {
    const server = new Server({ name: 'scripted', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      const from = Number(params?.cursor ?? 0)
      const end = from + self.pageSize
      return {
        tools: self.tools.slice(from, end),
        ...(end < self.tools.length && { nextCursor: String(end) }),
      } as never
    })
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra: Extra) => {
      self.calls.push(params.name)
      extra.signal.addEventListener('abort', () => self.cancelled.push(params.name))
      const token = params._meta?.progressToken ?? 0
      return (await self.answer({
        name: params.name,
        arguments: params.arguments ?? {},
        signal: extra.signal,
        progress: (progress, message) =>
          extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken: token, progress, ...(message !== undefined && { message }) },
          }),
      })) as never
    })
    return server
  }
  return self
}
