/** Tool calls over MCP and over REST. The request ID of each is its token. After the answer, the audit must contain it. */
import { send, wanted } from './http.ts'
import type { LoadContext } from './load.ts'
import { Refused, recorded } from './requests.ts'

const tool = { name: 'get_health', arguments: {} }
const groupId = 'discovery'

export async function callTool(context: LoadContext, instance: number): Promise<void> {
  const token = context.requests.token()
  const request = context.requests.begin('tool', instance, token)
  const id = { 'x-request-id': token }
  const url = context.url(instance)
  const mcp = context.random.next() < 0.5
  const { account } = context
  await recorded(request, async () => {
    if (!mcp) {
      const session = { ...id, cookie: account.cookie, origin: url }
      return wanted(await send(`${url}/api/tools/call`, 'POST', session, { groupId, ...tool }), 200)
    }
    const accept = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
    const answer = await send(
      `${url}/api/mcp`,
      'POST',
      { ...id, ...account.keyHeaders, ...accept },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool },
    )
    return mcpResult(wanted(answer, 200))
  })
}

/** An answer is acknowledged if the call was executed, whatever the result of the tool is. */
function mcpResult(body: string): unknown {
  const text = body.startsWith('{') ? body : (/^data: (.*)$/m.exec(body)?.[1] ?? '{}')
  const { result, error } = JSON.parse(text) as {
    result?: { isError?: boolean; structuredContent?: { error?: { code?: string } }; content?: { text?: string }[] }
    error?: { message: string; data?: { code?: string } }
  }
  if (error !== undefined) throw new Refused(error.data?.code ?? 'MCP', error.message)
  if (result?.isError === true) {
    const said = result.content?.[0]?.text ?? ''
    throw new Refused(/UNAVAILABLE/.test(said) ? 'UNAVAILABLE' : 'TOOL_ERROR', said)
  }
  return result
}
