import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** A real MCP server, stateless over Streamable HTTP, that lets in who has the token. */
export interface McpServer {
  url: string
  /** The tokens that count; one can be ended. */
  tokens: Set<string>
  /** Each request that came, with the answer's status. */
  seen: { authorization: string | undefined; status: number }[]
  /** Calls of tools that were carried out. */
  calls: { name: string; arguments: unknown }[]
}

const tools = [
  {
    name: 'get_apps',
    description: 'Lists apps.',
    inputSchema: { type: 'object' as const, properties: { first: { type: 'integer' } } },
  },
  { name: 'fail', description: 'Fails.', inputSchema: { type: 'object' as const } },
]

export async function startMcpServer(t: TestContext, ...tokens: string[]): Promise<McpServer> {
  const http = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', () => resolve()))
  t.after(() => {
    http.closeAllConnections()
    http.close()
  })
  const { port } = http.address() as AddressInfo
  const world: McpServer = {
    url: `http://127.0.0.1:${port}/api/mcp?run=run_1`,
    tokens: new Set(tokens),
    seen: [],
    calls: [],
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization } = request.headers
    response.once('finish', () => world.seen.push({ authorization, status: response.statusCode }))
    if (!world.tokens.has(authorization?.replace(/^Bearer /, '') ?? '')) {
      response.writeHead(401, { 'content-type': 'application/json' })
      return void response.end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unauthorized"}}')
    }
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      world.calls.push({ name: params.name, arguments: params.arguments })
      if (params.name === 'fail') return { content: [{ type: 'text', text: 'It failed.' }], isError: true }
      return { content: [{ type: 'text', text: `apps for ${JSON.stringify(params.arguments)}` }] }
    })
    const transport = new StreamableHTTPServerTransport()
    response.once('close', () => void server.close())
    await server.connect(transport as never)
    await transport.handleRequest(request, response)
  }
  return world
}
