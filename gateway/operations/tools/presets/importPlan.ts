import type { Discovery } from '../../../../spec/tools/external.ts'
import { mostPresets, presetNameKey } from '../../../../spec/tools/presets/preset.ts'
import type { ToolSelection } from '../../../../spec/tools/tool.ts'
import type { RequestContext } from '../../requestContext.ts'
import { loadPresets } from './catalog.ts'
import { type DocumentPreset, type DocumentTool, type PresetDocument, readDocument } from './document.ts'
import { type DecidedPreset, decideImport } from './importDecisions.ts'
import type { ImportInput } from './importInput.ts'
import type { ImportPlan, PlannedPreset, PlannedTool, PlanProblem } from './plan.ts'
import { findRepeated, type Preset, selectionKey } from './preset.ts'
import { checkSelection } from './selections.ts'
import { discoverToolsOfServers } from './servers.ts'

export async function planImport(
  input: ImportInput,
  context: Pick<RequestContext, 'views' | 'tools' | 'externalTools' | 'limits'>,
): Promise<ImportPlan> {
  const { document, problems: unreadable } = readDocument(input.document, context.limits)
  if (document === undefined) return { presets: [], servers: [], problems: unreadable ?? [], warnings: [] }
  const present = await loadPresets(context.views)
  const decided = decideImport(document, input.decisions ?? [], present)
  const { mapped, problems: unmappable } = readMappings(document, input)
  const needed = findNeededServers(document, decided.presets)
  const serverIds = [...needed.keys()].flatMap((key) => mapped.get(key) ?? [])
  const discoveries = await discoverToolsOfServers(context.externalTools, serverIds)
  const planned = decided.presets.map((preset) => planTools(preset, document, mapped, discoveries, context))
  return {
    presets: planned.map(({ preset }) => preset),
    servers: [...needed].map(([serverKey, tools]) => {
      const serverId = mapped.get(serverKey)
      const discovery = serverId === undefined ? undefined : discoveries.get(serverId)
      return { serverKey, serverId, discovery, tools: [...tools] }
    }),
    problems: [
      ...decided.problems,
      ...unmappable,
      ...findUnmapped(needed, mapped),
      ...planned.flatMap(({ problems }) => problems),
      ...checkNames(decided.presets, present),
    ],
    warnings: [...decided.warnings, ...warnIfEmpty(decided.presets)],
  }
}

function warnIfEmpty(presets: readonly DecidedPreset[]): PlanProblem[] {
  if (presets.some(({ action }) => action !== 'SKIP')) return []
  return [
    { path: 'document.presets', code: 'NOTHING_TO_IMPORT', message: 'are all skipped, so nothing would be imported.' },
  ]
}

