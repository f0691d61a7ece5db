import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe } from 'node:test'
import type { Write } from '../../actors/ports/journal.ts'
import type { EndedRunStatus, RunMeasurement } from '../../spec/runs/runMeasurement.ts'
import type { Insights, InsightsQuery, RunFigures } from '../../storage/ports/insights.ts'
import type { Storage } from '../../storage/storage.ts'
import { creation, nextWrite } from '../kit/runtime/writes.ts'
import { seeded } from '../longRuns/bench/support/load.ts'
import { itIn, type OpenDatabase } from './storages.ts'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000
/** Retention of everything but the insights, which have none. */
const retention = { journalDays: 3_650, streamDays: 3_650, telemetryDays: 3_650, toolCallDays: 3_650 }

type Random = () => number

/** The contract of `Views.insights`, compared with a computation that keeps all values. */
export function insightsContract(name: string, open: OpenDatabase): void {
  const it = itIn(open)

  describe(`${name}: insights`, () => {
    for (const seed of [1, 2, 3]) {
      it(`agree with a naive computation over the same runs (seed ${seed})`, async (one, two) => {
        const random = seeded(seed)
        const runs = Array.from({ length: 300 }, (_, index) => randomRun(index, random))
        const late = runs.splice(250)
        await write(one, ...runs.slice(0, 125))
        await write(two, ...runs.slice(125))
        await one.housekeeping(now, retention)
        await write(two, ...late.slice(25))
        await Promise.all([one.housekeeping(now, retention), two.housekeeping(now, retention)])
        await write(one, ...late.slice(0, 25))
        const all = [...runs, ...late]
        for (const [words, query] of questions(random)) {
          agrees(await one.views.insights(query), naive(all, query), `${words}, seed ${seed}`)
        }
      })
    }

    it('count an end once, also if it is delivered again or with other values', async (one) => {
      const run = runOf({ startedAt: start, endedAt: start + 1_000, status: 'SUCCEEDED' })
      const first = await write(one, run)
      await one.housekeeping(now, retention)
      await one.journal.commit(
        [nextWrite(first, 'one', { measurement: { ...run, status: 'FAILED', endedAt: start + 5_000 } })],
        [],
      )
      await one.housekeeping(now, retention)
      const { total } = await one.views.insights({ edges: [start - hourMs, start + hourMs], now })
      equal(total.ended.SUCCEEDED, 1)
      equal(total.ended.FAILED, 0)
      equal(total.busyMs, 1_000)
    })

    it('count a run that executes as started and busy until now, and not as ended', async (one) => {
      await write(one, runOf({ startedAt: start, endedAt: null, status: null }))
      for (const time of ['before housekeeping', 'after it']) {
        const edges = [start - minuteMs, start + minuteMs, start + 3 * minuteMs, start + 9 * minuteMs]
        const { buckets, agents } = await one.views.insights({ edges, now: start + 2 * minuteMs })
        deepEqual(
          buckets.map(({ started, busyMs }) => [started, busyMs]),
          [
            [1, minuteMs],
            [0, minuteMs],
            [0, 0],
          ],
          time,
        )
        deepEqual(agents, [{ agentId: 'agt_1', ended: 0, busyMs: 2 * minuteMs }])
        await one.housekeeping(now, retention)
      }
    })

    it('count a run in the bucket that begins at its end, and not in the one that ends there', async (one) => {
      await write(one, runOf({ startedAt: start, endedAt: start + hourMs, status: 'LOST' }))
      for (const time of ['before housekeeping', 'after it']) {
        const edges = [start - hourMs, start, start + hourMs, start + 2 * hourMs]
        const { buckets } = await one.views.insights({ edges, now })
        deepEqual(
          buckets.map(({ started, ended, busyMs }) => [started, ended.LOST, busyMs]),
          [
            [0, 0, 0],
            [1, 0, hourMs],
            [0, 1, 0],
          ],
          time,
        )
        await one.housekeeping(now, retention)
      }
    })

    it('are empty without runs', async (one) => {
      const found = await one.views.insights({ edges: [start, start + dayMs, start + 2 * dayMs], now })
      equal(found.buckets.length, 2)
      for (const figures of [...found.buckets, found.total, found.previous]) {
        deepEqual(figures.queueWaitMs, { p50: null, p95: null })
        equal(figures.started + figures.busyMs + figures.usage.runCount, 0)
      }
      deepEqual(found.agents, [])
    })
  })
}

/** 2026-03-02T05:30:00.000Z. */
const start = Date.UTC(2026, 2, 2, 5, 30)
const end = start + 20 * dayMs
const now = end

let made = 0

