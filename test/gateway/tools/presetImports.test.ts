/** Importing presets: what is previewed is what is imported, and what does not hold any more is not. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { settled } from '../../kit/runtime/manualClock.ts'
import { type Installation, installation, serverIdOf, somebodyElse } from '../../kit/runtime/presetSystem.ts'
import { refusal } from '../../kit/runtime/testSystem.ts'

interface Preview {
  readonly previewToken: string | null
  readonly presets: readonly { action: string; name: string; targetId: string | null; toolsFound: number }[]
  readonly servers: readonly { serverKey: string; status: string; tools: readonly string[] }[]
  readonly errors: readonly { path: string; code: string; message: string }[]
  readonly warnings: readonly { code: string }[]
}

interface Imported {
  readonly importId: string
  readonly created: number
  readonly replaced: number
  readonly skipped: number
  readonly presets: readonly { readonly id: string; readonly name: string }[]
}

let here: Installation
beforeEach(async () => {
  here = await installation()
  here.server(1, ['search', 'merge'], 'GitHub')
})
afterEach(() => here.stop())

type Input = Record<string, unknown>
const builtin = { source: 'BUILTIN', name: 'get_agents' }
const external = { source: 'EXTERNAL', serverKey: 'github', name: 'search' }
const github = { serverKey: 'github', serverId: serverIdOf(1) }
const review = { name: 'Review', kind: 'PLAN', tools: [builtin] }
const merge = { name: 'Merge', kind: 'SESSION', tools: [external, builtin] }
const documentOf = (...presets: unknown[]): string =>
  JSON.stringify({ format: 'svc.mcp-presets.export', schemaVersion: 1, presets })

const preview = (input: Input): Promise<Preview> => here.ask('previewMcpToolPresetImport', { input })
const carryOut = (input: Input): Promise<Imported> => here.ask('importMcpToolPresets', input)
async function tokenFor(input: Input): Promise<string> {
  const { previewToken, errors } = await preview(input)
  assert.deepEqual(errors, [])
  return previewToken ?? assert.fail('no token')
}
async function importAll(input: Input): Promise<Imported> {
  return await carryOut({ ...input, previewToken: await tokenFor(input) })
}
async function make(name: string, kind = 'PLAN'): Promise<string> {
  const { preset } = await here.ask<{ preset: { id: string } }>('createMcpToolPreset', { name, kind, tools: [] })
  return preset.id
}

describe('an import', () => {
  test('creates the presets that the preview has shown', async () => {
    const input = { document: documentOf(review, merge), serverMappings: [github] }
    const shown = await preview(input)
    assert.deepEqual(
      shown.presets.map(({ action, name, toolsFound }) => [action, name, toolsFound]),
      [
        ['CREATE', 'Review', 1],
        ['CREATE', 'Merge', 2],
      ],
    )
    assert.deepEqual(
      shown.servers.map(({ serverKey, status, tools }) => [serverKey, status, tools]),
      [['github', 'AVAILABLE', ['search']]],
    )
    assert.equal((await here.presets()).length, 0, 'a preview writes nothing')
    const { created, replaced, skipped } = await carryOut({ ...input, previewToken: shown.previewToken })
    assert.deepEqual([created, replaced, skipped], [2, 0, 0])
    const [first, second] = await here.presets()
    assert.deepEqual(first?.tools, [builtin])
    assert.deepEqual(second?.tools, [{ source: 'EXTERNAL', serverId: serverIdOf(1), name: 'search' }, builtin])
    await settled()
    assert.equal(await here.imports(), 1)
  })

  test('replaces a preset under its ID, and creates and skips others', async () => {
    const id = await make('Old')
    const decisions = [
      { index: 0, action: 'REPLACE', targetId: id },
      { index: 1, action: 'SKIP' },
      { index: 2, action: 'CREATE', name: 'Third' },
    ]
    const done = await importAll({ document: documentOf(review, merge, { ...review, name: 'Three' }), decisions })
    assert.deepEqual([done.created, done.replaced, done.skipped], [1, 1, 1])
    assert.deepEqual(
      (await here.presets()).map((preset) => [preset.name, preset.id === id, preset.revision]),
      [
        ['Review', true, 2],
        ['Third', false, 1],
      ],
    )
  })

  test('can give the name of a replaced preset to another one', async () => {
    const targetId = await make('Review')
    const decisions = [
      { index: 0, action: 'REPLACE', targetId, name: 'Before' },
      { index: 1, action: 'CREATE' },
    ]
    await importAll({ document: documentOf(review, review), decisions })
    assert.deepEqual(
      (await here.presets()).map(({ name, id }) => [name, id === targetId]),
      [
        ['Before', true],
        ['Review', false],
      ],
    )
  })

  test('is executed once for an idempotency key, and a repeat gets the first result', async () => {
    const input = { document: documentOf(review), idempotencyKey: 'k' }
    const previewToken = await tokenFor(input)
    const first = await carryOut({ ...input, previewToken })
    await settled()
    assert.deepEqual(await carryOut({ ...input, previewToken }), first)
    assert.equal((await here.presets()).length, 1)
  })

  test('does not check skipped presets', async () => {
    const decisions = [{ index: 0, action: 'SKIP' }]
    const shown = await preview({
      document: documentOf({ ...merge, tools: [{ ...external, name: 'nope' }] }),
      decisions,
    })
    assert.deepEqual([shown.errors, shown.servers, shown.warnings[0]?.code], [[], [], 'NOTHING_TO_IMPORT'])
  })

  test('accepts the export of the catalog, and ignores its list of tools', async () => {
    await importAll({ document: documentOf(review, merge), serverMappings: [github] })
    const { content } = await here.ask<{ content: string }>('mcpToolPresetCatalogExport')
    const { servers, errors } = await preview({ document: content, decisions: [{ index: 0, action: 'SKIP' }] })
    assert.deepEqual(
      [servers.map(({ status }) => status), errors.map(({ code }) => code)],
      [['UNMAPPED'], ['SERVER_NOT_MAPPED', 'NAME_TAKEN']],
    )
  })
})

describe('nothing is imported with', () => {
  const input = () => ({ document: documentOf(review, merge), serverMappings: [github] })

  /** A change between the preview and the import, and the refusal of the import. */
  const cases: readonly [words: string, code: string, between: (sent: Input) => unknown][] = [
    ['no token', 'BAD_USER_INPUT', (sent) => delete sent.previewToken],
    ['an invalid token', 'BAD_USER_INPUT', (sent) => Object.assign(sent, { previewToken: 'x.y.z' })],
    [
      'a token with another text under its signature',
      'BAD_USER_INPUT',
      (sent) => Object.assign(sent, { previewToken: String(sent.previewToken).replace(/^./, 'f') }),
    ],
    ['another document', 'BAD_USER_INPUT', (sent) => Object.assign(sent, { document: documentOf(review) })],
    [
      'the same document with one more space',
      'BAD_USER_INPUT',
      (sent) => Object.assign(sent, { document: `${sent.document} ` }),
    ],
    ['other decisions', 'BAD_USER_INPUT', (sent) => Object.assign(sent, { decisions: [{ index: 0, action: 'SKIP' }] })],
    [
      'other mappings',
      'BAD_USER_INPUT',
      (sent) => Object.assign(sent, { serverMappings: [{ ...github, serverId: here.server(2, ['search']) }] }),
    ],
    ['a token that is half an hour old', 'FAILED_PRECONDITION', () => here.clock.advance(30 * 60_000)],
    ['a name that was taken after the preview', 'CONFLICT', () => make('review')],
    ['a server that became unreachable after the preview', 'CONFLICT', () => here.server(1, 'UNREACHABLE')],
    ['a tool that was removed after the preview', 'CONFLICT', () => here.server(1, ['merge'])],
    ['a tool that was changed after the preview', 'CONFLICT', () => here.server(1, ['search#2', 'merge'])],
    ['a secret that was changed after the preview', 'BAD_USER_INPUT', () => here.changeSecret(false)],
  ]
  for (const [words, code, between] of cases) {
    test(words, async () => {
      const sent: Input = { ...input(), previewToken: await tokenFor(input()) }
      await between(sent)
      const [steps, presets] = [(await here.steps()).length, await here.presets()]
      const failure = await refusal(carryOut(sent))
      assert.deepEqual([failure.code, failure.details?.field], [code, 'previewToken'], failure.message)
      await settled()
      assert.deepEqual([(await here.steps()).length, await here.presets()], [steps, presets])
      assert.equal(await here.imports(), 0)
    })
  }

  test('half a character in the document', async () => {
    const sent = { ...input(), document: `\udc00${input().document}`, previewToken: await tokenFor(input()) }
    const failure = await refusal(carryOut(sent))
    assert.deepEqual([failure.code, failure.details?.field], ['BAD_USER_INPUT', 'document'])
  })

  test('the token of another user', async () => {
    const sent = { ...input(), previewToken: await tokenFor(input()) }
    const failure = await refusal(here.ask('importMcpToolPresets', sent, somebodyElse))
    assert.deepEqual([failure.code, (await here.steps()).length], ['BAD_USER_INPUT', 1])
  })

  for (const [words, change] of [
    [
      'a target that was changed after the preview',
      (id: string) => here.ask('updateMcpToolPreset', { presetId: id, name: 'x' }),
    ],
    ['a target that was deleted after the preview', (id: string) => here.ask('deleteMcpToolPreset', { presetId: id })],
  ] as const) {
    test(words, async () => {
      const targetId = await make('Target')
      const given = {
        document: documentOf(review, { ...review, name: 'Two' }),
        decisions: [{ index: 0, action: 'REPLACE', targetId }],
      }
      const previewToken = await tokenFor(given)
      await change(targetId)
      const before = await here.presets()
      assert.equal((await refusal(carryOut({ ...given, previewToken }))).code, 'CONFLICT')
      assert.deepEqual(await here.presets(), before)
    })
  }

  test('a token that was used before, because its names are taken', async () => {
    const sent = { ...input(), previewToken: await tokenFor(input()) }
    await carryOut(sent)
    assert.equal((await refusal(carryOut(sent))).code, 'CONFLICT')
  })
})

