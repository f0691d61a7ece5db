/** What operations may know of the request that they serve, built from what the gateway was given. */

import type { Envelope } from '../../actors/messages.ts'
import { isRowOfKind } from '../../machines/rows.ts'
import type { Principal } from '../../spec/core/principal.ts'
import type { Passwords } from '../auth/passwords.ts'
import { newSecret } from '../auth/tokens.ts'
import type { Origins } from '../http/origins.ts'
import type { RequestHead } from '../http/request.ts'
import type { Limits } from '../limits/limits.ts'
import type { GatewayOptions } from '../options.ts'
import type { MessageContext } from './requestContext.ts'
import { builtinTools } from './tools/builtin.ts'

export interface CallerFacts {
  readonly principal: Principal
  readonly requestId: string
  readonly now: number
  /** When the request was received, on the monotonic clock. */
  readonly begunAt: number
  readonly baseUrl: string
  readonly agentWsUrl: string
  /** On a socket: keeps what is sent when it closes. */
  readonly onDisconnect?: ((envelope: Envelope) => void) | undefined
}

export type Contexts = (facts: CallerFacts) => MessageContext

export function contexts(options: GatewayOptions, passwords: Passwords, limits: Limits): Contexts {
  const {
    views,
    telemetry,
    toolCalls,
    externalTools,
    presence,
    ids,
    contents,
    numbers,
    system,
    streams,
    sealings,
    signings,
    clock,
  } = options
  // What is the same for every caller is made once.
  const common: Omit<MessageContext, keyof CallerFacts | 'spentMs'> = {
    views,
    telemetry,
    presence,
    tools: builtinTools(options.operations),
    externalTools,
    toolCalls,
    operators: system,
    signings,
    limits,
    installation: () => options.installation(),
    newId: (kind) => ids.next(kind),
    newSecret,
    seal: (purpose, secret, binding) => sealings[purpose].seal(secret, binding),
    contents,
    keepContent: (owner, number, data) => contents.keep(owner, number, data, clock.now()),
    nextNumber: (series) => numbers.nextNumber(series),
    hashPassword: (password) => passwords.hash(password),
    verifyPassword: (hash, password) => passwords.verify(hash, password),
    peek: async (ref) => {
      const row = await system.peek(ref)
      return row !== undefined && isRowOfKind(ref.kind, row) ? row : undefined
    },
    pulse: (beat) => presence.pulse(beat),
    streamHead: (stream) => streams.head(stream),
  }
  return ({ principal, requestId, now, begunAt, baseUrl, agentWsUrl, onDisconnect }) => ({
    ...common,
    spentMs: () => clock.monotonic() - begunAt,
    principal,
    requestId,
    now,
    baseUrl,
    agentWsUrl,
    onDisconnect,
  })
}

/** Where agents connect, as this caller can reach it: `AGENT_WS_URL`, else the listener's port under the caller's own host. */
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

/** The origin of the main listener, also where the caller came to the agents' one: everything but the socket is there. */
export function mainOrigin(base: string, agentPort: number, mainPort: number): string {
  const ending = `:${agentPort}`
  return base.endsWith(ending) ? `${base.slice(0, -ending.length)}:${mainPort}` : base
}

/** Callers come under one name for the most part, and parsing it is dear. */
let last: { readonly base: string; readonly port: number; readonly url: string } | undefined

function derived({ protocol, host, hostname }: URL, port: number): string {
  return protocol === 'https:' ? `wss://${host}` : `ws://${hostname}:${port}`
}
