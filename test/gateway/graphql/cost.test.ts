/** The cost of queries: objects, connections by their `first`, and plain lists by their rows or by their greatest length. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FieldNode, OperationDefinitionNode } from 'graphql'
import { getOperationAST, parse } from 'graphql'
import { CostMeter } from '../../../gateway/graphql/limits/cost.ts'
import { listBounds } from '../../../gateway/graphql/limits/listBounds.ts'
import { buildCatalogSchema } from '../../../gateway/graphql/schema/schema.ts'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { actionsFor, type Item } from '../../../gateway/operations/operators/actionCenter/items.ts'
import { machines } from '../../../machines/machines.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { limits } from '../../../spec/core/limits.ts'
import { itemKindNames } from '../../../spec/operators/actionCenter/items.ts'
import { actionsMax } from '../../../spec/operators/actionCenter/operations.ts'
import { statusesMax } from '../../../spec/operators/machines.ts'
import { requiredIdsMax } from '../../../spec/operators/operatorActionInput.ts'
import { offeredActionsMax } from '../../../spec/operators/operatorActions.ts'
import { timersMax } from '../../../spec/operators/timers.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const catalog = { operations, objectTypes }
const schema = buildCatalogSchema(catalog, undefined as never)
const meter = new CostMeter(schema, operations, listBounds(catalog))

function units(text: string, variables: Record<string, unknown> = {}, rows?: number): number {
  const document = parse(text)
  const operation = getOperationAST(document)
  if (!operation) throw new Error(text)
  const [root] = operation.selectionSet.selections
  const counts = rows === undefined ? undefined : new Map([[root as FieldNode, { items: rows }]])
  return meter.of(document, operation).measure(variables, counts).units
}

describe('the cost of a query', () => {
  const table: readonly [what: string, text: string, units: number, rows?: number][] = [
    ['a leaf at the root', '{ health }', 1],
    ['an object costs 1 and its leaves nothing', '{ viewer { id } }', 1],
    [
      'a connection costs its `first` times the cost of an item',
      '{ runs(first: 20) { nodes { id agent { id } } } }',
      1 + 20 * 2,
    ],
    ['a plain list costs its rows', '{ agents { id } }', 7, 7],
    [
      'fields in a plain list cost as often as it has rows',
      '{ agents { id codebases { nodes { id } } } }',
      3 * (1 + 1 + 20),
      3,
    ],
    [
      'a connection of an object without `first` costs its default',
      '{ worktree(id: "x") { runs { nodes { id agent { id } } } } }',
      2 + 20 * 2,
    ],
    ['a list with a maximum length costs the maximum', '{ actor(id: "x") { timers { id } } }', 1 + timersMax],
    [
      'a list below a `first` costs no more than `first`',
      '{ actionCenter(first: 3) { items { title } } }',
      200 + 1 + 3,
    ],
    ['the cost of an operation counts once', '{ previewOperatorAction { id tells { id } } }', 20 + 2 * (1 + 20), 2],
  ]
  for (const [what, text, expected, rows] of table) it(what, () => equal(units(text, {}, rows), expected))

  it('counts the average number of items, rounded up, for a list inside a counted list', () => {
    const document = parse('{ mcpToolPresets { name tools { name } } }')
    const operation = getOperationAST(document) as OperationDefinitionNode
    const counts = new Map([
      [operation.selectionSet.selections[0] as FieldNode, { items: 3, lists: { tools: { items: 10 } } }],
    ])
    equal(meter.of(document, operation).measure({}, counts).units, 10 + 3 * (1 + 4))
  })

  it('of all agents, codebases and worktrees is within the limit on an installation with 20 agents', () => {
    const text = '{ agents { codebases { nodes { worktrees { nodes { id } } } } } }'
    ok(units(text, {}, 20) < limits.graphqlCostPerQuery)
  })

  it('is explained by the deepest list on the most expensive path', () => {
    const table = [
      [
        '{ health agents { codebases(first: 100) { nodes { worktrees(first: 90) { nodes { id } } } } } }',
        'agents.codebases.nodes.worktrees',
        true,
      ],
      ['{ few: runs(first: 2) { nodes { id } } many: runs(first: 100) { nodes { id } } }', 'many', true],
      ['{ ...F } fragment F on Query { agents { id } }', 'agents', false],
    ] as const
    for (const [text, path, hasFirst] of table) {
      const document = parse(text)
      const operation = getOperationAST(document) as OperationDefinitionNode
      const roots = operation.selectionSet.selections.flatMap((one) => (one.kind === 'FragmentSpread' ? [] : [one]))
      const counts = new Map(roots.map((node) => [node as FieldNode, { items: 10 }]))
      deepEqual(meter.of(document, operation).mostExpensive({}, counts), { path, hasFirst }, text)
    }
    equal(
      meter.of(parse('{ health }'), getOperationAST(parse('{ health }')) as never).mostExpensive({}, undefined),
      undefined,
    )
  })

  it('of the operator actions of one actor, all previews included, is below 40 points', () => {
    const preview =
      'sequence problem { message } timersSet { event } tells { id } moreTells queues { admits before { id } after { id } }'
    ok(units(`{ operatorActions(id: "x") { actions { type requiredIds { name } preview { ${preview} } } } }`) < 4_000)
  })
})

describe('the maximum length of a list', () => {
  it('holds for every machine: operator actions, deadlines, statuses, actions', () => {
    for (const { kind, operatorEvents = {}, operatorStates = [], machine } of Object.values(machines)) {
      ok(Object.keys(operatorEvents).length + operatorStates.length <= offeredActionsMax, kind)
      for (const event of Object.values(operatorEvents)) ok(Object.keys(event.ids ?? {}).length <= requiredIdsMax, kind)
      const { after: delays, tops } = countStates(machine.config as StateConfig)
      ok(delays <= timersMax, kind)
      // As many again of older definitions.
      ok(2 * tops <= statusesMax, `${kind} ${tops}`)
    }
    const run = {
      id: 'run_x',
      kind: 'run',
      init: { kind: 'SESSION', ownerId: 'ses_x', worktreeId: 'wt_x', place: { runId: 'run_x' } },
      context: { question: { id: 'q' } },
      columns: { terminal: false },
    } as unknown as ActorRow
    for (const kind of itemKindNames)
      ok(actionsFor({ kind, row: run, title: '', detail: null, since: 0 } as Item).length <= actionsMax, kind)
  })
})

interface StateConfig {
  readonly after?: object | undefined
  readonly states?: Readonly<Record<string, StateConfig>> | undefined
}

function countStates({ after: delays = {}, states = {} }: StateConfig): { after: number; tops: number } {
  const inner = Object.values(states).map(countStates)
  return {
    after: Object.keys(delays).length + inner.reduce((sum, one) => sum + one.after, 0),
    tops: Math.max(Object.keys(states).length, ...inner.map(({ tops }) => tops)),
  }
}

describe('plain lists', () => {
  let world: TestGateway
  let session: Record<string, string>
  before(async () => {
    world = await startTestGateway({ options: catalog })
    session = { authorization: `Bearer ${(await world.signIn()).token}` }
  })
  after(() => world.stop())

  const spent = async (text: string, variables: Record<string, unknown> = {}): Promise<number> => {
    const left = async (query: string, given?: Record<string, unknown>) =>
      Number((await world.graphql(query, given, session)).headers.get('ratelimit-remaining'))
    await left(text, variables)
    const before = await left('{ health }')
    return before - (await left(text, variables))
  }

  it('are priced by the rows that they had at most a second before the request', async () => {
    const nested = '{ agents { id codebases(first: 100) { nodes { id } } } }'
    equal(await spent(nested), 1)
    for (let n = 0; n < 5; n++) await world.agent()
    await sleep(1_000)
    equal(await spent(nested), Math.ceil((5 * 102) / 100))
    const named = 'query ($ids: [ID!]) { agents(ids: $ids) { id codebases(first: 100) { nodes { id } } } }'
    equal(await spent(named, { ids: [world.newId('agent'), world.newId('agent')] }), 3)
  })

  it('with an invalid argument are refused by the execution, not by the count', async () => {
    const { body } = await world.graphql('{ worktreeRunQueue(worktreeId: "x") { id } }', {}, session)
    equal(body.errors?.[0]?.extensions.code, 'BAD_USER_INPUT')
  })
})
