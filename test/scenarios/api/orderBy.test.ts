/** Lists in an order that the request names: whole, page by page, both ways, and without cursors of another order. */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { reportOf } from '../../kit/program/objects/crashes.ts'
import { mutate } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
/** More than a page has. */
const count = 120

interface Node {
  readonly id: string
  readonly [field: string]: string
}

const numbers = Array.from({ length: count }, (_, number) => number)

before(async () => {
  stage = await startTestProgram()
  const make = async (number: number) => {
    // The order of names is neither that of their creation nor its reverse.
    const name = String((number * 71) % count).padStart(3, '0')
    const bundleIdentifier = `org.example.a${name}`
    await mutate(stage.ask, 'createApp', { bundleIdentifier, name }, 'app { id }')
    await mutate(
      stage.ask,
      'saveCodebaseRepositoryPreparations',
      { repository: { name: `example.org/acme/${name}` }, preparations: [] },
      'codebaseRepositoryPreparations { revision }',
    )
  }
  // One after the other, so that they were created in the order of their numbers.
  for (const number of numbers) await make(number)
  // Four reports of each of 30 times.
  const report = (number: number) =>
    mutate(
      stage.ask,
      'recordCrashReport',
      {
        ...reportOf('org.example.a000', []),
        reportId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
        happenedAt: new Date(Date.UTC(2026, 0, 1, 0, (number * 7) % 30)).toISOString(),
      },
      'crashReport { id }',
    )
  for (const number of numbers) await report(number)
})
after(() => stage?.end())

interface List {
  readonly name: string
  readonly type: string
  readonly field: string
  readonly nodeField: string
}

const lists: readonly List[] = [
  { name: 'apps', type: 'App', field: 'CREATED_AT', nodeField: 'createdAt' },
  { name: 'apps', type: 'App', field: 'BUNDLE_IDENTIFIER', nodeField: 'bundleIdentifier' },
  { name: 'repositories', type: 'Repository', field: 'CREATED_AT', nodeField: 'createdAt' },
  { name: 'repositories', type: 'Repository', field: 'NAME', nodeField: 'canonicalUrl' },
  { name: 'crashReports', type: 'CrashReport', field: 'CREATED_AT', nodeField: 'createdAt' },
  { name: 'crashReports', type: 'CrashReport', field: 'HAPPENED_AT', nodeField: 'happenedAt' },
]

interface Page {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly [field: string]: boolean | string | null }
  readonly totalCount: number
}

async function read({ name, type, nodeField }: List, variables: Readonly<Record<string, unknown>>): Promise<Page> {
  const text = `query ($first: Int, $after: String, $last: Int, $before: String, $orderBy: ${type}OrderInput) {
    page: ${name}(first: $first, after: $after, last: $last, before: $before, orderBy: $orderBy) {
      nodes { id value: ${nodeField} } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`
  return (await stage.ask<{ page: Page }>(text, variables)).page
}

async function readAll(list: List, orderBy: unknown, backward = false): Promise<Node[]> {
  const found: Node[] = []
  let cursor: unknown = null
  do {
    const page: Page = await read(
      list,
      backward ? { last: 50, before: cursor, orderBy } : { first: 50, after: cursor, orderBy },
    )
    equal(page.totalCount, count)
    if (backward) found.unshift(...page.nodes)
    else found.push(...page.nodes)
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
    cursor = backward ? (hasPreviousPage ? startCursor : null) : hasNextPage ? endCursor : null
  } while (cursor !== null)
  return found
}

const values = (nodes: readonly Node[]) => nodes.map(({ value }) => value)