/** The servers whose tools the imported presets use, with the names of those tools. Skipped presets do not count. */
function findNeededServers(
  document: PresetDocument,
  presets: readonly DecidedPreset[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const needed = new Map<string, Set<string>>()
  for (const { index, action } of presets) {
    if (action === 'SKIP') continue
    for (const tool of (document.presets[index] as DocumentPreset).tools) {
      if (tool.source === 'BUILTIN') continue
      needed.set(tool.serverKey, (needed.get(tool.serverKey) ?? new Set()).add(tool.name))
    }
  }
  return needed
}

function readMappings(document: PresetDocument, { serverMappings }: ImportInput) {
  const keys = new Set(
    document.presets.flatMap(({ tools }) => tools.flatMap((tool) => ('serverKey' in tool ? [tool.serverKey] : []))),
  )
  const mapped = new Map<string, string>()
  const problems: PlanProblem[] = []
  for (const [index, { serverKey, serverId }] of (serverMappings ?? []).entries()) {
    const path = `serverMappings[${index}].serverKey`
    if (!keys.has(serverKey)) {
      problems.push({ path, code: 'UNKNOWN_SERVER_KEY', message: 'is not a key that a tool of the document names.' })
    } else if (mapped.has(serverKey)) {
      problems.push({ path, code: 'DUPLICATE_MAPPING', message: `maps the server “${serverKey}” a second time.` })
    } else mapped.set(serverKey, serverId)
  }
  return { mapped, problems }
}

function findUnmapped(needed: ReadonlyMap<string, unknown>, mapped: ReadonlyMap<string, string>): PlanProblem[] {
  return [...needed.keys()]
    .filter((key) => !mapped.has(key))
    .map((key) => ({
      path: 'serverMappings',
      code: 'SERVER_NOT_MAPPED',
      message: `must name the configured server for “${key}”: { serverKey: "${key}", serverId }. An import creates no servers.`,
    }))
}

function planTools(
  preset: DecidedPreset,
  document: PresetDocument,
  mapped: ReadonlyMap<string, string>,
  discoveries: ReadonlyMap<string, Discovery>,
  context: Pick<RequestContext, 'tools'>,
): { readonly preset: PlannedPreset; readonly problems: readonly PlanProblem[] } {
  if (preset.action === 'SKIP') return { preset: { ...preset, tools: [] }, problems: [] }
  const given = (document.presets[preset.index] as DocumentPreset).tools
  const place = (index: number): string => `document.presets[${preset.index}].tools[${index}]`
  const problems: PlanProblem[] = []
  const tools = given.map((tool, index): PlannedTool => {
    const selection = toSelection(tool, mapped)
    const wrong = selection && checkSelection(selection, context.tools, discoveries)
    const part = wrong?.code === 'TOOL_NOT_FOUND' ? 'name' : 'serverKey'
    if (wrong) problems.push({ path: `${place(index)}.${part}`, code: wrong.code, message: `${wrong.problem}.` })
    return { tool, selection, found: selection !== undefined && wrong === undefined }
  })
  const known = tools.flatMap(({ selection }, index) => (selection ? [{ key: selectionKey(selection), index }] : []))
  const pair = findRepeated(known.map(({ key }) => key))
  if (pair !== undefined) {
    const [first, second] = pair.map((at) => known[at]?.index ?? 0) as [number, number]
    const message = `is the same tool as tools[${first}], because two keys name one server.`
    problems.push({ path: place(second), code: 'DUPLICATE_TOOL', message })
  }
  return { preset: { ...preset, tools }, problems }
}

function toSelection(tool: DocumentTool, mapped: ReadonlyMap<string, string>): ToolSelection | undefined {
  if (tool.source === 'BUILTIN') return tool
  const serverId = mapped.get(tool.serverKey)
  return serverId === undefined ? undefined : { source: 'EXTERNAL', serverId, name: tool.name }
}

/** After the import no two presets of a kind may have the same name. A preset of the import may use the name of a preset that is replaced. */
function checkNames(presets: readonly DecidedPreset[], present: readonly Preset[]): PlanProblem[] {
  const replaced = new Set(presets.map(({ target }) => target?.id))
  const staying = present.filter(({ id }) => !replaced.has(id))
  const names = new Map(staying.map(({ kind, name, id }) => [presetNameKey(kind, name), id]))
  const problems: PlanProblem[] = []
  for (const { index, action, kind, name, namePath } of presets) {
    if (action === 'SKIP') continue
    const key = presetNameKey(kind, name)
    const other = names.get(key)
    if (other !== undefined) {
      const advice = other.startsWith('mtp_')
        ? `REPLACE it (targetId: "${other}"), give another name, or SKIP`
        : 'give another name, or SKIP'
      const takenBy = other.startsWith('mtp_') ? `an existing ${kind} preset` : other
      problems.push({ path: namePath, code: 'NAME_TAKEN', message: `is also the name of ${takenBy}: ${advice}.` })
    } else names.set(key, `presets[${index}] of the document`)
  }
  if (names.size > mostPresets) {
    const message = `would increase the number of presets to ${names.size}, but at most ${mostPresets} are allowed.`
    problems.push({ path: 'document.presets', code: 'TOO_MANY_PRESETS', message })
  }
  return problems
}
