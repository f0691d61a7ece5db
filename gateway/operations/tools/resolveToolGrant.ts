import { Failure } from '../../../spec/core/failure.ts'
import type { PresetKind } from '../../../spec/tools/presets/presetKinds.ts'
import type { ToolSelection } from '../../../spec/tools/tool.ts'
import type { GrantedTool, ToolGrant } from '../../../spec/tools/toolGrants.ts'
import { requireRow } from '../core/rows.ts'
import type { RequestContext } from '../requestContext.ts'
import { requirePresets } from './presets/catalog.ts'
import { type Preset, selectionKey } from './presets/preset.ts'
import { restrictingRun } from './requestingRun.ts'
import { loadGrant } from './toolGrants.ts'

type Context = Pick<RequestContext, 'views' | 'tools' | 'externalTools' | 'principal'>
type ExternalSelection = Extract<ToolSelection, { source: 'EXTERNAL' }>

export interface RunToolsRequest {
  readonly presetIds: readonly string[]
  readonly kind: PresetKind
  readonly codebaseId: string
}

/** Resolves the presets of a new run to its tool grant. @throws Failure NOT_FOUND, FAILED_PRECONDITION, FORBIDDEN */
export async function resolveToolGrant(
  { presetIds, kind, codebaseId }: RunToolsRequest,
  context: Context,
): Promise<ToolGrant> {
  const ids = [...new Set(presetIds)]
  const presets = await requirePresets(context.views, ids, 'mcpPresetIds')
  for (const preset of presets) requireKind(preset, kind)
  const selections = new Map(presets.flatMap(({ tools }) => tools.map((one) => [selectionKey(one), one] as const)))
  const tools = await grantTools([...selections.values()], context)
  await requireParentTools(tools, context)
  const codebase = await requireRow(context.views, 'codebase', codebaseId)
  return { presetIds: ids, repositoryId: codebase.context.repositoryId, tools }
}

function requireKind({ id, name, kind }: Preset, wanted: PresetKind): void {
  if (kind === wanted) return
  throw new Failure(
    'FAILED_PRECONDITION',
    `The preset ${name} is for ${kind} runs, but this is a ${wanted} run. Use a ${wanted} preset.`,
    {
      details: { field: 'mcpPresetIds', presetId: id },
    },
  )
}

async function grantTools(selections: readonly ToolSelection[], context: Context): Promise<readonly GrantedTool[]> {
  const builtin = selections.flatMap((one) => (one.source === 'BUILTIN' ? [grantBuiltin(one.name, context)] : []))
  const external = selections.flatMap((one) => (one.source === 'EXTERNAL' ? [one] : []))
  const byServer = Map.groupBy(external, ({ serverId }) => serverId)
  const found = await Promise.all([...byServer].map(([serverId, wanted]) => grantExternal(serverId, wanted, context)))
  const tools = [...builtin, ...found.flat()]
  return tools.sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1))
}

function grantBuiltin(name: string, { tools }: Context): GrantedTool {
  const tool = tools.get(name)
  if (tool === undefined) throw toolMissing(`The built-in tool ${name} no longer exists.`, { tool: name })
  const { title, description, inputSchema, outputSchema, annotations } = tool
  const definition = { name, title, description, inputSchema, outputSchema, annotations }
  return { selection: { source: 'BUILTIN', name }, definition }
}

/** Requests the current tools of the server: a cached listing may contain tools that no longer exist. */
async function grantExternal(
  serverId: string,
  wanted: readonly ExternalSelection[],
  { externalTools }: Context,
): Promise<readonly GrantedTool[]> {
  const found = await externalTools.discover(serverId, { maxAgeMs: 0 })
  if (!found.available) {
    const name = found.serverName ?? serverId
    throw toolMissing(`The external MCP server ${name} cannot be used now: ${found.problem.message}`, {
      serverId,
      problem: found.problem.code,
    })
  }
  const { serverName, endpoint } = found
  const tools = new Map(found.tools.map((tool) => [tool.rawName, tool]))
  return wanted.map((selection) => {
    const tool = tools.get(selection.name)
    if (tool === undefined) {
      const message = `The external MCP server ${serverName} no longer advertises ${selection.name}.`
      throw toolMissing(message, { serverId, tool: selection.name })
    }
    const { definition, hash } = tool
    return { selection, definition, external: { hash, endpoint } }
  })
}

function toolMissing(message: string, details: Record<string, unknown>): Failure {
  return new Failure(
    'FAILED_PRECONDITION',
    `${message} Remove the tool from the preset, or try again when it is available.`,
    {
      details: { field: 'mcpPresetIds', ...details },
    },
  )
}

/** A child run can have only the tools of its parent, with the definitions that the parent has. */
async function requireParentTools(tools: readonly GrantedTool[], { principal, views }: Context): Promise<void> {
  const parentId = await restrictingRun(principal, views)
  if (parentId === undefined) return
  const parentTools = new Map((await loadGrant(parentId, views))?.tools.map((tool) => [toolIdentity(tool), tool]))
  const excess = tools.filter((tool) => !parentTools.has(toolIdentity(tool))).map(({ definition }) => definition.name)
  if (excess.length === 0) return
  throw new Failure(
    'FORBIDDEN',
    `Child runs cannot have tools that their parent lacks: ${excess.join(', ')}. Remove them from the presets, or grant them to the parent.`,
    {
      details: { field: 'mcpPresetIds', tools: excess },
    },
  )
}

/** An external tool with another definition or another endpoint is another tool. */
function toolIdentity({ selection, external }: GrantedTool): string {
  return JSON.stringify([selectionKey(selection), external?.hash, external?.endpoint.url, external?.endpoint.transport])
}
