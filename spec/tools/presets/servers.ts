/** External MCP servers, as presets speak of them. */
import { idOf } from '../../core/types.ts'

export const serverId = idOf('mcpServer')
