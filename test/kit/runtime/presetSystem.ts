/** The operations of presets on real actors with storage in memory, and external servers that the test defines. */
import type { Limits } from '../../../gateway/limits/limits.ts'
import { loadPresets } from '../../../gateway/operations/tools/presets/catalog.ts'
import type { Preset } from '../../../gateway/operations/tools/presets/preset.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { AppKeys } from '../../../gateway/secrets/appKeys.ts'
import { signingsOf } from '../../../gateway/secrets/signing.ts'
import { mcpToolPreset } from '../../../machines/tools/mcpToolPreset.ts'
import { presetImport } from '../../../machines/tools/presetImport.ts'
import type { JournalEntry } from '../../../spec/core/actor.ts'
import { presetCatalogId } from '../../../spec/core/ids.ts'
import type { Principal } from '../../../spec/core/principal.ts'
import { type Ask, type Asking, asking } from './asking.ts'
import { type FakeExternalTools, fakeExternalTools } from './fakeExternalTools.ts'
import { ManualClock } from './manualClock.ts'
import { openMemoryStorage } from './memory/memory.ts'
import { startSystem } from './testSystem.ts'

export interface Installation {
  readonly clock: ManualClock
  readonly external: FakeExternalTools
  readonly builtin: readonly string[]
  readonly ask: Ask
  presets(): Promise<readonly Preset[]>
  /** The journal of the presets. */
  steps(): Promise<readonly JournalEntry[]>
  imports(): Promise<number>
  /** Derives keys from another `APP_SECRET` from now on. `kept`: the former is the previous secret. */
  changeSecret(kept: boolean): void
  /** Defines the tools of a server, or the problem that its discovery reports. */
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
  const { system, ask, stop } = startSystem({
    definitions: [mcpToolPreset, presetImport],
    storage,
    clock,
    problem: (error) => {
      throw error
    },
  })
  await ask({ kind: 'mcpToolPreset', id: presetCatalogId }, { type: 'created' }, {})
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
    presets: () => loadPresets(storage.views),
    steps: () => storage.views.history({ id: presetCatalogId, limit: 10_000 }),
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
    stop,
  }
}
