/** Machines with thousands of repositories and worktrees: each report is taken, however many there are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, startBareAgent } from '../../kit/program/bareAgent.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

const many = 5_000
/** The most entries that the agent's program sends in one message. */
const codebasesAtOnce = 200
const worktreesAtOnce = 500

let stage: TestProgram
let agent: BareAgent

before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'large')
})
after(() => stage?.end())

interface Payload {
  readonly accepted: number
  readonly refused: readonly { readonly path: string; readonly code: string; readonly message: string }[]
}

const paths = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(5, '0')}`)

const pieces = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))

async function report(codebases: readonly object[]): Promise<number> {
  const input = { codebases }
  assert.ok(JSON.stringify(input).length < 1024 * 1024, 'it fits into a WebSocket message')
  const { accepted, refused } = await agent.say<Payload>(
    'reportCodebases',
    input,
    'accepted refused { path code message }',
  )
  assert.deepEqual(refused, [])
  return accepted
}

const codebase = (path: string, state: object = {}) => ({
  path,
  branch: 'main',
  syncState: 'NO_UPSTREAM',
  availability: 'PRESENT',
  lastCheckedAt: new Date().toISOString(),
  worktrees: [],
  ...state,
})

/** Ten codebases have the same. */
const originOf = (path: string) => `https://github.com/acme/${path.slice(-5, -1)}.git`

/** All worktrees of one codebase, in parts. */
async function reportWorktrees(path: string, worktrees: readonly string[], headSha: (path: string) => string) {
  const parts = pieces([...worktrees].sort(), worktreesAtOnce)
  let accepted = 0
  for (const [n, part] of parts.entries()) {
    const bounds = {
      ...(n === 0 ? {} : { worktreesAfter: parts[n - 1]?.at(-1) }),
      ...(n === parts.length - 1 ? {} : { worktreesUpTo: part.at(-1) }),
    }
    const listed = part.map((one) => ({ path: one, branch: one, headSha: headSha(one) }))
    accepted += await report([codebase(path, { worktrees: listed, ...bounds })])
  }
  return accepted
}

async function count(list: 'codebases' | 'worktrees') {
  const found = await stage.ask<Record<string, { totalCount: number }>>(
    `query ($agentId: ID!) { ${list}(agentId: $agentId, first: 1) { totalCount } }`,
    { agentId: agent.agentId },
  )
  return found[list]?.totalCount
}

async function statuses(list: 'codebases' | 'worktrees', field: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let page: string | null = null
  do {
    const found: Record<
      string,
      { nodes: Record<string, string>[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
    > = await stage.ask(
      `query ($agentId: ID!, $after: String) { ${list}(agentId: $agentId, first: 100, after: $after) {
        nodes { ${field} } pageInfo { hasNextPage endCursor } } }`,
      { agentId: agent.agentId, after: page },
    )
    for (const node of found[list]?.nodes ?? []) counts[node[field] ?? ''] = (counts[node[field] ?? ''] ?? 0) + 1
    page = found[list]?.pageInfo.hasNextPage === true ? found[list].pageInfo.endCursor : null
  } while (page !== null)
  return counts
}

test('a machine with 5,000 codebases is reported again and again, with changes in between', async () => {
  const all = paths('/srv/codebase', many)
  const reportAll = async (states: (path: string) => object) => {
    let accepted = 0
    for (const piece of pieces(all, codebasesAtOnce)) {
      accepted += await report(piece.map((path) => codebase(path, { observedOrigin: originOf(path), ...states(path) })))
    }
    return accepted
  }
  assert.equal(await reportAll(() => ({})), many)
  assert.equal(await reportAll(() => ({})), 0, 'nothing is new')
  const gone = new Set(all.filter((_, n) => n % 1_000 === 1))
  const moved = new Set(all.filter((_, n) => n % 1_000 === 2))
  const changed = (path: string) =>
    gone.has(path) ? { availability: 'MISSING' } : moved.has(path) ? { branch: 'other' } : {}
  assert.equal(await reportAll(changed), gone.size + moved.size)
  assert.equal(await reportAll(changed), 0)
  assert.equal(await count('codebases'), many)
  const { repositories } = await stage.ask<{ repositories: { totalCount: number } }>(
    '{ repositories(first: 1) { totalCount } }',
  )
  assert.equal(repositories.totalCount, 500, 'ten codebases have one repository')
  assert.deepEqual(await statuses('codebases', 'availability'), { PRESENT: many - gone.size, MISSING: gone.size })
})

test('a codebase with 5,000 worktrees is reported in parts, again and again, with changes in between', async () => {
  const path = '/srv/large'
  const all = [path, ...paths('/srv/large-worktree', many - 1)]
  const a = () => 'a'.repeat(40)
  await reportWorktrees(path, all, a)
  assert.equal(await count('worktrees'), many)
  assert.equal(await reportWorktrees(path, all, a), 0, 'nothing is new')
  // Worktrees at the beginning, at the end and at a border of parts are removed. One is new, and one has another commit.
  const gone = new Set([all[1], all[worktreesAtOnce - 1], all[worktreesAtOnce], all.at(-1)])
  const left = [...all.filter((one) => !gone.has(one)), '/srv/large-worktree-new']
  const b = (one: string) => (one === all[2_000] ? 'b' : 'a').repeat(40)
  await reportWorktrees(path, left, b)
  assert.equal(await reportWorktrees(path, left, b), 0)
  assert.deepEqual(await statuses('worktrees', 'status'), { PRESENT: left.length, MISSING: gone.size })
  await reportWorktrees(path, all, a)
  assert.deepEqual(await statuses('worktrees', 'status'), { PRESENT: many, MISSING: 1 })
})