for (const list of lists) {
  describe(`${list.name} by ${list.field}`, () => {
    for (const direction of ['ASC', 'DESC']) {
      test(`${direction}: each node is listed once, in order, and pages from the end give the same list`, async () => {
        const orderBy = { field: list.field, direction }
        const found = await readAll(list, orderBy)
        equal(new Set(found.map(({ id }) => id)).size, count)
        const sorted = values(found).toSorted()
        deepEqual(values(found), direction === 'ASC' ? sorted : sorted.toReversed())
        deepEqual(await readAll(list, orderBy, true), found)
      })
    }

    test('DESC is the reverse of ASC, also among equal values', async () => {
      const [up, down] = await Promise.all(
        ['ASC', 'DESC'].map((direction) => readAll(list, { field: list.field, direction })),
      )
      deepEqual(down?.toReversed(), up)
    })
  })
}

const [apps, byIdentifier, , , , byTime] = lists as [List, List, List, List, List, List]

test('a list without `orderBy` has the order and the cursors of CREATED_AT, DESC', async () => {
  const orderBy = { field: 'CREATED_AT', direction: 'DESC' }
  deepEqual(await readAll(apps, orderBy), await readAll(apps, null))
  const { pageInfo } = await read(apps, { first: 10 })
  deepEqual(await read(apps, { first: 10, after: pageInfo.endCursor, orderBy }), {
    ...(await read(apps, { first: 10, after: pageInfo.endCursor })),
  })
})

test('a page stays the same while other nodes are added before it', async () => {
  const orderBy = { field: 'HAPPENED_AT', direction: 'ASC' }
  const { endCursor } = (await read(byTime, { first: 40, orderBy })).pageInfo
  const next = async () => (await read(byTime, { first: 40, after: endCursor, orderBy })).nodes
  const expected = await next()
  ok(expected.length === 40 && expected[0]?.value === expected[1]?.value, 'it begins among equal values')
  const earlier = { ...reportOf('org.example.a000', []), happenedAt: new Date(Date.UTC(2025, 0, 1)).toISOString() }
  await mutate(stage.ask, 'recordCrashReport', earlier, 'crashReport { id }')
  deepEqual(await next(), expected)
})

describe('a cursor of another order is refused', () => {
  const orders = [
    null,
    { field: 'CREATED_AT', direction: 'ASC' },
    { field: 'BUNDLE_IDENTIFIER', direction: 'ASC' },
    { field: 'BUNDLE_IDENTIFIER', direction: 'DESC' },
  ]
  for (const of of orders) {
    test(`a cursor of ${of === null ? 'the default order' : `${of.field} ${of.direction}`}`, async () => {
      const { endCursor, startCursor } = (await read(byIdentifier, { first: 5, orderBy: of })).pageInfo
      for (const orderBy of orders) {
        const forward = await refusal(read(byIdentifier, { first: 5, after: endCursor, orderBy }))
        const backward = await refusal(read(byIdentifier, { last: 5, before: startCursor, orderBy }))
        if (orderBy === of) deepEqual([forward.code, backward.code], ['GRANTED', 'GRANTED'])
        else {
          deepEqual([forward.code, forward.details.field], ['BAD_USER_INPUT', 'after'])
          deepEqual([backward.code, backward.details.field], ['BAD_USER_INPUT', 'before'])
          match(forward.message, /orderBy/)
        }
      }
    })
  }

  test('a cursor that this server never issued is refused too', async () => {
    const orderBy = { field: 'BUNDLE_IDENTIFIER', direction: 'ASC' }
    for (const cursor of ['c2:BUNDLE_IDENTIFIER ASC:', "c2:BUNDLE_IDENTIFIER ASC:x'y", 'c2:NAME UP:app_1', 'c3:app_1'])
      equal((await refusal(read(byIdentifier, { after: btoa(cursor), orderBy }))).code, 'BAD_USER_INPUT')
  })
})

test('a field of another list is refused', async () => {
  equal(
    (await refusal(stage.ask('{ apps(orderBy: { field: HAPPENED_AT, direction: ASC }) { nodes { id } } }'))).code,
    'GRAPHQL_VALIDATION_FAILED',
  )
})
