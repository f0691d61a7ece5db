/** Counts of the runs of a time, percentiles of their times, machine use, tokens and costs. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { bucketSize, bucketsMax, timeZone } from '../core/timeBuckets.ts'
import { atMost, dateTime, id, idOf, int, named } from '../core/types.ts'
import { instant } from '../telemetry/instant.ts'
import { runKind } from '../worktrees/queueEntries.ts'
import { usageTotals } from './usage.ts'

/** The longest time that can be chosen. */
export const insightsDaysMax = 731
/** The most agents in an answer. */
export const insightsAgentsMax = 20

const percentiles = named(
  'TimePercentiles',
  'Percentiles of times (nearest rank), in milliseconds. Each is within 5 % of the exact value. Null if no run counts.',
  v.object({ p50: v.nullable(int), p95: v.nullable(int) }),
)

const figureFields = {
  startedCount: v.pipe(int, v.description('Runs that started.')),
  endedCount: v.pipe(int, v.description('Runs that ended. The counts by status below add up to it.')),
  succeededCount: int,
  failedCount: int,
  canceledCount: int,
  timedOutCount: int,
  lostCount: int,
  skippedCount: int,
  successRate: v.pipe(
    v.nullable(v.number()),
    v.description(
      'The share of SUCCEEDED among the runs that ended as SUCCEEDED, FAILED, TIMED_OUT or LOST, from 0 to 1. Null if no run ended so.',
    ),
  ),
  queueWaitMs: v.pipe(percentiles, v.description('`Run.queueWaitMs` of the runs that ended.')),
  durationMs: v.pipe(percentiles, v.description('`Run.durationMs` of the runs that ended.')),
  busyMs: v.pipe(
    v.number(),
    v.description(
      'The machine use: for how long runs executed, from their start to their end or until now. Only the part within the time counts. Runs that execute at the same time count each, so divided by the length of the time it is the average number of runs that execute.',
    ),
  ),
  usage: v.pipe(usageTotals, v.description('The tokens and costs of the runs that ended.')),
}

const runFigures = named('RunFigures', 'The figures of the runs of a time.', v.object(figureFields))

const bucket = named(
  'InsightsBucket',
  'The figures of the runs of one bucket of the time.',
  v.object({ from: dateTime, to: v.pipe(dateTime, v.description('Exclusive.')), ...figureFields }),
)

const agentFigures = named(
  'AgentFigures',
  'The use of an agent’s machine in a time, by all runs on it.',
  v.object({
    agentId: id,
    name: v.pipe(v.nullable(v.string()), v.description('The name of the agent. Null if the agent does not exist.')),
    endedCount: int,
    busyMs: v.pipe(v.number(), v.description('The machine use, with the rules of `RunFigures.busyMs`.')),
  }),
)

export const insights = query({
  name: 'insights',
  description:
    'The figures of the runs of a time: in buckets for a chart, as totals, and for the time of the same length before it. Runs that were removed since are counted too.',
  access: 'people',
  tool: {
    group: 'runs',
    name: 'get_insights',
    title: 'Get insights',
    description:
      'Returns figures of the runs from `from` to `to`: runs that started, and that ended by status, success rate, percentiles of queue wait and ' +
      'duration, machine use, tokens and costs; as totals, for the time before it (`previous`), in `buckets`, and by machine ' +
      '(`agents`). Filter by `agentId`, `repositoryId` and `kind`. `get_runs` lists the runs themselves.',
  },
  cost: 100,
  input: v.object({
    from: instant,
    to: v.pipe(
      v.nullish(instant),
      v.description(`Exclusive. At most ${insightsDaysMax} days after \`from\`. Default: now.`),
    ),
    timeZone,
    agentId: v.pipe(v.nullish(idOf('agent')), v.description('Counts only runs on the machine of this agent.')),
    repositoryId: v.pipe(
      v.nullish(idOf('repository')),
      v.description('Counts only runs whose codebase was one of this repository when they were created.'),
    ),
    kind: v.pipe(v.nullish(runKind), v.description('Counts only runs of plans, of sessions or of workflows.')),
  }),
  output: named(
    'Insights',
    'The figures of the runs of a time. A run counts in the time in which it started or ended.',
    v.object({
      from: dateTime,
      to: v.pipe(dateTime, v.description('Exclusive.')),
      timeZone: v.string(),
      bucketSize,
      buckets: v.pipe(
        atMost(bucketsMax, bucket),
        v.description(
          'In the order of time, without gaps. The first and the last one may be shorter than `bucketSize`.',
        ),
      ),
      total: runFigures,
      previous: v.pipe(runFigures, v.description('The figures of the time of the same length that ends at `from`.')),
      agents: v.pipe(
        atMost(insightsAgentsMax, agentFigures),
        v.description(
          `The ${insightsAgentsMax} agents with the longest machine use, longest first. Only \`agentId\` filters them, not \`repositoryId\` and \`kind\`.`,
        ),
      ),
    }),
  ),
})
