/** Importing presets in two steps: a preview that writes nothing, and the import of exactly what was previewed, whole or not at all. */
import * as v from 'valibot'
import { presetCatalogueId } from '../ids.ts'
import { type Envelope, type MessageContext, mutation, query, type Reply } from '../operation.ts'
import { principalName } from '../principal.ts'
import { initOf } from '../rows.ts'
import type { ToolSelection } from '../tools/tool.ts'
import { dateTime, id, int, named, toDateTime } from '../types.ts'
import { allPresets } from './catalogue.ts'
import { importAction, importInput } from './importInput.ts'
import { planImport } from './importPlan.ts'
import { issueToken, requireSamePlan, requireToken } from './importToken.ts'
import { type ImportPlan, type PlannedServer, type PlannedTool, planProblemCodes } from './plan.ts'
import { presetAnswers, presetKind, presetSchema } from './presetType.ts'
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

const plannedTool = named(
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
    tools: v.pipe(v.array(plannedTool), v.description('Empty where it is skipped: then they are not looked at.')),
  }),
)

const plannedServer = named(
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

/** More are counted and not shown. */
const shownProblems = 200

const previewMcpToolPresetImport = query({
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
      errors: v.pipe(v.array(problem), v.description(`What keeps it from being imported; the first ${shownProblems}.`)),
      warningCount: int,
      warnings: v.pipe(v.array(problem), v.description(`The first ${shownProblems}.`)),
    }),
  ),
  cost: 100,
  read: async ({ input }, context) => {
    const plan = await planImport(input, context)
    const issued = plan.problems.length === 0 ? issueToken(input, plan, context) : undefined
    return {
      previewToken: issued?.token ?? null,
      expiresAt: issued ? toDateTime(issued.until) : null,
      presets: plan.presets.map(({ target, tools, ...preset }) => ({
        ...preset,
        targetId: target?.id ?? null,
        targetName: target?.name ?? null,
        toolsFound: tools.filter(({ found }) => found).length,
        tools: tools.map(toolAnswer),
      })),
      servers: plan.servers.map(serverAnswer),
      errorCount: plan.problems.length,
      errors: plan.problems.slice(0, shownProblems),
      warningCount: plan.warnings.length,
      warnings: plan.warnings.slice(0, shownProblems),
    }
  },
})

function toolAnswer({ tool, selection, found }: PlannedTool): v.InferInput<typeof plannedTool> {
  return {
    source: tool.source,
    name: tool.name,
    serverKey: tool.source === 'EXTERNAL' ? tool.serverKey : null,
    serverId: selection?.source === 'EXTERNAL' ? selection.serverId : null,
    found,
  }
}

function serverAnswer({ serverKey, serverId, discovery, tools }: PlannedServer): v.InferInput<typeof plannedServer> {
  const status =
    discovery === undefined
      ? 'UNMAPPED'
      : discovery.available
        ? 'AVAILABLE'
        : discovery.problem.code === 'NOT_FOUND'
          ? 'NOT_FOUND'
          : 'UNAVAILABLE'
  return { serverKey, status, serverId: serverId ?? null, serverName: discovery?.serverName ?? null, tools: [...tools] }
}

const payload = named(
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

const importMcpToolPresets = mutation({
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
  // By then the token rests on what its own import has changed: a repeat can't be translated anew.
  repeat: { message: 0, answer: ({ row }, context) => imported(row.id, initOf<Imported>(row), context) },
  translate: async (input, context) => {
    const claims = requireToken(input, context)
    const plan = await planImport(input, context)
    requireSamePlan(claims, plan, context)
    const importId = context.newId('presetImport')
    const event = { type: 'import', importId, by: principalName(context.principal), ...puts(plan, context) }
    const message: Envelope = {
      to: { kind: 'mcpToolPreset', id: presetCatalogueId },
      event,
      makes: { kind: 'presetImport', id: importId },
    }
    const done: Imported = {
      skipped: event.skipped,
      presets: event.puts.map(({ presetId, replaces }) => ({
        presetId,
        action: replaces === null ? 'CREATE' : 'REPLACE',
      })),
    }
    return {
      messages: [message],
      answer: ([reply]: readonly Reply[]) => imported(reply?.made?.id ?? importId, done, context),
    }
  },
})

function puts({ presets }: ImportPlan, { newId }: MessageContext) {
  const kept = presets.filter(({ action }) => action !== 'SKIP')
  return {
    skipped: presets.length - kept.length,
    puts: kept.map(({ name, kind, target, tools }) => ({
      presetId: target?.id ?? newId('mcpToolPreset'),
      replaces: target?.revision ?? null,
      name,
      kind,
      tools: tools.map(({ selection }) => selection as ToolSelection),
    })),
  }
}

interface Imported {
  readonly skipped: number
  readonly presets: readonly { readonly presetId: string; readonly action: string }[]
}

/** One that was deleted since is counted and not shown. */
async function imported(
  importId: string,
  { skipped, presets }: Imported,
  { views }: MessageContext,
): Promise<v.InferInput<typeof payload>> {
  const all = new Map((await allPresets(views)).map((preset) => [preset.id, preset]))
  const there = presets.flatMap(({ presetId }) => all.get(presetId) ?? [])
  const created = presets.filter(({ action }) => action === 'CREATE').length
  return {
    importId,
    created,
    replaced: presets.length - created,
    skipped,
    presets: await presetAnswers(there, views),
  }
}

export const presetImportOperations = [previewMcpToolPresetImport, importMcpToolPresets]
