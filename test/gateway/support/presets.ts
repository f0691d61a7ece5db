/** An installation as far as presets go: real actors on storage in memory, real operations, external servers as the test has them. */

import { createIds } from '../../../actors/ids.ts'
import { ActorSystem } from '../../../actors/system.ts'
import { contexts } from '../../../gateway/context.ts'
import { checkedInput } from '../../../gateway/graphql/input.ts'
import { defaultLimits, type Limits } from '../../../gateway/limits.ts'
import type { GatewayOptions } from '../../../gateway/options.ts'
import { Passwords } from '../../../gateway/passwords.ts'
import { carryOut } from '../../../gateway/translate.ts'
import { mcpToolPreset } from '../../../machines/mcpToolPreset.ts'
import { presetImport } from '../../../machines/presetImport.ts'
import type { JournalEntry } from '../../../spec/actor.ts'
import { presetCatalogueId } from '../../../spec/ids.ts'
import type { Operation } from '../../../spec/operation.ts'
import { operations } from '../../../spec/operations.ts'
import { allPresets } from '../../../spec/presets/catalogue.ts'
import type { Preset } from '../../../spec/presets/preset.ts'
import type { Principal } from '../../../spec/principal.ts'
import { AppKeys } from '../../../spec/sealing/appKeys.ts'
import { signingsOf } from '../../../spec/sealing/signing.ts'
import { openMemoryStorage } from '../../../storage/memory.ts'
import { ManualClock } from '../../support/manualClock.ts'
import { type FakeExternalTools, fakeExternalTools } from './externalTools.ts'

export interface Installation {
  readonly clock: ManualClock
  readonly external: FakeExternalTools
  readonly builtin: readonly string[]
  /** Carries out an operation as the gateway does, input checks included. @throws Failure */
  ask<T>(name: string, input?: Record<string, unknown>, as?: Principal): Promise<T>
  presets(): Promise<readonly Preset[]>
  /** All that was ever written of the catalogue. */
  steps(): Promise<readonly JournalEntry[]>
  imports(): Promise<number>
  /** From now on keys come of another `APP_SECRET`, and the former counts as the previous one, or not. */
  changeSecret(kept: boolean): void
  /** Gives a server tools; a problem in their place makes it one that can't be asked. */
  server(number: number, tools: readonly string[] | 'UNREACHABLE' | 'NOT_FOUND', name?: string): string
  stop(): Promise<void>
}

export const somebody: Principal = { kind: 'user', userId: 'usr_01h455vb4pex5vsknk084sn02q' } as Principal
export const somebodyElse: Principal = { kind: 'user', userId: 'usr_01h455vb4pex5vsknk084sn02r' } as Principal

export const serverIdOf = (number: number): string => `mcs_${String(number).padStart(26, '0')}`

const operation = (name: string): Operation => {
  const found = operations.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no operation ${name}`)
  return found
}

const problems = { UNREACHABLE: 'It does not answer.', NOT_FOUND: 'There is no such server.' } as const

export async function installation(limits: Partial<Limits> = {}): Promise<Installation> {
  const clock = new ManualClock(1_700_000_000_000)
  const storage = openMemoryStorage({})
  const external = fakeExternalTools()
  const system = new ActorSystem({
    ...storage,
    definitions: [mcpToolPreset, presetImport],
    clock,
    owner: 'test',
    shared: false,
    handlers: new Map(),
    problem: (error) => {
      throw error
    },
  })
  system.start()
  const origin = { cause: 'request', principal: 'test', requestId: 'test', receivedAt: clock.now() } as const
  await system.ask(
    { to: { kind: 'mcpToolPreset', id: presetCatalogueId }, event: { type: 'created' }, create: {} },
    origin,
  )
  const now = { keys: new AppKeys(new Uint8Array(32)), secret: 0 }
  const inForce = { ...defaultLimits, ...limits }
  const contextOf = () => {
    const given = {
      ...storage,
      externalTools: external,
      operations,
      ids: createIds(clock),
      system,
      clock,
      signings: signingsOf(now.keys),
    } as unknown as GatewayOptions
    const hashing = { hash: async () => '', verify: async () => true }
    return contexts(given, new Passwords(hashing, inForce), inForce)
  }
  let make = contextOf()
  return {
    clock,
    external,
    builtin: [...make({ principal: somebody, requestId: 'r', now: 0, baseUrl: '', agentWsUrl: '' }).tools.keys()],
    async ask<T>(name: string, given: Record<string, unknown> = {}, principal = somebody): Promise<T> {
      const asked = operation(name)
      const context = make({ principal, requestId: 'r', now: clock.now(), baseUrl: '', agentWsUrl: '' })
      const input = checkedInput(asked.input, given)
      if (asked.kind === 'mutation') return (await carryOut(asked, input, context, system)) as T
      if (asked.kind === 'query') return (await asked.read(input as never, context)) as T
      throw new Error(`${name} is a subscription`)
    },
    presets: () => allPresets(storage.views),
    steps: () => storage.views.history({ id: presetCatalogueId, limit: 10_000 }),
    imports: () => storage.views.count({ kind: 'presetImport' }),
    changeSecret(kept) {
      const secret = (n: number) => new Uint8Array(32).fill(n)
      now.keys = new AppKeys(secret(now.secret + 1), kept ? secret(now.secret) : undefined)
      now.secret++
      make = contextOf()
    },
    server(number, tools, name = `server ${number}`) {
      const serverId = serverIdOf(number)
      if (typeof tools === 'string') {
        const problem = { code: tools, message: problems[tools] }
        const serverName = tools === 'NOT_FOUND' ? null : name
        external.servers.set(serverId, { available: false, serverId, serverName, problem })
        return serverId
      }
      external.servers.set(serverId, {
        available: true,
        serverId,
        serverName: name,
        endpoint: { url: 'https://tools.example/mcp', transport: 'STREAMABLE_HTTP' },
        tools: tools.map((given) => {
          // `tool#2` is the second definition of `tool`.
          const [rawName = '', version = '1'] = given.split('#')
          const definition = { name: `svc_ext_x_${rawName}`.slice(0, 64), inputSchema: { type: 'object' } }
          return { serverId, rawName, definition, hash: `${number} ${rawName} ${version}` }
        }),
      })
      return serverId
    },
    async stop() {
      await system.stop(10)
      await storage.close()
    },
  }
}
