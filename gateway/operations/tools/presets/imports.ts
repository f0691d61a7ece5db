import type * as v from 'valibot'
import { presetCatalogId } from '../../../../spec/core/ids.ts'
import { principalName } from '../../../../spec/core/principal.ts'
import { toDateTime } from '../../../../spec/core/types.ts'
import {
  importMcpToolPresets,
  type payload,
  type plannedServer,
  type plannedTool,
  previewMcpToolPresetImport,
  shownProblems,
} from '../../../../spec/tools/presets/imports.ts'
import type { ToolSelection } from '../../../../spec/tools/tool.ts'
import type { Envelope, Reply } from '../../../messages.ts'
import { requireKind } from '../../core/replies.ts'
import { handle } from '../../handler.ts'
import type { RequestContext } from '../../requestContext.ts'
import { refuseRun } from '../refuseRun.ts'
import { loadPresets } from './catalog.ts'
import { documentSizes } from './document.ts'
import { planImport } from './importPlan.ts'
import { issueToken, requireSamePlan, requireToken } from './importToken.ts'
import type { ImportPlan, PlannedServer, PlannedTool } from './plan.ts'
import { makePresetAnswers } from './presetType.ts'

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

const notByRuns =
  'Runs cannot replace presets: later runs of other callers get their tools. Import them under other names.'

function makePuts({ presets }: ImportPlan, { ids }: RequestContext<'ids'>) {
  const kept = presets.filter(({ action }) => action !== 'SKIP')
  return {
    skipped: presets.length - kept.length,
    puts: kept.map(({ name, kind, target, tools }) => ({
      presetId: target?.id ?? ids.newId('mcpToolPreset'),
      replaces: target?.revision ?? null,
      name,
      kind,
      tools: tools.map(({ selection }) => selection as ToolSelection),
    })),
  }
}

interface ImportOutcome {
  readonly skipped: number
  readonly presets: readonly { readonly presetId: string; readonly action: string }[]
}

/** A preset that was deleted after the import is counted, but not returned. */
async function makeImportAnswer(
  importId: string,
  { skipped, presets }: ImportOutcome,
  { views }: RequestContext<'views'>,
): Promise<v.InferInput<typeof payload>> {
  const all = new Map((await loadPresets(views)).map((preset) => [preset.id, preset]))
  const existing = presets.flatMap(({ presetId }) => all.get(presetId) ?? [])
  const created = presets.filter(({ action }) => action === 'CREATE').length
  return {
    importId,
    created,
    replaced: presets.length - created,
    skipped,
    presets: await makePresetAnswers(existing, views),
  }
}

export const presetImportHandlers = [
  handle(previewMcpToolPresetImport, ['views', 'tools', 'externalTools', 'signings', 'limits'], {
    listCounts: ({ input }) => {
      const { presets, tools, servers } = documentSizes(input.document)
      const lists = { tools: { items: tools } }
      return { lists: { presets: { items: presets, lists }, servers: { items: servers } } }
    },
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
  }),
  handle(importMcpToolPresets, ['views', 'tools', 'externalTools', 'signings', 'limits', 'ids'], {
    listCounts: ({ document }) => {
      const { presets, tools } = documentSizes(document)
      return { lists: { presets: { items: presets, lists: { tools: { items: tools } } } } }
    },
    // The import has changed the state that its token confirms, so a repeat cannot be translated again.
    repeat: {
      message: 0,
      answer: ({ row }, context) => makeImportAnswer(row.id, requireKind('presetImport', row).init, context),
    },
    translate: async (input, context) => {
      const claims = requireToken(input, context)
      const plan = await planImport(input, context)
      requireSamePlan(claims, plan, context)
      if (plan.presets.some(({ action }) => action === 'REPLACE')) await refuseRun(notByRuns, context)
      const importId = context.ids.newId('presetImport')
      const event = { type: 'import', importId, by: principalName(context.principal), ...makePuts(plan, context) }
      const message: Envelope = {
        to: { kind: 'mcpToolPreset', id: presetCatalogId },
        event,
        makes: { kind: 'presetImport', id: importId },
      }
      const outcome: ImportOutcome = {
        skipped: event.skipped,
        presets: event.puts.map(({ presetId, replaces }) => ({
          presetId,
          action: replaces === null ? 'CREATE' : 'REPLACE',
        })),
      }
      return {
        messages: [message],
        answer: ([reply]: readonly Reply[]) => makeImportAnswer(reply?.made?.id ?? importId, outcome, context),
      }
    },
  }),
]
