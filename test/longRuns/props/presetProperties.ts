/**
 * The properties of every document: the import does what the preview showed, a failed import changes nothing, and exports can be
 * imported elsewhere.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Preset } from '../../../gateway/operations/tools/presets/preset.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type Installation, installation, serverIdOf } from '../../kit/runtime/presetSystem.ts'
import { type Meanwhile, serverTools, type World, worlds } from './presetDocuments.ts'

export interface Tally {
  documents: number
  valid: number
  imported: number
  refused: number
  /** Imports of a preview that was no longer current. */
  overtaken: number
  roundTrips: number
}

interface Preview {
  readonly previewToken: string | null
  readonly presets: readonly PreviewedPreset[]
  readonly servers: readonly { readonly serverKey: string }[]
  readonly errorCount: number
  readonly errors: readonly unknown[]
}

interface PreviewedPreset {
  readonly action: 'CREATE' | 'REPLACE' | 'SKIP'
  readonly name: string
  readonly kind: string
  readonly targetId: string | null
  readonly tools: readonly { source: string; name: string; serverId: string | null; found: boolean }[]
}

/** @throws with the smallest document that fast-check finds, and the seed that reproduces it */
export async function checkPresets({ runs, seed }: { runs: number; seed?: number }): Promise<Tally> {
  const tally: Tally = { documents: 0, valid: 0, imported: 0, refused: 0, overtaken: 0, roundTrips: 0 }
  const { builtin, stop } = await installation()
  await stop()
  await fc.assert(
    fc.asyncProperty(worlds(builtin), (world) => inWorld(world, tally)),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
  return tally
}

async function inWorld(world: World, tally: Tally): Promise<void> {
  const here = await installation()
  try {
    tally.documents++
    for (const [number, tools] of serverTools.entries()) here.server(number, tools)
    here.server(4, ['t2', 't3'])
    const ids: string[] = []
    for (const { name, kind, tools } of world.present) {
      const { preset } = await here.ask<{ preset: { id: string } }>('createMcpToolPreset', { name, kind, tools })
      ids.push(preset.id)
    }
    await previewedAndImported(here, world, ids, tally)
    await roundTrip(here, tally)
  } finally {
    await here.stop()
  }
}

async function previewedAndImported(
  here: Installation,
  world: World,
  ids: readonly string[],
  tally: Tally,
): Promise<void> {
  const input = {
    document: world.document,
    decisions: world.decisions.map(({ target, ...decision }) => ({
      ...decision,
      ...(target === undefined ? {} : { targetId: ids[target] ?? `mtp_${'7'.repeat(26)}` }),
    })),
    serverMappings: world.mappings.map(({ serverKey, server }) => ({ serverKey, serverId: serverIdOf(server) })),
  }
  const untouched = await traces(here)
  const preview = await here.ask<Preview>('previewMcpToolPresetImport', { input })
  assert.deepEqual(await traces(here), untouched, 'a preview writes nothing')
  assert.equal(preview.previewToken === null, preview.errorCount > 0, 'a preview has either a token or errors')
  if (world.valid !== undefined)
    assert.equal(preview.previewToken !== null, world.valid, JSON.stringify(preview.errors))
  if (preview.previewToken === null) {
    const foreign = await tokenOfAnother(here)
    for (const previewToken of [null, foreign]) assert.ok(await refused(here, { ...input, previewToken }))
    assert.deepEqual(await traces(here), untouched, 'an import without a token of this preview leaves no trace')
    tally.refused++
    return
  }
  tally.valid++
  await happens(here, world.meanwhile, ids)
  const before = await traces(here)
  const failure = await refused(here, { ...input, previewToken: preview.previewToken })
  if (failure !== undefined) {
    assert.equal(failure.code, 'CONFLICT', failure.message)
    assert.notEqual(world.meanwhile, 'nothing', failure.message)
    assert.deepEqual(await traces(here), before, 'an import that is refused leaves no trace')
    tally.overtaken++
    return
  }
  tally.imported++
  const known = new Set(before.presets.map(({ id }) => id))
  assert.deepEqual(contents(await here.presets(), known), contents(foretold(before.presets, preview.presets), known))
  const after = await here.presets()
  for (const { id, revision } of before.presets) {
    const replaced = preview.presets.some(({ targetId }) => targetId === id)
    assert.equal(after.find((preset) => preset.id === id)?.revision, replaced ? revision + 1 : revision)
  }
}

/** Everything that an import could have changed. */
async function traces(here: Installation) {
  return { presets: await here.presets(), steps: (await here.steps()).length, imports: await here.imports() }
}

async function tokenOfAnother(here: Installation): Promise<string> {
  const document = '{"format":"svc.mcp-presets.export","schemaVersion":1,"presets":[]}'
  const { previewToken } = await here.ask<Preview>('previewMcpToolPresetImport', { input: { document } })
  return previewToken ?? assert.fail('an empty document can be imported')
}

async function refused(here: Installation, input: Record<string, unknown>): Promise<Failure | undefined> {
  try {
    await here.ask('importMcpToolPresets', input)
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

async function happens(here: Installation, what: Meanwhile, ids: readonly string[]): Promise<void> {
  const [first] = ids
  switch (what) {
    case 'nothing':
      return
    case 'rename':
      if (first) await here.ask('updateMcpToolPreset', { presetId: first, name: 'renamed meanwhile' })
      return
    case 'delete':
      if (first) await here.ask('deleteMcpToolPreset', { presetId: first })
      return
    case 'add':
      // The name may be taken. In that case nothing has changed.
      await here.ask('createMcpToolPreset', { name: 'a', kind: 'PLAN', tools: [] }).catch(() => {})
      return
    case 'change of tools':
      here.server(0, ['t1', 't2#2', 't3'])
      return
    case 'loss of a server':
      here.server(1, 'UNREACHABLE')
  }
}

/** The result that the preview predicts for the existing presets. */
function foretold(before: readonly Preset[], previewed: readonly PreviewedPreset[]) {
  const kept = previewed.filter(({ action }) => action !== 'SKIP')
  const replaced = new Set(kept.map(({ targetId }) => targetId))
  return [
    ...before.filter(({ id }) => !replaced.has(id)),
    ...kept.map(({ name, kind, targetId, tools }) => ({
      id: targetId ?? 'new',
      name,
      kind,
      tools: tools.map(({ source, name, serverId }) =>
        serverId === null ? { source, name } : { source, serverId, name },
      ),
    })),
  ]
}

/** The IDs of new presets cannot be predicted. Existing ones keep their IDs. */
function contents(
  presets: readonly { id: string; name: string; kind: string; tools: readonly unknown[] }[],
  known: ReadonlySet<string>,
) {
  return presets
    .map(({ id, name, kind, tools }) =>
      JSON.stringify([known.has(id) ? id : 'new', kind, name, tools.map(sortedFields)]),
    )
    .sort()
}

const sortedFields = (fields: unknown): unknown => Object.entries(fields as object).sort(([a], [b]) => (a < b ? -1 : 1))

/** Exports here, imports in an empty installation whose servers have other IDs, and exports there. */
async function roundTrip(here: Installation, tally: Tally): Promise<void> {
  const ids = (await here.presets()).map(({ id }) => id)
  if (ids.length === 0) return
  const { content: document } = await here.ask<{ content: string }>('mcpToolPresetExport', { ids })
  assert.doesNotMatch(document, /mcs_|svc_ext_/)
  const there = await installation()
  try {
    const empty = await there.ask<Preview>('previewMcpToolPresetImport', { input: { document } })
    const serverMappings = empty.servers.map(({ serverKey }, index) => ({
      serverKey,
      serverId: there.server(50 - index, ['t1', 't2', 't3', 't4'], `another ${index}`),
    }))
    const input = { document, serverMappings }
    const { previewToken, errors } = await there.ask<Preview>('previewMcpToolPresetImport', { input })
    assert.deepEqual(errors, [])
    await there.ask('importMcpToolPresets', { ...input, previewToken })
    const again = { ids: (await there.presets()).map(({ id }) => id) }
    const { content } = await there.ask<{ content: string }>('mcpToolPresetExport', again)
    assert.equal(withoutKeys(content), withoutKeys(document))
    tally.roundTrips++
  } finally {
    await there.stop()
  }
}

/** Keys are numbered in the order in which they occur. */
function withoutKeys(content: string): string {
  const keys: string[] = []
  return content.replace(/(?<="serverKey": )"[^"]*"/g, (key) => {
    if (!keys.includes(key)) keys.push(key)
    return String(keys.indexOf(key))
  })
}
