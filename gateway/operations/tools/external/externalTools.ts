/** Lists the tools of external MCP servers and forwards calls to them. The comment of the interface states its guarantees. */

import type { Logger } from 'pino'
import type { Outbound } from '../../../../actors/effects/outbound/port.ts'
import type { Clock } from '../../../../actors/ports/clock.ts'
import type { Limits } from '../../../../spec/core/limits.ts'
import {
  type Discovery,
  type ExternalCall,
  ExternalCallFailed,
  type ExternalProblem,
  type ExternalResult,
  type ExternalTool,
  type ExternalTools,
} from '../../../../spec/tools/external.ts'
import { listedToolsMax } from '../../../../spec/tools/mcpServers.ts'
import type { System } from '../../../messages.ts'
import type { Sealing } from '../../../secrets/sealing.ts'
import type { TypedViews } from '../../typedViews.ts'
import { unlessAborted } from './aborting.ts'
import { Breaker } from './breaker.ts'
import { createCallDeadline } from './callDeadline.ts'
import { type McpConnection, openConnection } from './connection.ts'
import { type Listing, listTools } from './listing.ts'
import { Listings } from './listings.ts'
import { ConnectionPool } from './pool.ts'
import { isServerFailure, ServerRefused, ServerTimedOut, toCallFailure } from './problems.ts'
import { parseToolResult } from './result.ts'
import { decryptHeaders, type ExternalServer, findServer } from './servers.ts'

export interface ExternalToolsOptions {
  readonly views: TypedViews
  readonly system: System
  /** For the purpose `externalCredential`. */
  readonly sealing: Sealing
  readonly outbound: Outbound
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
}

/** The greatest age of a listing with which a call is compared. */
const listedMs = 60_000
/** A listing of this age is not repeated, even if the tool differs. Otherwise each call of a changed tool would list all tools. */
const recentMs = 5_000
const connectMs = 20_000
const listMs = 30_000

