/** Lists page by page: forward and backward, stable while objects are added, and with invalid cursors. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { mutate, startRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let agent: BareAgent
let worktreeId: string
const runs: string[] = []

before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'pages')
  worktreeId = (await reportWorktree(stage, agent, '/srv/pages', ['main', 'a', 'b', 'c'])).main ?? ''
  await mutate(stage.ask, 'pauseWorktreeQueue', { worktreeId }, 'worktreeQueue { id }')
  for (let count = 0; count < 11; count += 1)
    runs.unshift((await startRun(stage.ask, { worktreeId, command: 'true' })).id)
})
after(() => stage?.end())

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
  readonly nodes: readonly { readonly id: string }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
  readonly totalCount: number
}

interface List {
  readonly field: string
  readonly node: string
  readonly types?: string
}

const lists: readonly List[] = [
  { field: 'runs', node: 'id' },
  { field: 'worktrees', node: 'id' },
  { field: 'codebases', node: 'id' },
  { field: 'agentConnection', node: 'id' },
  { field: 'actors', node: 'id', types: 'kind: JOB' },
  { field: 'actors', node: 'id', types: 'kind: RUN' },
]

async function page({ field, node, types }: List, given: Readonly<Record<string, unknown>>): Promise<Page> {
  const answer = await stage.ask<Record<string, Page>>(
    `query ($first: Int, $after: String, $last: Int, $before: String) { page: ${field}(first: $first, after: $after, last: $last, before: $before${types ? `, ${types}` : ''}) { edges { cursor node { ${node} } } nodes { ${node} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`,
    given,
  )
  return answer.page as Page
}

const ids = ({ nodes }: Page) => nodes.map(({ id }) => id)

test('a list has the same nodes, each once, forward to its end and backward to its beginning', async () => {
  const forward: string[] = []
  const list = lists[0] as List
  let after: string | null = null
  do {
    const one: Page = await page(list, { first: 4, after })
    forward.push(...ids(one))
    assert.equal(one.totalCount, 11)
    assert.equal(one.pageInfo.hasPreviousPage, after !== null)
    assert.deepEqual(
      [one.pageInfo.startCursor, one.pageInfo.endCursor],
      [one.edges[0]?.cursor, one.edges.at(-1)?.cursor],
    )
    after = one.pageInfo.hasNextPage ? one.pageInfo.endCursor : null
  } while (after !== null)
  assert.deepEqual(forward, runs, 'newest first, each once')
  const backward: string[] = []
  let before: string | null = null
  do {
    const one: Page = await page(list, { last: 4, before })
    backward.unshift(...ids(one))
    assert.equal(one.pageInfo.hasNextPage, before !== null)
    before = one.pageInfo.hasPreviousPage ? one.pageInfo.startCursor : null
  } while (before !== null)
  assert.deepEqual(backward, runs)
})

test('a page stays the same while newer runs are added', async () => {
  const list = lists[0] as List
  const first = await page(list, { first: 3 })
  const expected = ids(await page(list, { first: 3, after: first.pageInfo.endCursor }))
  runs.unshift((await startRun(stage.ask, { worktreeId, command: 'true' })).id)
  assert.deepEqual(ids(await page(list, { first: 3, after: first.pageInfo.endCursor })), expected)
})

test('the history of an actor is read in pages, forward and backward', async () => {
  // The oldest one: nothing of it changes any more.
  const id = runs.at(-1)
  const history = async (args: string) =>
    (
      await stage.ask<{ actorHistory: { nodes: { sequence: number }[]; pageInfo: Page['pageInfo'] } }>(
        `query ($id: ID!) { actorHistory(id: $id, ${args}) { nodes { sequence } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
        { id },
      )
    ).actorHistory
  const whole = (await history('first: 100')).nodes.map(({ sequence }) => sequence)
  const one = await history('first: 1')
  const rest = await history(`first: 100, after: "${one.pageInfo.endCursor}"`)
  assert.deepEqual(
    [...one.nodes, ...rest.nodes].map(({ sequence }) => sequence),
    whole,
  )
  const last = await history('last: 1')
  assert.deepEqual(
    last.nodes.map(({ sequence }) => sequence),
    whole.slice(-1),
  )
  const earlier = await history(`last: 100, before: "${last.pageInfo.startCursor}"`)
  assert.deepEqual(
    earlier.nodes.map(({ sequence }) => sequence),
    whole.slice(0, -1),
  )
})

const cursorOf = (text: string) => Buffer.from(text, 'latin1').toString('base64')

for (const list of lists) {
  test(`${list.field}${list.types ? ` (${list.types})` : ''}: an invalid page is refused, and the error names the argument`, async () => {
    for (const [given, field] of [
      [{ first: 0 }, 'first'],
      [{ first: 101 }, 'first'],
      [{ last: 0 }, 'last'],
      [{ last: 101 }, 'last'],
      [{ after: 'nonsense' }, 'after'],
      [{ after: '' }, 'after'],
      [{ after: cursorOf('other') }, 'after'],
      [{ after: cursorOf('c1:\u0000') }, 'after'],
      [{ after: cursorOf("c1:' or 1=1") }, 'after'],
      [{ after: cursorOf(`c1:${'x'.repeat(100)}`) }, 'after'],
      [{ after: 'x'.repeat(201) }, 'after'],
      [{ last: 1, before: 'nonsense' }, 'before'],
      [{ first: 1, last: 1 }, 'first'],
      [{ last: 1, after: cursorOf('c1:a') }, 'after'],
      [{ first: 1, before: cursorOf('c1:a') }, 'before'],
      [{ before: cursorOf('c1:a') }, 'before'],
    ] as const) {
      const refused = await refusal(page(list, given))
      assert.deepEqual(
        [refused.code, refused.details.field],
        ['BAD_USER_INPUT', field],
        `${JSON.stringify(given)}: ${refused.message}`,
      )
    }
  })
}

test('an empty list is a page without cursors', async () => {
  const { page: empty } = await stage.ask<{ page: Page }>(
    `{ page: runs(statuses: [LOST]) { edges { cursor } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`,
  )
  assert.deepEqual(empty, {
    edges: [],
    nodes: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    totalCount: 0,
  })
})
