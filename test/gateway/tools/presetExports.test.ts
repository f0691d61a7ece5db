/** Exports of presets have the same bytes for the same presets, no data of this installation, and a note of what is missing. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { makeServerKeys } from '../../../gateway/operations/tools/presets/serverKeys.ts'
import { type Installation, installation, serverIdOf } from '../../kit/runtime/presetSystem.ts'
import { refusal } from '../../kit/runtime/testSystem.ts'

interface Export {
  readonly filename: string
  readonly contentType: string
  readonly content: string
}
interface CatalogExport extends Export {
  readonly complete: boolean
  readonly servers: readonly { serverId: string; available: boolean; problem: string | null }[]
}

let here: Installation
beforeEach(async () => {
  here = await installation({ presetDocumentPresets: 3 })
})
afterEach(() => here.stop())

async function make(name: string, ...tools: unknown[]): Promise<string> {
  const { preset } = await here.ask<{ preset: { id: string } }>('createMcpToolPreset', { name, kind: 'PLAN', tools })
  return preset.id
}
const external = (serverId: string, name: string) => ({ source: 'EXTERNAL', serverId, name })

test('an export has the same bytes at any time and for any order of the IDs', async () => {
  const serverId = here.server(1, ['search'])
  const ids = [
    await make('b', external(serverId, 'search')),
    await make('a', { source: 'BUILTIN', name: 'get_agents' }),
  ]
  const first = await here.ask<Export>('mcpToolPresetExport', { ids })
  await here.clock.advance(1_000)
  assert.deepEqual(await here.ask<Export>('mcpToolPresetExport', { ids: [...ids].reverse() }), first)
  assert.deepEqual(
    [first.filename, first.contentType, JSON.parse(first.content)],
    [
      'mcp-presets.json',
      'application/json',
      {
        format: 'svc.mcp-presets.export',
        schemaVersion: 1,
        presets: [
          { name: 'a', kind: 'PLAN', tools: [{ source: 'BUILTIN', name: 'get_agents' }] },
          { name: 'b', kind: 'PLAN', tools: [{ source: 'EXTERNAL', serverKey: 'server-1', name: 'search' }] },
        ],
      },
    ],
  )
})

test('a catalog with an unreachable server is marked as incomplete', async () => {
  const [up, down] = [here.server(1, ['search']), here.server(2, ['issues'], 'Linear')]
  await make('a', external(up, 'search'), external(down, 'issues'))
  assert.equal((await here.ask<CatalogExport>('mcpToolPresetCatalogExport')).complete, true)
  here.server(2, 'UNREACHABLE', 'Linear')
  const { complete, servers, content } = await here.ask<CatalogExport>('mcpToolPresetCatalogExport')
  assert.deepEqual(
    [complete, servers.map(({ serverId, available, problem }) => [serverId, available, problem])],
    [
      false,
      [
        [up, true, null],
        [down, false, 'UNREACHABLE'],
      ],
    ],
  )
  const { presets, catalog } = JSON.parse(content) as {
    presets: { tools: unknown[] }[]
    catalog: Record<string, unknown>
  }
  assert.equal(presets[0]?.tools.length, 2, 'the presets are all there')
  assert.deepEqual(
    [catalog.complete, catalog.servers],
    [
      false,
      [
        { serverKey: 'server-1', name: 'server 1', available: true, tools: [{ name: 'search' }] },
        { serverKey: 'server-2', name: 'Linear', available: false, problem: 'UNREACHABLE', tools: [] },
      ],
    ],
  )
  assert.doesNotMatch(content, /mcs_|svc_ext_/)
})

test('an export of more presets than a document may have is refused', async () => {
  const ids = [await make('1'), await make('2'), await make('3'), await make('4')]
  for (const asked of [here.ask('mcpToolPresetExport', { ids }), here.ask('mcpToolPresetCatalogExport')])
    assert.equal((await refusal(asked)).code, 'PAYLOAD_TOO_LARGE')
  assert.equal((await here.ask<Export>('mcpToolPresetExport', { ids: ids.slice(1) })).filename, 'mcp-presets.json')
})

test('an export of an unknown preset is refused, and the error names its position', async () => {
  const failure = await refusal(here.ask('mcpToolPresetExport', { ids: [await make('1'), `mtp_${'1'.repeat(26)}`] }))
  assert.deepEqual([failure.code, failure.details?.field], ['NOT_FOUND', 'ids[1]'])
})

test('server keys are derived from the names of servers if possible, and are never an ID or an alias', () => {
  const names = new Map([
    [serverIdOf(1), 'GitHub (Söhne)'],
    [serverIdOf(2), 'github sohne'],
    [serverIdOf(3), '日本語'],
    [serverIdOf(4), serverIdOf(4)],
    [serverIdOf(5), 'svc_ext_0_x'],
    [serverIdOf(6), 'Server 3'],
  ])
  assert.deepEqual(
    [...makeServerKeys([...names.keys(), serverIdOf(7)], names).values()],
    ['github-sohne', 'github-sohne-2', 'server-3', 'server-4', 'server-5', 'server-6', 'server-7'],
  )
})
