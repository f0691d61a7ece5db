/**
 * Serves the most frequent requests, `tools/list` and calls of built-in tools, without the SDK. The SDK validates every message with
 * large schemas, which takes longer than the rest of the request. Only requests in the simplest form are served here. A test verifies
 * that each response equals the SDK's. The SDK serves requests that are unusual, invalid or slow.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { HeaderMap } from '../http/request.ts'
import type { Answer } from '../http/route.ts'
import type { ToolArguments } from '../operations/tools/servedTool.ts'
import { callTool, type McpRequest, type ProtocolParts, serverInfo } from './protocol.ts'
import type { ToolCatalog } from './toolCatalog.ts'

type Era = 'legacy' | 'modern'

interface PlainRequest {
  readonly id: string | number
  readonly era: Era
  /** Undefined for `tools/list`. */
  readonly call: { readonly name: string; readonly given: ToolArguments } | undefined
}

/** @returns undefined if the SDK must serve the request */
export async function answeredDirectly(
  headers: HeaderMap,
  body: unknown,
  mcpRequest: McpRequest,
  parts: ProtocolParts,
): Promise<Answer | undefined> {
  const plain = plainRequest(headers, body)
  if (plain === undefined) return undefined
  const { id, era, call } = plain
  if (call === undefined) return answer(listOf(mcpRequest.catalog, era, parts), id)
  // A tool of an external server may take long, and the SDK sends events that keep the connection open on the stream. The SDK also
  // reports unknown tools.
  const tool = mcpRequest.catalog.tools.get(call.name)
  if (!tool?.isQuick) return undefined
  const result = await callTool(call, { signal: mcpRequest.signal }, mcpRequest, parts)
  return answer(Buffer.from(JSON.stringify({ ...result, ...ending(era, parts) })), id)
}

const headOf = Buffer.from('{"result":')
const headers = { 'content-type': 'application/json' }

function answer(result: Buffer, id: string | number): Answer {
  const rest = Buffer.from(`,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`)
  return { status: 200, headers, body: Buffer.concat([headOf, result, rest]) }
}

/** The fields that protocol version 2026-07-28 adds to the end of every result. */
function ending(era: Era, { version }: ProtocolParts): object {
  return era === 'legacy' ? {} : { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo(version) } }
}

/** The serialized lists by tool catalog. Most catalogs are reused. */
const lists: Readonly<Record<Era, WeakMap<ToolCatalog, Buffer>>> = { legacy: new WeakMap(), modern: new WeakMap() }

function listOf(catalog: ToolCatalog, era: Era, parts: ProtocolParts): Buffer {
  const known = lists[era].get(catalog)
  if (known !== undefined) return known
  const caching = era === 'legacy' ? {} : { ttlMs: 0, cacheScope: 'private' }
  const list = Buffer.from(JSON.stringify({ tools: catalog.definitions, ...caching, ...ending(era, parts) }))
  lists[era].set(catalog, list)
  return list
}

type Fields = Readonly<Record<string, unknown>>

function plainRequest(given: HeaderMap, body: unknown): PlainRequest | undefined {
  if (!isObject(body) || !hasOnly(body, ['jsonrpc', 'id', 'method', 'params']) || !takesBoth(given)) return undefined
  const { jsonrpc, id, method, params = {} } = body
  if (jsonrpc !== '2.0' || !isId(id) || !isObject(params)) return undefined
  const { _meta: meta, name, arguments: args = {} } = params
  const era = eraOf(given, meta, method, name)
  if (era === undefined) return undefined
  if (method === 'tools/list') return hasOnly(params, ['_meta']) ? { id, era, call: undefined } : undefined
  if (method !== 'tools/call' || !hasOnly(params, ['_meta', 'name', 'arguments'])) return undefined
  return typeof name === 'string' && isObject(args) ? { id, era, call: { name, given: args } } : undefined
}

function eraOf(given: HeaderMap, meta: unknown, method: unknown, name: unknown): Era | undefined {
  const version = given.get('mcp-protocol-version')
  if (meta === undefined || (isObject(meta) && Object.keys(meta).length === 0))
    return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version) ? 'legacy' : undefined
  if (!isObject(meta) || !hasOnly(meta, envelope)) return undefined
  const hasClient = meta[PROTOCOL_VERSION_META_KEY] === version && isClient(meta[CLIENT_INFO_META_KEY])
  const named = given.get('mcp-method') === method && given.get('mcp-name') === name
  const isModern = version === '2026-07-28' && hasClient && named && isObject(meta[CLIENT_CAPABILITIES_META_KEY])
  return isModern ? 'modern' : undefined
}

/** The allowed fields: no progress token, and nothing else that would need processing. */
const envelope = [PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY]

function isClient(info: unknown): boolean {
  return (
    isObject(info) && hasOnly(info, ['name', 'version']) && Object.values(info).every((one) => typeof one === 'string')
  )
}

function takesBoth(given: HeaderMap): boolean {
  const accept = given.get('accept') ?? ''
  const isJson = /^application\/json\s*(;|$)/i.test(given.get('content-type') ?? '')
  return isJson && accept.includes('application/json') && accept.includes('text/event-stream')
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasOnly(fields: Fields, names: readonly string[]): boolean {
  return Object.keys(fields).every((name) => names.includes(name))
}
