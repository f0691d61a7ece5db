/** Real clients of both generations, and the Inspector, list and call. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { operations } from '../../../gateway/operations/operations.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { fixtureTools } from './fixtureTools.ts'
import { runProgram } from './runPackage.ts'

const info = { name: 'test', version: '1' }

describe('MCP clients', () => {
  let world: TestGateway
  let headers: Record<string, string>
  let endpoint: URL

  before(async () => {
    world = await startTestGateway({ options: { operations, tools: fixtureTools } })
    const { userId } = await world.signIn()
    headers = { 'x-api-key': (await world.apiKey(userId)).token }
    endpoint = new URL(`${world.url}/api/mcp`)
  })
  after(() => world.stop())

  it('of the SDK (2025-11-25) list and call tools, and receive progress', async () => {
    const client = new Client(info)
    const transport = new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } })
    await client.connect(transport as Transport)
    const { tools } = await client.listTools()
    ok(tools.some(({ name }) => name === 'get_agents'))
    const { structuredContent } = await client.callTool({ name: 'get_agents', arguments: {} })
    deepEqual((structuredContent as { nodes: unknown }).nodes, [])
    const heard: number[] = []
    await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, undefined, {
      onprogress: ({ progress }) => heard.push(progress),
    })
    deepEqual(heard, [0, 50, 100])
    await client.close()
  })

  it('of the version 2026-07-28 negotiate it, list and call tools, and receive progress', async () => {
    const client = new ModernClient(info, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new ModernTransport(endpoint, { requestInit: { headers } }))
    equal(client.getNegotiatedProtocolVersion(), '2026-07-28')
    const { tools } = await client.listTools()
    ok(tools.some(({ name }) => name === 'get_agents'))
    const { structuredContent } = await client.callTool({ name: 'get_agents', arguments: {} })
    deepEqual((structuredContent as { nodes: unknown }).nodes, [])
    const heard: number[] = []
    await client.callTool(
      { name: 'test_tool_with_progress', arguments: {} },
      { onprogress: ({ progress }) => heard.push(progress) },
    )
    deepEqual(heard, [0, 50, 100])
    await client.close()
  })

  it('such as the Inspector list and call tools', { timeout: 60_000 }, async () => {
    const inspect = async (...args: readonly string[]) => {
      const given = [
        '--cli',
        '--server-url',
        endpoint.href,
        '--transport',
        'http',
        '--header',
        `X-API-Key: ${headers['x-api-key']}`,
      ]
      const { code, printed, output } = await runProgram(
        '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
        [...given, ...args],
      )
      equal(code, 0, output)
      return JSON.parse(printed)
    }
    const { tools } = await inspect('--method', 'tools/list')
    ok(tools.some(({ name }: { name: string }) => name === 'get_agents'))
    const { structuredContent } = await inspect('--method', 'tools/call', '--tool-name', 'get_agents')
    deepEqual(structuredContent.nodes, [])
  })
})
