/**
 * An import has two operations: a preview that writes nothing, and the import of exactly the previewed document, completely or
 * not at all.
 */
import * as v from 'valibot'
import { mutation, query } from '../../core/operation.ts'
import { atMost, dateTime, id, int, named } from '../../core/types.ts'
import { importAction, importInput } from './importInput.ts'
import { planProblemCodes } from './plan.ts'
import { mostTools } from './preset.ts'
import { presetKind, presetSchema } from './presetType.ts'
import { toolSource } from './selections.ts'

const problem = named(
  'McpToolPresetImportProblem',
  'A problem of an import, or a note about it.',
  v.object({
    path: v.pipe(v.string(), v.description('The place in the input, for example document.presets[2].tools[0].name.')),
    code: named('McpToolPresetImportProblemCode', 'The kind of the problem.', v.picklist(planProblemCodes)),
    message: v.string(),
  }),
)

export const plannedTool = named(
  'McpToolPresetImportTool',
  'A tool of a preset of the document, and the tool of this installation that matches it.',
  v.object({
    source: toolSource,
    name: v.string(),
    serverKey: v.nullable(v.string()),
    serverId: v.nullable(id),
    found: v.boolean(),
  }),
)

const plannedPreset = named(
  'McpToolPresetImportEntry',
  'The outcome of the import for one preset of the document.',
  v.object({
    index: int,
    action: importAction,
    documentName: v.string(),
    name: v.pipe(v.string(), v.description('The name that the preset would have.')),
    kind: presetKind,
    targetId: v.nullable(id),
    targetName: v.pipe(
      v.nullable(v.string()),
      v.description('The current name of the preset that would be replaced. Null if none would be.'),
    ),
    toolsFound: int,
    tools: v.pipe(
      atMost(mostTools, plannedTool),
      v.description('The tools of the preset. Empty if the preset is skipped, because its tools are not examined.'),
    ),
  }),
)

export const plannedServer = named(
  'McpToolPresetImportServer',
  'A server that tools of the document need.',
  v.object({
    serverKey: v.string(),
    status: named(
      'McpToolPresetImportServerStatus',
      'The state of the server. UNMAPPED: serverMappings must name the server.',
      v.picklist(['UNMAPPED', 'AVAILABLE', 'UNAVAILABLE', 'NOT_FOUND']),
    ),
    serverId: v.nullable(id),
    serverName: v.nullable(v.string()),
    tools: v.pipe(
      v.array(v.string()),
      v.description('The names of the tools that the document needs from the server.'),
    ),
  }),
)

/** Further problems are counted but not returned. */
export const shownProblems = 200

export const previewMcpToolPresetImport = query({
  name: 'previewMcpToolPresetImport',
  description: 'The result that an import would have. Nothing is written. It has a token if there are no errors.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Preview an import of tool presets',
    description:
      'Previews an import of a document of presets: the action for each preset, the tools that exist here, the servers that ' +
      'must be mapped, and the problems with their place in the input. Nothing is written. If errors is empty, it returns a ' +
      'previewToken: call import_mcp_tool_presets with the same document, decisions and serverMappings and this token.',
  },
  input: v.object({ input: importInput }),
  output: named(
    'McpToolPresetImportPreview',
    'Previews an import of a document of presets. Nothing is written.',
    v.object({
      previewToken: v.pipe(
        v.nullable(v.string()),
        v.description('The token to send with the same input within 30 minutes. Null if there are errors.'),
      ),
      expiresAt: v.nullable(dateTime),
      presets: v.array(plannedPreset),
      servers: v.array(plannedServer),
      errorCount: int,
      errors: v.pipe(
        atMost(shownProblems, problem),
        v.description(`The first ${shownProblems} problems that prevent the import.`),
      ),
      warningCount: int,
      warnings: v.pipe(
        atMost(shownProblems, problem),
        v.description(`The first ${shownProblems} notes that do not prevent the import.`),
      ),
    }),
  ),
  cost: 100,
})

export const payload = named(
  'ImportMcpToolPresetsPayload',
  'The result of the import.',
  v.object({
    importId: id,
    created: int,
    replaced: int,
    skipped: int,
    presets: v.pipe(
      v.array(presetSchema),
      v.description('The presets that were created or replaced, in the order of the document.'),
    ),
  }),
)

export const importMcpToolPresets = mutation({
  name: 'importMcpToolPresets',
  description: 'Imports a previewed document of presets: all of it, or nothing.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Import tool presets',
    description:
      'Imports a document of presets that preview_mcp_tool_preset_import previewed: send the same document, decisions and ' +
      'serverMappings with its previewToken. All presets are imported or none. If anything has changed since the preview, ' +
      'nothing is imported, and a new preview shows the change. REPLACE keeps the ID of the replaced preset.',
    destroys: true,
  },
  input: importInput,
  output: payload,
})
