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
  'What is wrong with an import, or worth knowing of it.',
  v.object({
    path: v.pipe(v.string(), v.description('Where in the input: document.presets[2].tools[0].name.')),
    code: named('McpToolPresetImportProblemCode', 'What kind of problem it is.', v.picklist(planProblemCodes)),
    message: v.string(),
  }),
)

export const plannedTool = named(
  'McpToolPresetImportTool',
  'A tool of a preset of the document, and what it is here.',
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
  'What would become of one preset of the document.',
  v.object({
    index: int,
    action: importAction,
    documentName: v.string(),
    name: v.pipe(v.string(), v.description('Under which it would stand here.')),
    kind: presetKind,
    targetId: v.nullable(id),
    targetName: v.pipe(v.nullable(v.string()), v.description('What the target is called now.')),
    toolsFound: int,
    tools: v.pipe(
      atMost(mostTools, plannedTool),
      v.description('Empty where it is skipped: then they are not looked at.'),
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
      'UNMAPPED: serverMappings must say which server it is.',
      v.picklist(['UNMAPPED', 'AVAILABLE', 'UNAVAILABLE', 'NOT_FOUND']),
    ),
    serverId: v.nullable(id),
    serverName: v.nullable(v.string()),
    tools: v.pipe(v.array(v.string()), v.description('The names of the tools that are needed of it.')),
  }),
)

/** Further problems are counted but not returned. */
export const shownProblems = 200

export const previewMcpToolPresetImport = query({
  name: 'previewMcpToolPresetImport',
  description: 'What an import would do. It writes nothing, and gives a token where nothing is wrong.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Preview an import of tool presets',
    description:
      'What importing a document of presets would do: for each what becomes of it and which of its tools are there, which servers have to be mapped, and what is wrong, with the place in the input. Where errors is empty it gives a previewToken: call import_mcp_tool_presets with the same document, decisions and serverMappings and this token. It writes nothing.',
  },
  input: v.object({ input: importInput }),
  output: named(
    'McpToolPresetImportPreview',
    'What an import would do.',
    v.object({
      previewToken: v.pipe(
        v.nullable(v.string()),
        v.description('To be sent with the same input within 30 minutes. Null where something is wrong.'),
      ),
      expiresAt: v.nullable(dateTime),
      presets: v.array(plannedPreset),
      servers: v.array(plannedServer),
      errorCount: int,
      errors: v.pipe(
        atMost(shownProblems, problem),
        v.description(`What keeps it from being imported; the first ${shownProblems}.`),
      ),
      warningCount: int,
      warnings: v.pipe(atMost(shownProblems, problem), v.description(`The first ${shownProblems}.`)),
    }),
  ),
  cost: 100,
})

export const payload = named(
  'ImportMcpToolPresetsPayload',
  'What was imported.',
  v.object({
    importId: id,
    created: int,
    replaced: int,
    skipped: int,
    presets: v.pipe(
      v.array(presetSchema),
      v.description('Those that were made and replaced, in the document’s order.'),
    ),
  }),
)

export const importMcpToolPresets = mutation({
  name: 'importMcpToolPresets',
  description: 'Imports what was previewed: all of it, or nothing.',
  access: 'people',
  tool: {
    openWorld: true,
    group: 'tools',
    title: 'Import tool presets',
    description:
      'Carries out an import that preview_mcp_tool_preset_import has shown: send the same document, decisions and serverMappings with its previewToken. All presets are imported or none; where anything has changed since the preview, nothing is, and a new preview says what. REPLACE keeps the id of the preset that it replaces.',
    destroys: true,
  },
  input: importInput,
  output: payload,
})
