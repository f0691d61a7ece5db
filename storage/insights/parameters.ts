/** Parts of the statements that have the parameters of a question. */
import type { InsightsQuery } from '../ports/insights.ts'
import { numberArray } from '../sql/sql.ts'
import type { Values } from '../sql/values.ts'
import type { TimeRange } from './cover.ts'

/** The ranges as a table `r` with `low` and `high`. */
export function rangesOf(ranges: readonly TimeRange[], values: Values): string {
  const [low, high] = [ranges.map(({ from }) => from), ranges.map(({ to }) => to)]
  return `unnest(${values.place(numberArray(low), 'bigint[]')}, ${values.place(numberArray(high), 'bigint[]')}) r(low, high)`
}

/** Conditions on the runs `m`. */
export function filterOf({ agentId, repository, kind }: Partial<InsightsQuery>, values: Values): string {
  const equals = { agent_id: agentId, repository, kind }
  return Object.entries(equals)
    .map(([column, value]) => (value === undefined ? '' : ` and m.${column} = ${values.place(value, 'text')}`))
    .join('')
}
