/** The insights on PostgreSQL: stored sums of whole hours and days, and single runs for the rest of the time and for what has no sums yet. */
import type { Insights, InsightsQuery } from '../ports/insights.ts'
import type { Sql } from '../sql/sql.ts'
import { readAgentFigures } from './readAgentFigures.ts'
import { readRunSums } from './readRunSums.ts'
import { addSums, noRuns, toFigures } from './runSums.ts'

export async function readInsights(sql: Sql, query: InsightsQuery): Promise<Insights> {
  const { edges } = query
  const [from = 0, to = 0] = [edges[0], edges.at(-1)]
  const [[previous = noRuns, ...buckets], agents] = await Promise.all([
    readRunSums(sql, { ...query, edges: [2 * from - to, ...edges] }),
    readAgentFigures(sql, query),
  ])
  return {
    buckets: buckets.map(toFigures),
    total: toFigures(addSums(buckets)),
    previous: toFigures(previous),
    agents,
  }
}
