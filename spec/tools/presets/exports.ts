/** Presets as documents that another installation can import. */
import * as v from 'valibot'
import { query } from '../../core/operation.ts'
import { id, idOf, named } from '../../core/types.ts'

const file = {
  filename: v.string(),
  contentType: v.string(),
  content: v.pipe(v.string(), v.description('The document as JSON, for the field document of an import.')),
}

export const mcpToolPresetExport = query({
  name: 'mcpToolPresetExport',
  description: 'Returns presets as a document that another installation can import.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    name: 'export_mcp_tool_presets',
    title: 'Export tool presets',
    description:
      'Returns presets as a portable document (JSON, in content). preview_mcp_tool_preset_import and import_mcp_tool_presets ' +
      'accept it, here or in another installation. The document names external servers by keys of its own, without addresses ' +
      'or credentials. The same presets give the same bytes.',
  },
  input: v.object({
    ids: v.pipe(
      v.array(idOf('mcpToolPreset')),
      v.minLength(1, 'must name at least one preset'),
      v.maxLength(500, 'must name at most 500 presets'),
      v.description('The IDs of the presets, as get_mcp_tool_presets returns them.'),
    ),
  }),
  output: named('McpToolPresetExport', 'A document with presets.', v.object(file)),
})

export const mcpToolPresetCatalogExport = query({
  name: 'mcpToolPresetCatalogExport',
  description:
    'Returns all presets as one document, with a catalog of the available tools. The catalog is incomplete if a server does not answer.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    name: 'export_mcp_tool_preset_catalog',
    title: 'Export the preset catalog',
    description:
      'Returns all presets as one portable document (JSON, in content), with a catalog of the available tools: the built-in ' +
      'tools and those of the external servers, each with its description. Use it to write a document of new presets. If a ' +
      'server does not answer, complete is false, servers has the reason, and its tools are missing. The presets are always ' +
      'complete.',
  },
  input: undefined,
  output: named(
    'McpToolPresetCatalogExport',
    'A document with all presets, and the external servers that answered.',
    v.object({
      ...file,
      complete: v.pipe(v.boolean(), v.description('Whether the catalog has the tools of all servers.')),
      servers: v.array(
        named(
          'McpToolPresetCatalogServer',
          'An external server, and whether it answered.',
          v.object({
            serverKey: v.pipe(v.string(), v.description('The key by which the document names the server.')),
            serverId: id,
            serverName: v.nullable(v.string()),
            available: v.boolean(),
            problem: v.pipe(
              v.nullable(v.string()),
              v.description('The reason why the server did not answer: UNREACHABLE, DISABLED … Null if it answered.'),
            ),
          }),
        ),
      ),
    }),
  ),
  cost: 100,
})