test('a token of the previous secret is accepted', async () => {
  const sent = { document: documentOf(review), previewToken: await tokenFor({ document: documentOf(review) }) }
  here.changeSecret(true)
  assert.equal((await carryOut(sent)).created, 1)
})

test('an import that races with a change of its target is executed on the previewed target, or not at all', async () => {
  for (let round = 0; round < 20; round++) {
    const targetId = await make(`Target ${round}`)
    const two = { ...review, name: `Two ${round}` }
    const given = {
      document: documentOf({ ...review, name: `One ${round}` }, two),
      decisions: [{ index: 0, action: 'REPLACE', targetId }],
    }
    const sent = { ...given, previewToken: await tokenFor(given) }
    const rename = () => here.ask('updateMcpToolPreset', { presetId: targetId, name: `Mine ${round}` })
    const [one, other] = round % 2 ? [carryOut(sent), rename()] : [rename(), carryOut(sent)]
    const [imported] = await Promise.allSettled(round % 2 ? [one, other] : [other, one])
    const names = (await here.presets()).map(({ name }) => name).filter((name) => name.endsWith(` ${round}`))
    const both = imported?.status === 'fulfilled'
    assert.deepEqual(names, both ? [`Mine ${round}`, `Two ${round}`] : [`Mine ${round}`])
  }
})

