/** References from presets to external MCP servers. */
import { idOf } from '../../core/types.ts'

export const serverId = idOf('mcpServer')
