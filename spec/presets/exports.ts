/** Presets as documents that another installation can import. */
import * as v from 'valibot'
import { Failure } from '../failure.ts'
import { query, type RequestContext } from '../operation.ts'
import type { Discovery } from '../tools/external.ts'
import { id, idOf, named } from '../types.ts'
import { allPresets, requirePresets } from './catalogue.ts'
import { type DocumentCatalog, type DocumentPreset, documentBytes, writeDocument } from './document.ts'
import { inOrder, type Preset } from './preset.ts'
import { serverKeysOf } from './serverKeys.ts'
import { configuredServers, discoverAll, serverNames } from './servers.ts'

const file = {
  filename: v.string(),
  contentType: v.string(),
  content: v.pipe(v.string(), v.description('The document, JSON: what an import takes as document.')),
}

const contentType = 'application/json'

const mcpToolPresetExport = query({
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
  read: async ({ ids }, context) => {
    const presets = inOrder(await requirePresets(context.views, [...new Set(ids)], 'ids'))
    const { documents } = await documentsOf(presets, [], context)
    const [only] = presets
    const filename = presets.length === 1 && only ? `mcp-preset-${slug(only)}.json` : 'mcp-presets.json'
    return { filename, contentType, content: written(presets.length, writeDocument(documents), context) }
  },
})

const mcpToolPresetCatalogExport = query({
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
  read: async (_input, context) => {
    const presets = await allPresets(context.views)
    const configured = await configuredServers(context.views)
    const { documents, keys } = await documentsOf(presets, configured, context)
    const discoveries = await discoverAll(context.externalTools, [...keys.keys()])
    const asked = [...keys].map(([serverId, serverKey]) => ({
      serverKey,
      found: discoveries.get(serverId) as Discovery,
    }))
    const catalog = catalogOf(asked, context)
    return {
      filename: 'mcp-preset-catalog.json',
      contentType,
      content: written(presets.length, writeDocument(documents, catalog), context),
      complete: catalog.complete,
      servers: asked.map(({ serverKey, found }) => ({
        serverKey,
        serverId: found.serverId,
        serverName: found.serverName,
        available: found.available,
        problem: found.available ? null : found.problem.code,
      })),
    }
  },
})

/** The keys follow from the presets, and from the names of the servers; servers that no preset names come after. */
async function documentsOf(presets: readonly Preset[], others: readonly string[], { views }: RequestContext) {
  const used = presets.flatMap(({ tools }) => tools.flatMap((tool) => ('serverId' in tool ? [tool.serverId] : [])))
  const ids = [...used, ...others]
  const keys = serverKeysOf(ids, await serverNames(views, ids))
  const documents = presets.map(
    ({ name, kind, tools }): DocumentPreset => ({
      name,
      kind,
      tools: tools.map((tool) =>
        tool.source === 'BUILTIN'
          ? { source: tool.source, name: tool.name }
          : { source: tool.source, serverKey: keys.get(tool.serverId) ?? '', name: tool.name },
      ),
    }),
  )
  return { documents, keys }
}

interface Asked {
  readonly serverKey: string
  readonly found: Discovery
}

function catalogOf(asked: readonly Asked[], { tools }: RequestContext): DocumentCatalog {
  return {
    complete: asked.every(({ found }) => found.available),
    builtin: [...tools.values()].map(({ name, title, description }) => ({ name, title, description })),
    servers: asked.map(({ serverKey, found }) => ({
      serverKey,
      name: found.serverName === null ? null : said(found.serverName, 200),
      available: found.available,
      ...(found.available ? {} : { problem: found.problem.code }),
      tools: found.available
        ? found.tools
            .filter(({ rawName }) => said(rawName, 256) === rawName && rawName !== '')
            .map(({ rawName, definition: { title, description } }) => ({
              name: rawName,
              ...(title === undefined ? {} : { title: said(title, 200) }),
              ...(description === undefined ? {} : { description: said(description, 1_000) }),
            }))
        : [],
    })),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/gu

/** Words of a server that nobody here vouches for, cut to what a document may hold. */
function said(words: string, most: number): string {
  return words.slice(0, most).replace(unprintable, '')
}

/** What could not be imported again is not written. @throws Failure PAYLOAD_TOO_LARGE */
function written(count: number, content: string, { limits }: RequestContext): string {
  const bytes = documentBytes(content)
  if (count <= limits.presetDocumentPresets && bytes <= limits.presetDocumentBytes) return content
  throw new Failure(
    'PAYLOAD_TOO_LARGE',
    `A document holds at most ${limits.presetDocumentPresets} presets and ${limits.presetDocumentBytes} bytes; this one would hold ${count} and ${bytes}. Export fewer with mcpToolPresetExport(ids:).`,
    { details: { presets: count, bytes } },
  )
}

function slug({ name }: Preset): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? 'preset' : plain
}

export const presetExportOperations = [mcpToolPresetExport, mcpToolPresetCatalogExport]
