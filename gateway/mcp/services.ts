/** Services that MCP and the tools over REST share. They are created once for each gateway. */
import { kindOfId } from '../../spec/core/ids.ts'
import { version } from '../../spec/settings/version.ts'
import type { ToolSelection } from '../../spec/tools/tool.ts'
import type { Limits } from '../limits/limits.ts'
import type { GatewayMetrics } from '../observability/metrics.ts'
import type { Executor } from '../operations/execute.ts'
import type { OperationTool } from '../operations/tools/builtin.ts'
import type { AuditPorts } from '../operations/tools/callWithAudit.ts'
import { findPreset } from '../operations/tools/presets/catalog.ts'
import { ToolRates } from '../operations/tools/toolRates.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import type { ContextOf } from '../operations/worktrees/codebaseRoutes.ts'
import type { GatewayOptions } from '../options.ts'
import { mcpProtocol } from './protocol.ts'
import type { McpServices } from './route.ts'
import { ToolCatalogs } from './toolCatalogs.ts'

export interface ToolServices extends McpServices {
  readonly builtin: ReadonlyMap<string, OperationTool>
  readonly audit: AuditPorts
}

export interface ToolParts {
  readonly options: GatewayOptions
  readonly builtin: ReadonlyMap<string, OperationTool>
  readonly executor: Executor
  readonly limits: Limits
  readonly metrics: GatewayMetrics
  readonly contextOf: ContextOf
}

export function toolServices({ options, builtin, executor, limits, metrics, contextOf }: ToolParts): ToolServices {
  const { toolCalls, externalTools, clock, log, tools: more = [] } = options
  const audit = { toolCalls, clock, log, metrics }
  const parts = { ...audit, version }
  return {
    builtin,
    audit,
    parts,
    protocol: mcpProtocol(parts),
    toolCatalogs: new ToolCatalogs({ builtin, more, external: externalTools, executor, presetOf }),
    rates: new ToolRates(clock, limits),
    bodyBytes: limits.toolBodyBytes,
    contextOf,
  }
}

async function presetOf(id: string, views: TypedViews): Promise<readonly ToolSelection[] | undefined> {
  return kindOfId(id) === 'mcpToolPreset' ? (await findPreset(views, id))?.tools : undefined
}