function runOf(own: Partial<RunMeasurement>): RunMeasurement {
  return {
    runId: `run_${++made}`,
    agentId: 'agt_1',
    repository: 'example.org/a/one',
    kind: 'SESSION',
    queuedAt: start - 1_000,
    admittedAt: start,
    startedAt: start,
    endedAt: null,
    status: null,
    usage: null,
    ...own,
  }
}

const statuses: readonly EndedRunStatus[] = [
  'SUCCEEDED',
  'SUCCEEDED',
  'FAILED',
  'CANCELED',
  'TIMED_OUT',
  'LOST',
  'SKIPPED',
]

function randomRun(index: number, random: Random): RunMeasurement {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  // Some times are at the full hour, where buckets begin.
  const at =
    random() < 0.2 ? start + Math.floor(random() * 20 * 24) * hourMs : start + Math.floor(random() * 20 * dayMs)
  const admittedAt = at + Math.floor(random() ** 4 * hourMs)
  const startedAt = random() < 0.9 ? admittedAt + Math.floor(random() * 2_000) : null
  const lasts = Math.floor(random() ** 6 * 3 * dayMs)
  const endedAt = random() < 0.95 || startedAt === null ? (startedAt ?? admittedAt) + lasts : null
  return {
    runId: `run_${index}`,
    agentId: pick(['agt_1', 'agt_2', 'agt_3']),
    repository: pick([null, 'example.org/a/one', 'example.org/a/two words']),
    kind: pick(['PLAN', 'SESSION', 'WORKFLOW'] as const),
    queuedAt: random() < 0.9 ? at : null,
    admittedAt: startedAt === null ? null : admittedAt,
    startedAt,
    endedAt,
    status: endedAt === null ? null : pick(statuses),
    usage:
      endedAt === null || random() < 0.4
        ? null
        : {
            inputTokens: Math.floor(random() * 10_000),
            outputTokens: Math.floor(random() * 1_000),
            cachedInputTokens: pick([null, 7]),
            cost: pick([null, { amount: random(), currency: pick(['USD', 'EUR']) }]),
          },
  }
}

/** The start of each run is a transition of its own. */
async function write(storage: Storage, ...runs: readonly RunMeasurement[]): Promise<Write> {
  const first = runs.map((run) => {
    const measurement = { ...run, endedAt: null, status: null, usage: null }
    return creation('run', run.startedAt === null ? {} : { measurement })
  })
  await storage.journal.commit(first, [])
  const stored = await storage.journal.load(first.map(({ ref }) => ref))
  const second = first.map((before, index) => {
    const measurement = runs[index]
    return nextWrite(before, stored.get(before.ref.id)?.owner ?? '', { ...(measurement && { measurement }) })
  })
  equal((await storage.journal.commit(second, [])).lost.size, 0)
  return second[0] as Write
}

function questions(random: Random): readonly (readonly [words: string, query: InsightsQuery])[] {
  const within = () => start + Math.floor(random() * 20 * dayMs)
  const every = (from: number, length: number, count: number) =>
    Array.from({ length: count + 1 }, (_, index) => from + index * length)
  const midnight = Math.floor(start / dayMs) * dayMs
  const anywhere = [within(), within(), within(), within()].sort((a, b) => a - b)
  return [
    ['all as one', { edges: [start - dayMs, end + dayMs], now }],
    ['days', { edges: every(midnight, dayMs, 21), now }],
    ['days of another zone', { edges: every(midnight + 5.5 * hourMs, dayMs, 21), now }],
    ['weeks', { edges: [start, midnight + 7 * dayMs, midnight + 14 * dayMs, end], now }],
    ['hours', { edges: every(midnight + 4 * dayMs, hourMs, 100), now }],
    ['minutes', { edges: every(within(), minuteMs, 180), now }],
    ['any bounds', { edges: anywhere, now }],
    ['an agent', { edges: every(midnight, dayMs, 21), now, agentId: 'agt_2' }],
    ['a repository', { edges: every(midnight + hourMs / 2, dayMs, 21), now, repository: 'example.org/a/two words' }],
    ['a kind', { edges: every(midnight, dayMs, 21), now, kind: 'PLAN' }],
    ['a repository and a kind', { edges: anywhere, now, repository: 'example.org/a/one', kind: 'WORKFLOW' }],
    [
      'an agent, a repository and a kind',
      { edges: anywhere, now, agentId: 'agt_1', repository: 'example.org/a/one', kind: 'PLAN' },
    ],
    ['an unknown repository', { edges: anywhere, now, repository: 'example.org/a/three' }],
    ['now in the middle', { edges: every(midnight, dayMs, 21), now: within() }],
  ]
}

interface NaiveFigures {
  readonly started: number
  readonly ended: Readonly<Record<EndedRunStatus, number>>
  readonly busyMs: number
  readonly waits: readonly number[]
  readonly durations: readonly number[]
  readonly tokens: readonly number[]
  readonly costs: Readonly<Record<string, number>>
}

