import { Failure } from '../../../../spec/core/failure.ts'
import type { Discovery } from '../../../../spec/tools/external.ts'
import { mcpToolPresetCatalogExport, mcpToolPresetExport } from '../../../../spec/tools/presets/exports.ts'
import { handle } from '../../handler.ts'
import type { RequestContext } from '../../requestContext.ts'
import { loadPresets, requirePresets } from './catalog.ts'
import { type DocumentCatalog, type DocumentPreset, documentBytes, writeDocument } from './document.ts'
import { type Preset, sortPresets } from './preset.ts'
import { makeServerKeys } from './serverKeys.ts'
import { discoverToolsOfServers, loadConfiguredServerIds, loadServerNames } from './servers.ts'

const contentType = 'application/json'

/** Converts presets for a document. The keys of servers follow from the presets and the names of the servers. Unused servers are last. */
async function convertPresets(
  presets: readonly Preset[],
  others: readonly string[],
  { views }: RequestContext<'views'>,
) {
  const used = presets.flatMap(({ tools }) => tools.flatMap((tool) => ('serverId' in tool ? [tool.serverId] : [])))
  const ids = [...used, ...others]
  const keys = makeServerKeys(ids, await loadServerNames(views, ids))
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

interface DiscoveredServer {
  readonly serverKey: string
  readonly found: Discovery
}

function makeCatalog(servers: readonly DiscoveredServer[], { tools }: RequestContext<'tools'>): DocumentCatalog {
  return {
    complete: servers.every(({ found }) => found.available),
    builtin: [...tools.values()].map(({ name, title, description }) => ({ name, title, description })),
    servers: servers.map(({ serverKey, found }) => ({
      serverKey,
      name: found.serverName === null ? null : sanitize(found.serverName, 200),
      available: found.available,
      ...(found.available ? {} : { problem: found.problem.code }),
      tools: found.available
        ? found.tools
            .filter(({ rawName }) => sanitize(rawName, 256) === rawName && rawName !== '')
            .map(({ rawName, definition: { title, description } }) => ({
              name: rawName,
              ...(title === undefined ? {} : { title: sanitize(title, 200) }),
              ...(description === undefined ? {} : { description: sanitize(description, 1_000) }),
            }))
        : [],
    })),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]/gu

/** A text of an external server, which is not trusted: without control characters, cut to the limit of a document. */
function sanitize(words: string, most: number): string {
  return words.slice(0, most).replace(unprintable, '')
}

/** Refuses a document that an import would refuse. @throws Failure PAYLOAD_TOO_LARGE */
function requireImportable(count: number, content: string, { limits }: RequestContext<'limits'>): string {
  const bytes = documentBytes(content)
  if (count <= limits.presetDocumentPresets && bytes <= limits.presetDocumentBytes) return content
  throw new Failure(
    'PAYLOAD_TOO_LARGE',
    `A document has at most ${limits.presetDocumentPresets} presets and ${limits.presetDocumentBytes} bytes, but this one ` +
      `would have ${count} and ${bytes}. Export fewer presets with mcpToolPresetExport(ids:).`,
    { details: { presets: count, bytes } },
  )
}

function makeSlug({ name }: Preset): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? 'preset' : plain
}

export const presetExportHandlers = [
  handle(mcpToolPresetExport, ['views', 'limits'], {
    read: async ({ ids }, context) => {
      const presets = sortPresets(await requirePresets(context.views, [...new Set(ids)], 'ids'))
      const { documents } = await convertPresets(presets, [], context)
      const [only] = presets
      const filename = presets.length === 1 && only ? `mcp-preset-${makeSlug(only)}.json` : 'mcp-presets.json'
      return { filename, contentType, content: requireImportable(presets.length, writeDocument(documents), context) }
    },
  }),
  handle(mcpToolPresetCatalogExport, ['views', 'tools', 'externalTools', 'limits'], {
    listCounts: async (_input, { views }) => {
      const presets = await loadPresets(views)
      const used = presets.flatMap(({ tools }) => tools.flatMap((tool) => ('serverId' in tool ? [tool.serverId] : [])))
      return { lists: { servers: { items: new Set([...used, ...(await loadConfiguredServerIds(views))]).size } } }
    },
    read: async (_input, context) => {
      const presets = await loadPresets(context.views)
      const configured = await loadConfiguredServerIds(context.views)
      const { documents, keys } = await convertPresets(presets, configured, context)
      const discoveries = await discoverToolsOfServers(context.externalTools, [...keys.keys()])
      const servers = [...keys].map(([serverId, serverKey]) => ({
        serverKey,
        found: discoveries.get(serverId) as Discovery,
      }))
      const catalog = makeCatalog(servers, context)
      return {
        filename: 'mcp-preset-catalog.json',
        contentType,
        content: requireImportable(presets.length, writeDocument(documents, catalog), context),
        complete: catalog.complete,
        servers: servers.map(({ serverKey, found }) => ({
          serverKey,
          serverId: found.serverId,
          serverName: found.serverName,
          available: found.available,
          problem: found.available ? null : found.problem.code,
        })),
      }
    },
  }),
]
