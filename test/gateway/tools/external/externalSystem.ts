/** The client of external servers over real actors and storage in memory, without a gateway. */
import type { TestContext } from 'node:test'
import pino from 'pino'
import * as v from 'valibot'
import { createOutbound } from '../../../../actors/effects/outbound/outbound.ts'
import type { Clock } from '../../../../actors/ports/clock.ts'
import type { ActorSystem } from '../../../../actors/system.ts'
import { createExternalTools } from '../../../../gateway/operations/tools/external/externalTools.ts'
import { withRowTypes } from '../../../../gateway/operations/typedViews.ts'
import { AppKeys } from '../../../../gateway/secrets/appKeys.ts'
import { sealingsOf } from '../../../../gateway/secrets/sealing.ts'
import { mcpServer } from '../../../../machines/tools/mcpServer.ts'
import type { ActorEvent, ActorRow } from '../../../../spec/core/actor.ts'
import type { ActorKind } from '../../../../spec/core/kinds.ts'
import { type Limits, limits } from '../../../../spec/core/limits.ts'
import { outboundAllow } from '../../../../spec/settings/schemas.ts'
import type {
  Discovery,
  ExternalCall,
  ExternalCallFailed,
  ExternalResult,
  ExternalTools,
  McpTransport,
} from '../../../../spec/tools/external.ts'
import { openMemoryStorage } from '../../../kit/runtime/memory/memory.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'
import { type Context, startSystem } from '../../../kit/runtime/testSystem.ts'

export interface ExternalOptions {
  readonly clock?: Clock
  readonly limits?: Partial<Limits>
  /** `OUTBOUND_ALLOW`; this machine where omitted. */
  readonly allow?: string | null
}

export interface ExternalSystem {
  readonly external: ExternalTools
  readonly system: ActorSystem<ActorKind>
  readonly storage: ReturnType<typeof openMemoryStorage>
  /** The log lines. */
  readonly logs: string[]
  add(server: {
    readonly url: string
    readonly transport?: McpTransport
    readonly name?: string
    readonly catalogPrefix?: string
    readonly headers?: Record<string, string>
  }): Promise<string>
  setHeaders(id: string, headers: Record<string, string>): Promise<void>
  send(id: string, event: ActorEvent): Promise<void>
  row(id: string): Promise<ActorRow>
  /** Steps that its actor has taken. */
  steps(id: string): Promise<readonly string[]>
  /** With the hash of the listing as it is. */
  call(id: string, rawName: string, more?: Partial<ExternalCall>): Promise<ExternalResult>
}

export const sealing = sealingsOf(new AppKeys(new Uint8Array(32))).externalCredential

export async function startExternal(t: TestContext, options: ExternalOptions = {}): Promise<ExternalSystem> {
  const { clock = systemClock, allow = '127.0.0.1' } = options
  const storage = openMemoryStorage()
  const logs: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void logs.push(line) })
  const started = startSystem<Clock>({
    definitions: [mcpServer],
    storage,
    clock,
    problem: (error) => logs.push(String(error)),
  })
  const { system, ask, newId } = started
  const external = createExternalTools({
    views: withRowTypes(storage.views),
    system,
    sealing,
    // Sockets are real, and so is their time.
    outbound: createOutbound({
      allow: allow === null ? undefined : v.parse(outboundAllow, allow),
      clock: systemClock,
    }),
    clock,
    limits: { ...limits, ...options.limits },
    log,
  })
  t.after(async () => {
    await external.close()
    await started.stop()
  })
  const send = async (id: string, event: ActorEvent, create?: Context) => {
    await ask({ kind: 'mcpServer', id }, event, create)
  }
  const row = async (id: string) => {
    const found = await storage.views.find(id)
    if (found === undefined) throw new Error(`there is no ${id}`)
    return found
  }
  const setHeaders = async (id: string, headers: Record<string, string>) => {
    const { origin } = new URL(String((await row(id)).context.url))
    const set = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, sealing.seal(value, { owner: id, origin })]),
    )
    await send(id, { type: 'setHeaders', origin, set, remove: [] })
  }
  return {
    external,
    system,
    storage,
    logs,
    row,
    setHeaders,
    send,
    async add({ url, transport = 'STREAMABLE_HTTP', name = 'other', catalogPrefix = null, headers }) {
      const id = newId('mcpServer')
      const create = { name, catalogPrefix, url, transport, createdBy: 'test', createdAt: clock.now() }
      await send(id, { type: 'create' }, create)
      if (headers) await setHeaders(id, headers)
      return id
    },
    async steps(id) {
      return (await storage.views.history({ id, limit: 100 })).map(({ event }) => event)
    },
    async call(id, rawName, more = {}) {
      const found = await external.discover(id)
      if (!found.available && more.hash === undefined) throw new Error(found.problem.message)
      const hash = (found.available && found.tools.find((one) => one.rawName === rawName)?.hash) || ''
      const { signal } = new AbortController()
      return await external.call({ serverId: id, rawName, arguments: {}, hash, signal, ...more })
    },
  }
}

export type Found = Extract<Discovery, { available: true }>

/** @throws where the server is not available */
export function available(discovery: Discovery): Found {
  if (discovery.available) return discovery
  throw new Error(`${discovery.problem.code}: ${discovery.problem.message}`)
}

/** How a call ended that must not succeed. */
export async function failureOf(call: Promise<unknown>): Promise<ExternalCallFailed> {
  return await call.then(
    (result) => {
      throw new Error(`it was carried out: ${JSON.stringify(result)}`)
    },
    (error: ExternalCallFailed) => error,
  )
}
