/** Presets: the tools that they may contain, concurrent edits, and the answers for older clients. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Installation, installation, serverIdOf } from '../../kit/runtime/presetSystem.ts'
import { refusal } from '../../kit/runtime/testSystem.ts'

interface Answer {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly tools: readonly Record<string, unknown>[]
  readonly toolNames: readonly string[]
  readonly revision: number
}

let here: Installation
let github: string
before(async () => {
  here = await installation()
  github = here.server(1, ['search', 'merge'], 'GitHub')
})
after(() => here.stop())

let names = 0
const builtin = (name: string) => ({ source: 'BUILTIN', name })
const external = (name: string, serverId = github) => ({ source: 'EXTERNAL', serverId, name })
const create = async (input: Record<string, unknown>): Promise<Answer> =>
  (await here.ask<{ preset: Answer }>('createMcpToolPreset', { name: `p${++names}`, kind: 'PLAN', ...input })).preset
const update = async (presetId: string, input: Record<string, unknown>): Promise<Answer> =>
  (await here.ask<{ preset: Answer }>('updateMcpToolPreset', { presetId, ...input })).preset

describe('a preset', () => {
  test('keeps its tools in their order, built-in and external', async () => {
    const tools = [external('merge'), builtin('get_agents'), external('search')]
    const made = await create({ tools })
    assert.deepEqual(
      made.tools.map(({ source, name, serverId }) => [source, name, serverId]),
      [
        ['EXTERNAL', 'merge', github],
        ['BUILTIN', 'get_agents', null],
        ['EXTERNAL', 'search', github],
      ],
    )
    assert.deepEqual([made.toolNames, made.revision], [['get_agents'], 1])
  })

  test('is listed by kind and name', async () => {
    const [b, a] = [
      await create({ name: 'zz b', toolNames: [] }),
      await create({ name: 'ZZ a', tools: [], kind: 'SESSION' }),
    ]
    const listed = (await here.ask<Answer[]>('mcpToolPresets')).map(({ id }) => id)
    assert.ok(listed.indexOf(b.id) < listed.indexOf(a.id), 'PLAN is listed before SESSION')
    const sessions = await here.ask<Answer[]>('mcpToolPresets', { kind: 'SESSION' })
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [a.id],
    )
  })

  test('can be deleted once', async () => {
    const { id } = await create({ tools: [] })
    await here.ask('deleteMcpToolPreset', { presetId: id })
    assert.equal((await refusal(here.ask('deleteMcpToolPreset', { presetId: id }))).code, 'NOT_FOUND')
    assert.ok((await here.ask<Answer[]>('mcpToolPresets')).every((preset) => preset.id !== id))
  })

  test('is created once for an idempotency key', async () => {
    const input = { name: 'once', tools: [builtin('get_agents')], idempotencyKey: 'k' }
    assert.equal((await create(input)).id, (await create(input)).id)
  })
})

describe('a creation is refused, and leaves no transition, with', () => {
  const refused: readonly [string, Record<string, unknown>, code: string, field: string][] = [
    ['tools and toolNames together', { tools: [], toolNames: [] }, 'BAD_USER_INPUT', 'toolNames'],
    ['neither tools nor toolNames', {}, 'BAD_USER_INPUT', 'tools'],
    [
      'an unknown built-in tool',
      { tools: [builtin('get_agents'), builtin('nope')] },
      'BAD_USER_INPUT',
      'tools[1].name',
    ],
    ['an unknown tool in toolNames', { toolNames: ['nope'] }, 'BAD_USER_INPUT', 'toolNames[0]'],
    [
      'a built-in tool with a server',
      { tools: [{ ...builtin('get_agents'), serverId: serverIdOf(1) }] },
      'BAD_USER_INPUT',
      'tools[0].serverId',
    ],
    [
      'an external tool without a server',
      { tools: [{ source: 'EXTERNAL', name: 'search' }] },
      'BAD_USER_INPUT',
      'tools[0].serverId',
    ],
    ['an unknown server', { tools: [external('search', serverIdOf(9))] }, 'BAD_USER_INPUT', 'tools[0].serverId'],
    [
      'a tool that its server does not have',
      { tools: [external('nope', serverIdOf(1))] },
      'BAD_USER_INPUT',
      'tools[0].name',
    ],
    [
      'an alias in place of the raw name',
      { tools: [external('svc_ext_x_search', serverIdOf(1))] },
      'BAD_USER_INPUT',
      'tools[0].name',
    ],
    ['a tool twice', { tools: [builtin('get_agents'), builtin('get_agents')] }, 'BAD_USER_INPUT', 'tools[1]'],
    ['a name with blanks around it', { name: ' x', tools: [] }, 'BAD_USER_INPUT', 'name'],
    ['the name of another preset of its kind', { name: 'TAKEN', tools: [] }, 'CONFLICT', 'name'],
  ]
  before(() => create({ name: 'taken', tools: [] }))

  for (const [words, input, code, field] of refused) {
    test(words, async () => {
      const steps = (await here.steps()).length
      const failure = await refusal(create(input))
      assert.deepEqual([failure.code, failure.details?.field], [code, field])
      assert.equal((await here.steps()).length, steps)
    })
  }

  test('an unreachable server, which the error names', async () => {
    here.server(2, 'UNREACHABLE', 'Linear')
    const failure = await refusal(create({ tools: [external('issues', serverIdOf(2))] }))
    assert.equal(failure.code, 'FAILED_PRECONDITION')
    assert.match(failure.message, /Linear.*UNREACHABLE/)
  })
})

describe('a change', () => {
  test('keeps the fields that it omits', async () => {
    const made = await create({ tools: [builtin('get_agents')] })
    const after = await update(made.id, { name: 'renamed' })
    assert.deepEqual([after.name, after.kind, after.toolNames, after.revision], ['renamed', 'PLAN', ['get_agents'], 2])
  })

  test('with an outdated revision is refused with CONFLICT', async () => {
    const made = await create({ tools: [] })
    await update(made.id, { name: 'seen by nobody' })
    const failure = await refusal(update(made.id, { name: 'late', expectedRevision: made.revision }))
    assert.deepEqual([failure.code, failure.details?.revision], ['CONFLICT', 2])
    assert.equal(
      (await refusal(here.ask('deleteMcpToolPreset', { presetId: made.id, expectedRevision: 1 }))).code,
      'CONFLICT',
    )
  })

  test('keeps the chosen tools of an unreachable server, and accepts no further tools of it', async () => {
    const serverId = here.server(3, ['a', 'b'], 'Sentry')
    const made = await create({ tools: [external('a', serverId)] })
    here.server(3, 'UNREACHABLE', 'Sentry')
    const kept = await update(made.id, { tools: [builtin('get_agents'), external('a', serverId)] })
    assert.equal(kept.tools.length, 2)
    const failure = await refusal(update(made.id, { tools: [external('a', serverId), external('b', serverId)] }))
    assert.deepEqual([failure.code, failure.details?.field], ['FAILED_PRECONDITION', 'tools[1].name'])
  })

  test('by toolNames is refused for a preset with external tools, and the error asks for an upgrade', async () => {
    const plain = await create({ toolNames: ['get_agents'] })
    assert.deepEqual((await update(plain.id, { toolNames: ['get_agent'] })).toolNames, ['get_agent'])
    const mixed = await create({ tools: [builtin('get_agents'), external('search')] })
    const failure = await refusal(update(mixed.id, { toolNames: ['get_agent'] }))
    assert.equal(failure.code, 'FAILED_PRECONDITION')
    assert.match(failure.message, /Upgrade the client/)
    const after = (await here.presets()).find(({ id }) => id === mixed.id)
    assert.deepEqual([after?.revision, after?.tools.length], [1, 2])
  })

  test('of an unknown preset is refused with NOT_FOUND', async () => {
    const failure = await refusal(update('mtp_00000000000000000000000000', { name: 'x' }))
    assert.deepEqual([failure.code, failure.details?.field], ['NOT_FOUND', 'presetId'])
  })
})

test('of two presets that are created with one name at the same time, one is refused', async () => {
  const results = await Promise.allSettled([create({ name: 'race', tools: [] }), create({ name: 'Race', tools: [] })])
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})
