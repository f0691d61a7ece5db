/** Lists the tools that a server advertises, up to a limit, sorted by raw name. */
import { setImmediate as pause } from 'node:timers/promises'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import type { ExternalTool, LeftOut } from '../../../../spec/tools/external.ts'
import type { McpConnection } from './connection.ts'
import { convertDefinition } from './definition.ts'
import { ProtocolViolation, ServerRefused } from './problems.ts'

export interface Listing {
  /** The time of the request, in milliseconds since 1970. */
  readonly at: number
  readonly tools: readonly ExternalTool[]
  readonly leftOut: readonly LeftOut[]
}

export interface ListingOptions {
  readonly serverId: string
  readonly at: number
  readonly mostTools: number
  readonly maxToolBytes: number
  readonly signal: AbortSignal
}

/** The limit ends a server's endless sequence of pages without tools. */
const mostPages = 100
const methodNotFound = -32_601

/** @throws the errors of a connection, and ProtocolViolation */
export async function listTools(connection: McpConnection, options: ListingOptions): Promise<Listing> {
  const { serverId, at, mostTools, maxToolBytes } = options
  const { raw, more } = await readPages(connection, options)
  const validator = new AjvJsonSchemaValidator()
  const tools = new Map<string, ExternalTool>()
  const leftOut: LeftOut[] = []
  for (const one of raw) {
    const rules = { serverId, maxBytes: maxToolBytes, getValidator: validator.getValidator.bind(validator) }
    const made = convertDefinition(one, rules as never)
    if (!('hash' in made)) leftOut.push(made)
    else if (tools.has(made.rawName)) leftOut.push({ rawName: made.rawName, reason: 'Another tool has the same name.' })
    else tools.set(made.rawName, made)
    // Compiling a schema takes long, so other work can run between two schemas.
    if (made.rawName !== null && 'hash' in made && made.definition.outputSchema) await pause()
  }
  if (more)
    leftOut.push({
      rawName: null,
      reason: `The server advertises more than ${mostTools} tools. The rest was not read.`,
    })
  return { at, tools: [...tools.values()].sort((a, b) => (a.rawName < b.rawName ? -1 : 1)), leftOut }
}

async function readPages(
  connection: McpConnection,
  { mostTools, signal }: ListingOptions,
): Promise<{ readonly raw: readonly unknown[]; readonly more: boolean }> {
  const raw: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const answer = await connection
      .request({ method: 'tools/list', ...(cursor !== undefined && { params: { cursor } }), signal })
      .catch(noTools)
    if (!Array.isArray(answer.tools)) throw new ProtocolViolation('The server sent an invalid answer to tools/list.')
    raw.push(...answer.tools)
    if (raw.length > mostTools) return { raw: raw.slice(0, mostTools), more: true }
    const { nextCursor } = answer
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return { raw, more: false }
    cursor = nextCursor
  }
  return { raw, more: true }
}

/** A server without tools need not support the method. */
function noTools(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof ServerRefused && error.code === methodNotFound) return { tools: [] }
  throw error
}
