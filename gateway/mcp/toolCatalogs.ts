/** Finds the tool catalog of a scope. The tools of a run never change, so its catalog is cached. The built-in tools are created once. */
import { LRUCache } from 'lru-cache'
import { Failure } from '../../spec/core/failure.ts'
import type { ExternalTool, ExternalTools } from '../../spec/tools/external.ts'
import type { ToolSelection } from '../../spec/tools/tool.ts'
import type { GrantedTool } from '../../spec/tools/toolGrants.ts'
import type { Executor } from '../operations/execute.ts'
import type { OperationTool } from '../operations/tools/builtin.ts'
import { serveBuiltin } from '../operations/tools/builtinCalls.ts'
import { serveExternal } from '../operations/tools/externalCalls.ts'
import type { RunScope } from '../operations/tools/runScope.ts'
import type { ServedTool } from '../operations/tools/servedTool.ts'
import type { TypedViews } from '../operations/typedViews.ts'
import { createToolCatalog, type ToolCatalog } from './toolCatalog.ts'

export interface ToolCatalogParts {
  readonly builtin: ReadonlyMap<string, OperationTool>
  /** More tools, listed with the built-in ones. */
  readonly more: readonly ServedTool[]
  readonly external: ExternalTools
  readonly executor: Executor
  /** Returns the selections of a preset, or undefined if there is no such preset. */
  presetOf(presetId: string, views: TypedViews): Promise<readonly ToolSelection[] | undefined>
}

export class ToolCatalogs {
  readonly all: ToolCatalog
  readonly #parts: ToolCatalogParts
  readonly #builtin: ReadonlyMap<string, ServedTool>
  readonly #ofRuns = new LRUCache<string, ToolCatalog>({ max: 10_000 })

  constructor(parts: ToolCatalogParts) {
    this.#parts = parts
    this.#builtin = new Map([...parts.builtin].map(([name, tool]) => [name, serveBuiltin(tool, parts.executor)]))
    this.all = createToolCatalog('MCP', null, [...this.#builtin.values(), ...parts.more])
  }

  /** @throws Failure MCP_PRESET_NOT_FOUND */
  async ofPreset(presetId: string, views: TypedViews): Promise<ToolCatalog> {
    const { external, presetOf } = this.#parts
    const selections = await presetOf(presetId, views)
    if (selections === undefined) throw new Failure('MCP_PRESET_NOT_FOUND', 'There is no preset with this ID.')
    const builtin = selections.flatMap(({ source, name }) =>
      source === 'BUILTIN' ? (this.#builtin.get(name) ?? []) : [],
    )
    const wanted = Map.groupBy(
      selections.flatMap((one) => (one.source === 'EXTERNAL' ? [one] : [])),
      ({ serverId }) => serverId,
    )
    const found = await Promise.all([...wanted.keys()].map((serverId) => external.discover(serverId)))
    const others = found.flatMap((discovery) => {
      // The tools of an unavailable server are missing from the list until the server is available again.
      if (!discovery.available) return []
      const names = new Set(wanted.get(discovery.serverId)?.map(({ name }) => name))
      return discovery.tools.filter(({ rawName }) => names.has(rawName)).map((tool) => this.#external(tool))
    })
    return createToolCatalog('MCP_PRESET', presetId, [...builtin, ...others])
  }

  ofRun({ row, grant }: RunScope): ToolCatalog {
    const known = this.#ofRuns.get(row.id)
    if (known !== undefined) return known
    const tools = grant === undefined ? this.#legacy(row.init) : grant.tools.map((tool) => this.#granted(tool))
    const catalog = createToolCatalog('MCP_RUN', row.id, tools)
    this.#ofRuns.set(row.id, catalog)
    return catalog
  }

  /** Runs from before frozen tool grants list built-in tools by name. */
  #legacy({ mcpToolNames = [] }: RunScope['row']['init']): readonly ServedTool[] {
    return mcpToolNames.flatMap((name) => this.#builtin.get(name) ?? [])
  }

  #granted({ selection, definition, external }: GrantedTool): ServedTool {
    if (selection.source === 'BUILTIN') return { ...(this.#builtin.get(selection.name) ?? gone), definition }
    if (external === undefined) return { ...gone, definition }
    const { serverId, name: rawName } = selection
    return serveExternal({ serverId, rawName, definition, ...external }, this.#parts.external)
  }

  #external({ serverId, rawName, definition, hash }: ExternalTool): ServedTool {
    return serveExternal({ serverId, rawName, definition, hash }, this.#parts.external)
  }
}

/** A tool that a run was granted and that this version does not have. */
const gone: Omit<ServedTool, 'definition'> = {
  call: () =>
    Promise.reject(
      new Failure(
        'FAILED_PRECONDITION',
        'The tool is not available in this version of the server. Start a new run without it.',
        { details: { reason: 'TOOL_REMOVED' } },
      ),
    ),
}
