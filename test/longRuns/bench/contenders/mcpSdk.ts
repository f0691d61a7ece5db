/**
 * The protocol's SDK on express, stateless, as in its documentation: a server and a transport for each request. The tools, their
 * schemas and the database query are Signalbox's own. The key is looked up once and cached. It has no log, metrics, limits or
 * audit.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import express from 'express'
import { sha256Hex } from '../../../../gateway/auth/tokens.ts'
import { operations } from '../../../../gateway/operations/operations.ts'
import type { RequestContext } from '../../../../gateway/operations/requestContext.ts'
import { builtinTools } from '../../../../gateway/operations/tools/builtin.ts'
import { connect } from '../../../../storage/sql/sql.ts'
import { PostgresViews } from '../../../../storage/views/views.ts'
import { contenderOptions, serve } from '../support/contender.ts'

export interface McpSdkOptions {
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly database: string
    readonly username: string
  }
}

const { connection } = contenderOptions<McpSdkOptions>()
const sql = connect({ connection }, { name: 'mcp sdk', max: 8 })
const views = new PostgresViews(sql)
const presence = {
  lastSeen: () => undefined,
  epoch: () => undefined,
  loose: () => undefined,
  status: () => undefined,
}
const catalog = builtinTools(operations)
const tools = [...catalog.values()].map(({ name, title, description, inputSchema, outputSchema, annotations }) => {
  return { name, title, description, inputSchema, outputSchema, annotations } as Tool
})
const keys = new Map<string, Promise<boolean>>()

function allowed(key: string): Promise<boolean> {
  const hash = sha256Hex(key)
  let known = keys.get(hash)
  if (known === undefined) {
    known = views.findByKey('apiKey', hash).then((row) => row?.columns.status === 'ACTIVE')
    keys.set(hash, known)
  }
  return known
}

function newServer(): Server {
  const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { operation } = catalog.get(params.name) ?? {}
    if (operation?.kind !== 'query') throw new Error('This bench calls only tools that read.')
    const context = { views, presence, now: Date.now() } as unknown as RequestContext
    const structuredContent = (await operation.read(params.arguments as never, context)) as Record<string, unknown>
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
  })
  return server
}

const app = express()
app.use(express.json())
app.post('/api/mcp', async (req, res) => {
  if (!(await allowed(String(req.headers['x-api-key'])))) {
    res.status(401).end()
    return
  }
  const server = newServer()
  const transport = new StreamableHTTPServerTransport({})
  res.on('close', () => {
    void transport.close()
    void server.close()
  })
  await server.connect(transport as Transport)
  await transport.handleRequest(req, res, req.body)
})
const listening = app.listen(0, '127.0.0.1')
await once(listening, 'listening')
serve({ port: (listening.address() as AddressInfo).port, stop: () => sql.end({ timeout: 1 }) })