function naive(all: readonly RunMeasurement[], { edges, now: until, ...filter }: InsightsQuery) {
  const runs = all.filter((run) =>
    Object.entries(filter).every(([key, value]) => run[key as keyof RunMeasurement] === value),
  )
  const ofAgent = all.filter(({ agentId }) => (filter.agentId ?? agentId) === agentId)
  const [from = 0, to = 0] = [edges[0], edges.at(-1)]
  return {
    buckets: edges.slice(1).map((high, index) => figuresOf(runs, edges[index] ?? 0, high, until)),
    total: figuresOf(runs, from, to, until),
    previous: figuresOf(runs, from - (to - from), from, until),
    agents: [...new Set(ofAgent.map(({ agentId }) => agentId))]
      .map((agentId) => {
        const { ended, busyMs } = figuresOf(
          ofAgent.filter((run) => run.agentId === agentId),
          from,
          to,
          until,
        )
        return { agentId, ended: Object.values(ended).reduce((sum, count) => sum + count), busyMs }
      })
      .filter(({ ended, busyMs }) => ended + busyMs > 0)
      .sort((a, b) => b.busyMs - a.busyMs),
  }
}

function figuresOf(runs: readonly RunMeasurement[], from: number, to: number, until: number): NaiveFigures {
  const isIn = (at: number | null): at is number => at !== null && at >= from && at < to
  const finished = runs.filter(({ endedAt }) => isIn(endedAt))
  const costs: Record<string, number> = {}
  for (const { usage } of finished)
    if (usage?.cost) costs[usage.cost.currency] = (costs[usage.cost.currency] ?? 0) + usage.cost.amount
  const usages = finished.flatMap(({ usage }) => usage ?? [])
  const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0)
  return {
    started: runs.filter(({ startedAt }) => isIn(startedAt)).length,
    ended: Object.fromEntries(
      [...new Set(statuses)].map((status) => [status, finished.filter((run) => run.status === status).length]),
    ) as Record<EndedRunStatus, number>,
    busyMs: sum(
      runs.map(({ startedAt, endedAt }) =>
        startedAt === null ? 0 : Math.max(0, Math.min(endedAt ?? until, to) - Math.max(startedAt, from)),
      ),
    ),
    waits: finished.flatMap(({ queuedAt, admittedAt, endedAt }) =>
      queuedAt === null ? [] : [Number(admittedAt ?? endedAt) - queuedAt],
    ),
    durations: finished.flatMap(({ startedAt, endedAt }) => (startedAt === null ? [] : [Number(endedAt) - startedAt])),
    tokens: [
      usages.length,
      sum(usages.map(({ inputTokens }) => inputTokens)),
      sum(usages.map(({ outputTokens }) => outputTokens)),
      sum(usages.map(({ cachedInputTokens }) => cachedInputTokens ?? 0)),
    ],
    costs,
  }
}

function agrees(found: Insights, expected: ReturnType<typeof naive>, words: string): void {
  equal(found.buckets.length, expected.buckets.length, words)
  for (const [index, bucket] of expected.buckets.entries()) {
    figuresAgree(found.buckets[index] as RunFigures, bucket, `${words}, bucket ${index}`)
  }
  figuresAgree(found.total, expected.total, `${words}, total`)
  figuresAgree(found.previous, expected.previous, `${words}, previous`)
  deepEqual(found.agents, expected.agents, words)
}

function figuresAgree(found: RunFigures, expected: NaiveFigures, words: string): void {
  const { usage } = found
  deepEqual(
    { started: found.started, ended: found.ended, busyMs: found.busyMs },
    { started: expected.started, ended: expected.ended, busyMs: expected.busyMs },
    words,
  )
  deepEqual([usage.runCount, usage.inputTokens, usage.outputTokens, usage.cachedInputTokens], expected.tokens, words)
  deepEqual(Object.keys(usage.costs).sort(), Object.keys(expected.costs).sort(), words)
  for (const [currency, amount] of Object.entries(expected.costs)) {
    ok(Math.abs((usage.costs[currency] ?? 0) - amount) < 1e-6, `${words}: ${currency}`)
  }
  for (const [percentiles, values] of [
    [found.queueWaitMs, expected.waits],
    [found.durationMs, expected.durations],
  ] as const) {
    isClose(percentiles.p50, nearestRank(values, 0.5), words)
    isClose(percentiles.p95, nearestRank(values, 0.95), words)
  }
}

function nearestRank(values: readonly number[], share: number): number | null {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? null
}

function isClose(found: number | null, exact: number | null, words: string): void {
  if (found === null || exact === null) equal(found, exact, words)
  else ok(Math.abs(found - exact) <= Math.max(1, exact * 0.05), `${words}: ${found} instead of ${exact}`)
}