export function createExternalTools(options: ExternalToolsOptions): ExternalTools {
  const { views, sealing, outbound, clock, limits, log } = options
  const stopping = new AbortController()
  const longestMs = limits.externalCallSeconds * 1_000
  const breaker = new Breaker(options)
  const pool = new ConnectionPool({
    clock,
    mostPerServer: limits.externalConnectionsPerServer,
    most: limits.externalConnections,
    open: openServerConnection,
  })
  const listings = new Listings(() => clock.monotonic(), listServerTools)

  async function openServerConnection(server: ExternalServer, signal: AbortSignal): Promise<McpConnection> {
    const { endpoint, id } = server
    const headers = decryptHeaders(server, sealing)
    const maxBytes = limits.externalMessageBytes
    const toolsChanged = () => listings.invalidate(id)
    return await runWithin(connectMs, 'did not begin a session', [signal], (timely) =>
      openConnection({ endpoint, headers, outbound, clock, maxBytes, longestMs, toolsChanged }, timely),
    )
  }

  function listServerTools(server: ExternalServer, isRequested: boolean): Promise<Listing> {
    const { id: serverId } = server
    const bounds = { mostTools: Math.min(limits.externalTools, listedToolsMax), maxToolBytes: limits.externalToolBytes }
    const work = () =>
      runWithin(listMs, 'did not list its tools', [stopping.signal], (signal) =>
        pool.use(server, signal, (connection) =>
          listTools(connection, { serverId, at: clock.now(), ...bounds, signal }),
        ),
      )
    return breaker.run(server, work, ({ tools }) => ({ toolCount: tools.length, isRequested }))
  }

  async function runWithin<T>(
    ms: number,
    what: string,
    signals: readonly AbortSignal[],
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController()
    const cancel = clock.after(ms, () => late.abort(new ServerTimedOut(`The server ${what} within ${ms / 1_000} s.`)))
    return await work(AbortSignal.any([...signals, late.signal])).finally(cancel)
  }

  /** An unreachable server is always asked, so that the request can test it. */
  const getListing = (server: ExternalServer, maxAgeMs: number): Promise<Listing> =>
    listings.get(server, server.status === 'UNREACHABLE' ? -1 : maxAgeMs)

  async function requireUsable(serverId: string): Promise<ExternalServer> {
    const server = await findServer(views, serverId)
    if (server === undefined) {
      listings.invalidate(serverId)
      throw callRefused('NOT_FOUND', 'The external MCP server was deleted.')
    }
    if (!server.enabled) throw callRefused('DISABLED', `The server ${server.name} is disabled.`)
    return server
  }

  /** Checks that the tool has not changed since the caller listed it. If it differs, the tools are listed once more. */
  async function requireUnchanged(server: ExternalServer, { rawName, hash }: ExternalCall): Promise<void> {
    const known = await getListing(server, listedMs)
    const isSame = ({ tools }: Listing) => tools.find((tool) => tool.rawName === rawName)?.hash === hash
    if (isSame(known)) return
    const { tools } = await getListing(server, recentMs)
    const tool = tools.find((one) => one.rawName === rawName)
    if (tool === undefined)
      throw callRefused('TOOL_GONE', `The server no longer has the tool ${rawName}, or the tool cannot be forwarded.`)
    if (tool.hash !== hash)
      throw callRefused('TOOL_CHANGED', `The tool ${rawName} has changed since it was listed. List the tools again.`)
  }

  async function callExternalTool(call: ExternalCall): Promise<ExternalResult> {
    const { serverId, rawName: name, endpoint, onProgress } = call
    const deadline = createCallDeadline({
      clock,
      signals: [call.signal, stopping.signal],
      idleMs: limits.externalCallIdleSeconds * 1_000,
      longestMs,
    })
    const { signal } = deadline
    let sent = false
    const forward = (connection: McpConnection) => {
      sent = true
      return connection.request({
        method: 'tools/call',
        params: { name, arguments: call.arguments },
        signal,
        onProgress(progress) {
          deadline.restartIdleTime()
          onProgress?.(progress)
        },
      })
    }
    try {
      signal.throwIfAborted()
      const server = await requireUsable(serverId)
      if (endpoint && (endpoint.url !== server.endpoint.url || endpoint.transport !== server.endpoint.transport))
        throw callRefused(
          'ENDPOINT_CHANGED',
          'The URL or transport of the server has changed since the run was created, so the run can no longer call it.',
        )
      await unlessAborted(requireUnchanged(server, call), signal)
      return parseToolResult(await breaker.run(server, () => pool.use(server, signal, forward)))
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason
      throw toCallFailure(error, sent)
    } finally {
      deadline.close()
    }
  }

  return {
    call: callExternalTool,
    async discover(serverId, { maxAgeMs = listedMs } = {}) {
      const server = await findServer(views, serverId)
      const unavailable = (code: ExternalProblem, message: string): Discovery => ({
        available: false,
        serverId,
        serverName: server?.name ?? null,
        problem: { code, message },
      })
      if (server === undefined) return unavailable('NOT_FOUND', 'There is no external MCP server with this ID.')
      if (!server.enabled) return unavailable('DISABLED', 'The server is disabled. Enable it first.')
      const { name: serverName, endpoint, catalogPrefix } = server
      try {
        const { tools, leftOut } = await getListing(server, maxAgeMs)
        return {
          available: true,
          serverId,
          serverName,
          endpoint,
          tools: tools.map((tool) => addPrefix(tool, catalogPrefix)),
          leftOut,
        }
      } catch (error) {
        if (error instanceof ExternalCallFailed)
          return unavailable(error.code === 'CIRCUIT_OPEN' ? 'CIRCUIT_OPEN' : 'UNREACHABLE', error.message)
        if (error instanceof ServerRefused)
          return unavailable('UNREACHABLE', `The server refuses to list its tools (JSON-RPC error ${error.code}).`)
        if (!isServerFailure(error) && !isTooLarge(error)) throw error
        return unavailable('UNREACHABLE', (error as Error).message)
      }
    },
    async close() {
      stopping.abort(new ExternalCallFailed('TRANSPORT_ERROR', 'UNREACHABLE', 'This service is stopping.'))
      await pool.close()
      log.debug('external MCP connections closed')
    },
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof Error && error.name === 'OutboundFailed'

const callRefused = (code: ExternalCallFailed['code'], message: string): ExternalCallFailed =>
  new ExternalCallFailed('PROTOCOL_ERROR', code, message)

/** Adds the prefix to the title, which users read. The name does not contain it, so a new prefix does not change names. */
function addPrefix(tool: ExternalTool, prefix: string | null): ExternalTool {
  if (prefix === null) return tool
  const { definition, rawName } = tool
  return { ...tool, definition: { ...definition, title: `${prefix}: ${definition.title ?? rawName}` } }
}
