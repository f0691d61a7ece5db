/** External servers that the test defines: without sockets, and every call is recorded. */
import type { Discovery, ExternalCall, ExternalResult, ExternalTools } from '../../../spec/tools/external.ts'

export interface FakeExternalTools extends ExternalTools {
  /** By server ID. Others do not exist. */
  readonly servers: Map<string, Discovery>
  readonly calls: ExternalCall[]
  /** The answer to the next calls. */
  answer: (call: ExternalCall) => Promise<ExternalResult> | ExternalResult
}

export function fakeExternalTools(): FakeExternalTools {
  const servers = new Map<string, Discovery>()
  const calls: ExternalCall[] = []
  const fake: FakeExternalTools = {
    servers,
    calls,
    answer: () => ({ content: [{ type: 'text', text: 'done' }] }),
    discover: async (serverId) => servers.get(serverId) ?? unknown(serverId),
    call: async (call) => {
      calls.push(call)
      return await fake.answer(call)
    },
    close: async () => {},
  }
  return fake
}

function unknown(serverId: string): Discovery {
  const problem = { code: 'NOT_FOUND', message: 'There is no external MCP server with this ID.' } as const
  return { available: false, serverId, serverName: null, problem }
}
