/** An installation as far as presets go: real actors on storage in memory, real operations, external servers as the test has them. */

import { ActorSystem } from '../../../actors/system.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'
import { allPresets } from '../../../gateway/operations/tools/presets/catalogue.ts'
import type { Preset } from '../../../gateway/operations/tools/presets/preset.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { AppKeys } from '../../../gateway/secrets/appKeys.ts'
import { signingsOf } from '../../../gateway/secrets/signing.ts'
import { mcpToolPreset } from '../../../machines/tools/mcpToolPreset.ts'
import { presetImport } from '../../../machines/tools/presetImport.ts'
import type { JournalEntry } from '../../../spec/core/actor.ts'
import { presetCatalogueId } from '../../../spec/core/ids.ts'
import type { Principal } from '../../../spec/core/principal.ts'
import { type Ask, type Asking, asking } from './asking.ts'
import { type FakeExternalTools, fakeExternalTools } from './fakeExternalTools.ts'
import { ManualClock } from './manualClock.ts'
import { openMemoryStorage } from './memory/memory.ts'

export interface Installation {
  readonly clock: ManualClock
  readonly external: FakeExternalTools
  readonly builtin: readonly string[]
  readonly ask: Ask
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

export const somebodyElse: Principal = { kind: 'user', userId: 'usr_01h455vb4pex5vsknk084sn02r' } as Principal

export const serverIdOf = (number: number): string => `mcs_${String(number).padStart(26, '0')}`

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
  const anew = (): Asking =>
    asking(
      { views: withRowTypes(storage.views), externalTools: external, system, clock, signings: signingsOf(now.keys) },
      limits,
    )
  let made = anew()
  return {
    clock,
    external,
    builtin: made.builtin,
    ask: (...args) => made.ask(...args),
    presets: () => allPresets(storage.views),
    steps: () => storage.views.history({ id: presetCatalogueId, limit: 10_000 }),
    imports: () => storage.views.count({ kind: 'presetImport' }),
    changeSecret(kept) {
      const secret = (n: number) => new Uint8Array(32).fill(n)
      now.keys = new AppKeys(secret(now.secret + 1), kept ? secret(now.secret) : undefined)
      now.secret++
      made = anew()
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
