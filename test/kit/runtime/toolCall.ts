import type { ToolCallRecord } from '../../../spec/tools/audit.ts'

/** A call that was answered. A test overrides the fields that matter to it. */
export function toolCall(own: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return {
    at: Date.now(),
    durationMs: 3.25,
    caller: 'usr_1',
    source: 'MCP',
    scopeId: null,
    tool: 'get_apps',
    serverId: null,
    rawName: null,
    argumentsSha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    requestId: 'request',
    outcome: 'SUCCESS',
    code: null,
    ...own,
  }
}
