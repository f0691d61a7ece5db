/** Presets as documents that another installation can import. */
import * as v from 'valibot'
import { query } from '../../core/operation.ts'
import { id, idOf, named } from '../../core/types.ts'

const file = {
  filename: v.string(),
  contentType: v.string(),
  content: v.pipe(v.string(), v.description('The document, JSON: what an import takes as document.')),
}

export const mcpToolPresetExport = query({
  name: 'mcpToolPresetExport',
  description: 'Presets as a document that another installation can import.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    name: 'export_mcp_tool_presets',
    title: 'Export tool presets',
    description:
      'Presets as a portable document (JSON, in content) that preview_mcp_tool_preset_import and import_mcp_tool_presets take, here or in another installation. External servers stand in it under keys of its own, without addresses or credentials. The same presets give the same bytes.',
  },
  input: v.object({
    ids: v.pipe(
      v.array(idOf('mcpToolPreset')),
      v.minLength(1, 'must name at least one preset'),
      v.maxLength(500, 'must name at most 500 presets'),
      v.description('The presets, by the ids that get_mcp_tool_presets gives.'),
    ),
  }),
  output: named('McpToolPresetExport', 'A file with presets.', v.object(file)),
})

export const mcpToolPresetCatalogExport = query({
  name: 'mcpToolPresetCatalogExport',
  description:
    'All presets as one document, with the tools that presets can be made of: partial where a server can’t be asked.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    name: 'export_mcp_tool_preset_catalog',
    title: 'Export the preset catalogue',
    description:
      'All presets as one portable document (JSON, in content), with a catalog of what presets can be made of: the built-in tools and those of the external servers, each with its description. Use it to write a document of new presets. Where a server can’t be asked now, complete is false and servers says why; its tools are missing, the presets are all there.',
  },
  input: undefined,
  output: named(
    'McpToolPresetCatalogExport',
    'A file with all presets, and which servers could be asked what they offer.',
    v.object({
      ...file,
      complete: v.pipe(v.boolean(), v.description('False where a server’s tools are missing.')),
      servers: v.array(
        named(
          'McpToolPresetCatalogServer',
          'An external server, and whether it could be asked.',
          v.object({
            serverKey: v.pipe(v.string(), v.description('How the document names it.')),
            serverId: id,
            serverName: v.nullable(v.string()),
            available: v.boolean(),
            problem: v.pipe(
              v.nullable(v.string()),
              v.description('Why it could not be asked: UNREACHABLE, DISABLED …'),
            ),
          }),
        ),
      ),
    }),
  ),
  cost: 100,
})
