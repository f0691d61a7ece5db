import type { McpServer } from '@agentclientprotocol/sdk'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/**
 * Calls the MCP server that the test CLI was given. `list` gives the names of its tools, `call <name> <JSON>` the text of the
 * tool's answer, after `error:` if it is an error. A refusal of the server begins with `refused:`.
 */
export async function useMcp(servers: McpServer[], command: string): Promise<string> {
  const server = servers.find((one) => 'type' in one && one.type === 'http')
  if (!server || !('url' in server) || !('headers' in server)) return 'no server'
  const client = new Client({ name: 'test-cli', version: '1' })
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]))
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }) as never)
    const [verb, name = '', ...rest] = command.split(' ')
    if (verb === 'list') return (await client.listTools()).tools.map((tool) => tool.name).join(',')
    const answer = await client.callTool({ name, arguments: JSON.parse(rest.join(' ') || '{}') })
    const text = (answer.content as { text?: string }[]).map((part) => part.text ?? '').join('')
    return answer.isError ? `error: ${text}` : text
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`
  } finally {
    await client.close()
  }
}
