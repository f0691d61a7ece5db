/** Composes the context of a request from the facts of the request and the ports of the gateway's options. */

import { isRowOfKind } from '../../machines/rows.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { BuiltinTools } from '../../spec/tools/tool.ts'
import { newSecret } from '../auth/tokens.ts'
import type { Origins } from '../http/origins.ts'
import type { RequestHead } from '../http/request.ts'
import type { Limits } from '../limits/limits.ts'
import type { Envelope } from '../messages.ts'
import type { GatewayOptions } from '../options.ts'
import { RawCrashReports } from './apps/rawReports/rawCrashReports.ts'
import { CrashThreads } from './apps/threads/crashThreads.ts'
import type { DetectedServerUrls } from './builds/detectServerUrls.ts'
import { DiskRoom } from './core/diskRoom.ts'
import type { Ports, RequestContext } from './requestContext.ts'

export interface CallerFacts {
  readonly principal: Principal
  readonly requestId: string
  readonly now: number
  /** When the request was received, on the monotonic clock. */
  readonly begunAt: number
  readonly baseUrl: string
  readonly forwardedOrigin: string | null
  readonly agentWsUrl: string
  /** Registers a message that is sent when the socket closes. */
  readonly onDisconnect?: ((envelope: Envelope) => void) | undefined
}

export type Contexts = (facts: CallerFacts) => RequestContext

/** @param detect detects the origins at which this process is reached, once its listeners are open */
export function contexts(
  options: GatewayOptions,
  limits: Limits,
  tools: BuiltinTools,
  detect: () => DetectedServerUrls,
): Contexts {
  const {
    views,
    telemetry,
    toolCalls,
    externalTools,
    presence,
    ids,
    contents,
    blobs,
    numbers,
    system,
    streams,
    sealings,
    signings,
    clock,
    log,
  } = options
  const room = new DiskRoom({ blobs, views, reserve: limits.diskReserveBytes })
  const crashThreads = new CrashThreads({ blobs, room, contents, log })
  const rawCrashReports = new RawCrashReports({
    blobs,
    room,
    retentionDays: options.settings.rawCrashReportRetentionDays,
  })
  // The ports are the same for each caller, so they are composed once.
  const ports: Ports = {
    views,
    actors: {
      peek: async (ref) => {
        const row = await system.peek(ref)
        return row !== undefined && isRowOfKind(ref.kind, row) ? row : undefined
      },
    },
    presence,
    streams,
    contents,
    crashThreads,
    rawCrashReports,
    telemetry,
    toolCalls,
    tools,
    externalTools,
    operators: system,
    signings,
    serverUrls: { detect },
    limits,
    installation: () => options.installation(),
    ids: {
      newId: (kind) => ids.next(kind),
      nextNumber: (series) => numbers.nextNumber(series),
    },
    secrets: {
      newSecret,
      seal: (purpose, secret, binding) => sealings[purpose].seal(secret, binding),
      open: (purpose, sealed, binding) => sealings[purpose].open(sealed, binding),
    },
    heartbeats: presence,
    contentStore: {
      keep: (owner, number, data) => contents.keep(owner, number, data, clock.now()),
    },
    crashThreadStore: crashThreads,
    rawCrashReportStore: rawCrashReports,
  }
  return ({ principal, requestId, now, begunAt, baseUrl, forwardedOrigin, agentWsUrl, onDisconnect }) => ({
    ...ports,
    spentMs: () => clock.monotonic() - begunAt,
    principal,
    requestId,
    now,
    baseUrl,
    forwardedOrigin,
    agentWsUrl,
    onDisconnect,
  })
}

/** The address of the agents' listener for this caller: `AGENT_WS_URL`, otherwise the listener's port on the host that the caller used. */
export function agentWsUrl(
  head: RequestHead,
  origins: Origins,
  settings: GatewayOptions['settings'],
  port: number,
): string {
  if (settings.agentWsUrl !== undefined) return settings.agentWsUrl
  const base = origins.baseUrl(head)
  if (last?.base !== base || last.port !== port) last = { base, port, url: derived(new URL(base), port) }
  return last.url
}

/** The origin of the main listener, also for a caller of the agents' listener. Only the main listener serves paths other than the socket. */
export function mainOrigin(base: string, agentPort: number, mainPort: number): string {
  const ending = `:${agentPort}`
  return base.endsWith(ending) ? `${base.slice(0, -ending.length)}:${mainPort}` : base
}

/** Most callers use the same host, and parsing a URL takes long. */
let last: { readonly base: string; readonly port: number; readonly url: string } | undefined

function derived({ protocol, host, hostname }: URL, port: number): string {
  return protocol === 'https:' ? `wss://${host}` : `ws://${hostname}:${port}`
}