describe('a preview reports the path of the error for', () => {
  const cases: readonly [words: string, input: () => Input | Promise<Input>, path: string, code: string][] = [
    ['a text that is not JSON', () => ({ document: '{' }), 'document', 'NOT_JSON'],
    [
      'another format',
      () => ({ document: documentOf().replace('svc.', 'abc.') }),
      'document.format',
      'INVALID_DOCUMENT',
    ],
    [
      'a later version',
      () => ({ document: documentOf().replace('1', '2') }),
      'document.schemaVersion',
      'INVALID_DOCUMENT',
    ],
    [
      'no presets',
      () => ({ document: documentOf().replace('presets":', 'x":') }),
      'document.presets',
      'INVALID_DOCUMENT',
    ],
    ['a list', () => ({ document: '[]' }), 'document', 'INVALID_DOCUMENT'],
    [
      'an unknown field',
      () => ({ document: documentOf({ ...review, secret: 1 }) }),
      'document.presets[0].secret',
      'INVALID_DOCUMENT',
    ],
    [
      'the ID of a local server',
      () => ({ document: documentOf({ ...merge, tools: [{ ...external, serverId: serverIdOf(1) }] }) }),
      'document.presets[0].tools[0].serverId',
      'INVALID_DOCUMENT',
    ],
    [
      'an unknown source',
      () => ({ document: documentOf({ ...review, tools: [{ source: 'X', name: 'a' }] }) }),
      'document.presets[0].tools[0].source',
      'INVALID_DOCUMENT',
    ],
    [
      'a tool twice',
      () => ({ document: documentOf({ ...review, tools: [builtin, builtin] }) }),
      'document.presets[0].tools[1]',
      'DUPLICATE_TOOL',
    ],
    [
      'two presets of one name',
      () => ({ document: documentOf(review, { ...review, name: 'REVIEW' }) }),
      'document.presets[1].name',
      'NAME_TAKEN',
    ],
    [
      '101 presets',
      () => ({ document: documentOf(...Array(101).fill(review)) }),
      'document.presets',
      'TOO_MANY_PRESETS',
    ],
    ['more than 2 MiB', () => ({ document: documentOf().padEnd(2 ** 21 + 1) }), 'document', 'DOCUMENT_TOO_LARGE'],
    [
      'an unknown tool',
      () => ({ document: documentOf({ ...review, tools: [{ ...builtin, name: 'nope' }] }) }),
      'document.presets[0].tools[0].name',
      'TOOL_NOT_FOUND',
    ],
    ['a key without a server', () => ({ document: documentOf(merge) }), 'serverMappings', 'SERVER_NOT_MAPPED'],
    [
      'an unknown server',
      () => ({ document: documentOf(merge), serverMappings: [{ ...github, serverId: serverIdOf(7) }] }),
      'document.presets[0].tools[0].serverKey',
      'SERVER_NOT_FOUND',
    ],
    [
      'an unreachable server',
      () => ({ document: documentOf(merge), serverMappings: [{ ...github, serverId: here.server(7, 'UNREACHABLE') }] }),
      'document.presets[0].tools[0].serverKey',
      'SERVER_UNAVAILABLE',
    ],
    [
      'a key that no tool names',
      () => ({ document: documentOf(review), serverMappings: [github] }),
      'serverMappings[0].serverKey',
      'UNKNOWN_SERVER_KEY',
    ],
    [
      'a key twice',
      () => ({ document: documentOf(merge), serverMappings: [github, github] }),
      'serverMappings[1].serverKey',
      'DUPLICATE_MAPPING',
    ],
    [
      'two keys for one server and one tool',
      () => ({
        document: documentOf({ ...merge, tools: [external, { ...external, serverKey: 'other' }] }),
        serverMappings: [github, { ...github, serverKey: 'other' }],
      }),
      'document.presets[0].tools[1]',
      'DUPLICATE_TOOL',
    ],
    [
      'an unknown index',
      () => ({ document: documentOf(review), decisions: [{ index: 1, action: 'SKIP' }] }),
      'decisions[0].index',
      'UNKNOWN_INDEX',
    ],
    [
      'two decisions for one index',
      () => ({
        document: documentOf(review),
        decisions: [
          { index: 0, action: 'SKIP' },
          { index: 0, action: 'SKIP' },
        ],
      }),
      'decisions[1].index',
      'DUPLICATE_DECISION',
    ],
    [
      'REPLACE without a target',
      () => ({ document: documentOf(review), decisions: [{ index: 0, action: 'REPLACE' }] }),
      'decisions[0].targetId',
      'TARGET_REQUIRED',
    ],
    [
      'a target without REPLACE',
      async () => ({
        document: documentOf(review),
        decisions: [{ index: 0, action: 'CREATE', targetId: await make('t') }],
      }),
      'decisions[0].targetId',
      'TARGET_NOT_ALLOWED',
    ],
    [
      'an unknown target',
      () => ({
        document: documentOf(review),
        decisions: [{ index: 0, action: 'REPLACE', targetId: `mtp_${'0'.repeat(26)}` }],
      }),
      'decisions[0].targetId',
      'TARGET_NOT_FOUND',
    ],
    [
      'a target of the other kind',
      async () => ({
        document: documentOf(review),
        decisions: [{ index: 0, action: 'REPLACE', targetId: await make('t', 'SESSION') }],
      }),
      'decisions[0].targetId',
      'KIND_MISMATCH',
    ],
    [
      'one target for two presets',
      async () => {
        const targetId = await make('t')
        const decisions = [0, 1].map((index) => ({ index, action: 'REPLACE', targetId }))
        return { document: documentOf(review, { ...review, name: 'Two' }), decisions }
      },
      'decisions[1].targetId',
      'TARGET_TAKEN',
    ],
    [
      'a name with SKIP',
      () => ({ document: documentOf(review), decisions: [{ index: 0, action: 'SKIP', name: 'x' }] }),
      'decisions[0].name',
      'NAME_NOT_ALLOWED',
    ],
    [
      'the name of an existing preset',
      async () => {
        await make('Here')
        return { document: documentOf(review), decisions: [{ index: 0, action: 'CREATE', name: 'here' }] }
      },
      'decisions[0].name',
      'NAME_TAKEN',
    ],
  ]
  for (const [words, input, path, code] of cases) {
    test(words, async () => {
      const { errors, previewToken } = await preview(await input())
      assert.deepEqual([errors[0]?.path, errors[0]?.code, previewToken], [path, code, null])
      assert.match(errors[0]?.message ?? '', /^[a-z].*\.$/)
    })
  }
})
