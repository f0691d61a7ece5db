/** Forwards a call to the external server of the tool. */
import type { ExternalTools, McpEndpoint } from '../../../spec/tools/external.ts'
import type { ToolDefinition } from '../../../spec/tools/tool.ts'
import type { ServedTool } from './servedTool.ts'

interface ForwardedTool {
  readonly serverId: string
  readonly rawName: string
  readonly definition: ToolDefinition
  readonly hash: string
  /** The endpoint at the creation of the run. Undefined if the caller is not a run. */
  readonly endpoint?: McpEndpoint
}

export function serveExternal(tool: ForwardedTool, servers: ExternalTools): ServedTool {
  const { serverId, rawName, definition, hash, endpoint } = tool
  return {
    definition,
    external: { serverId, rawName },
    call: (given, { signal, progress }) =>
      servers.call({
        serverId,
        rawName,
        arguments: given,
        hash,
        signal,
        ...(endpoint && { endpoint }),
        ...(progress && { onProgress: progress }),
      }),
  }
}
