/** Users see how many runs succeed, how long they wait, how machines are used, and how loaded they are. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { beginRun, endRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let agent: BareAgent
let worktreeId: string | undefined
const begun = new Date(Date.now() - 60_000).toISOString()

before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'builder')
  worktreeId = (await reportWorktree(stage, agent, '/srv/work')).main
})
after(() => stage?.end())

interface Figures {
  readonly startedCount: number
  readonly endedCount: number
  readonly succeededCount: number
  readonly successRate: number | null
  readonly busyMs: number
  readonly queueWaitMs: { readonly p95: number | null }
  readonly durationMs: { readonly p50: number | null }
}

interface Answer {
  readonly bucketSize: string
  readonly timeZone: string
  readonly buckets: readonly (Figures & { readonly from: string; readonly to: string })[]
  readonly total: Figures
  readonly previous: Figures
  readonly agents: readonly { readonly agentId: string; readonly name: string | null; readonly endedCount: number }[]
}

const figures = 'startedCount endedCount succeededCount successRate busyMs queueWaitMs { p95 } durationMs { p50 }'

async function insights(variables: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const { insights: found } = await stage.ask<{ insights: Answer }>(
    `query ($from: DateTime!, $to: DateTime, $timeZone: String, $agentId: ID, $kind: RunKind, $repositoryId: ID) {
      insights(from: $from, to: $to, timeZone: $timeZone, agentId: $agentId, kind: $kind, repositoryId: $repositoryId) {
        bucketSize timeZone buckets { from to ${figures} } total { ${figures} } previous { ${figures} }
        agents { agentId name endedCount }
      }
    }`,
    { from: begun, ...variables },
  )
  return found
}

const none = {
  startedCount: 0,
  endedCount: 0,
  succeededCount: 0,
  successRate: null,
  busyMs: 0,
  queueWaitMs: { p95: null },
  durationMs: { p50: null },
}

test('without runs all counts are zero, and figures without a value are null', async () => {
  const { total, previous, buckets, agents } = await insights()
  assert.deepEqual([total, previous], [none, none])
  assert.ok(buckets.length >= 1)
  assert.deepEqual(agents, [])
})

test('a run is counted as started when it starts, and as ended when it ends', async () => {
  const { runId } = await beginRun(stage, agent, worktreeId, [])
  const started = await until('it has started', async () => {
    const { total } = await insights()
    return total.startedCount === 1 ? total : undefined
  })
  assert.equal(started.endedCount, 0)
  await endRun(stage, agent, runId)
  const { total, buckets, agents, bucketSize, timeZone } = await insights()
  assert.deepEqual([total.startedCount, total.endedCount, total.succeededCount, total.successRate], [1, 1, 1, 1])
  assert.ok(total.busyMs > 0)
  assert.ok(total.queueWaitMs.p95 !== null && total.durationMs.p50 !== null)
  assert.deepEqual([bucketSize, timeZone], ['MINUTE', 'UTC'])
  assert.equal(buckets[0]?.from, begun)
  assert.equal(
    buckets.reduce((sum, { endedCount }) => sum + endedCount, 0),
    1,
  )
  assert.deepEqual(agents, [{ agentId: agent.agentId, name: 'builder', endedCount: 1 }])
})

test('filters leave out other runs', async () => {
  assert.equal((await insights({ agentId: agent.agentId, kind: 'SESSION' })).total.endedCount, 1)
  assert.equal((await insights({ kind: 'PLAN' })).total.endedCount, 0)
  const later = new Date(Date.now() + 60_000).toISOString()
  const { total, previous } = await insights({ from: later, to: new Date(Date.now() + 360_000).toISOString() })
  assert.deepEqual([total.endedCount, previous.endedCount], [0, 1])
})

const refusals: readonly (readonly [words: string, variables: Readonly<Record<string, unknown>>, message: RegExp])[] = [
  ['an end before the beginning', { to: '2020-01-01T00:00:00Z' }, /`from` must be before `to`/],
  ['an empty interval', { to: begun }, /`from` must be before `to`/],
  [
    'an interval that is too long',
    { from: '2020-01-01T00:00:00Z', to: '2024-01-01T00:00:00Z' },
    /1461 days.*at most 731/,
  ],
  ['an unknown time zone', { timeZone: 'Europe/Nowhere' }, /IANA time zone/],
  ['an agent that does not exist', { agentId: `agt_${'0'.repeat(26)}` }, /agent/],
]
for (const [words, variables, message] of refusals) {
  test(`${words} is refused`, async () => {
    const { code, message: said } = await refusal(insights(variables))
    assert.notEqual(code, 'GRANTED')
    assert.match(said, message)
  })
}

test('the load of a machine is stored per minute', async () => {
  const load = () =>
    stage.ask<{
      agentLoad: { bucketSize: string; buckets: { load: number | null; freeMemoryBytesMin: number | null }[] }
    }>(
      `query ($agentId: ID!, $from: DateTime!) { agentLoad(agentId: $agentId, from: $from) {
        bucketSize buckets { from to load freeMemoryBytesMin }
      } }`,
      { agentId: agent.agentId, from: begun },
    )
  const found = await until('the heartbeat is written back', async () => {
    await agent.say('agentHeartbeat', { load: 1.5, freeMemoryBytes: 3_000_000_000, jobs: [] }, 'serverTime')
    const { agentLoad } = await load()
    return agentLoad.buckets.some((bucket) => bucket.load !== null) ? agentLoad : undefined
  })
  assert.equal(found.bucketSize, 'MINUTE')
  assert.deepEqual(
    [
      ...new Set(
        found.buckets.filter(({ load }) => load !== null).map((one) => `${one.load} ${one.freeMemoryBytesMin}`),
      ),
    ],
    ['1.5 3000000000'],
  )
})

test('a request for the load of more than 90 days is refused', async () => {
  const { message } = await refusal(
    stage.ask('query ($id: ID!) { agentLoad(agentId: $id, from: "2020-01-01T00:00:00Z") { agentId } }', {
      id: agent.agentId,
    }),
  )
  assert.match(message, /at most 90/)
})
