/** The runs that a run started. */
import { graphql } from '../../data/graphql.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { hasEnded, type RunDetails } from '../runDetails.ts'

const { panel: texts } = messages.run

const childRunsQuery = graphql(
  'query ($id: ID!) { runs(parentRunId: $id, first: 20) { totalCount nodes { id title status } } }',
)
/** A child run may be on any worktree, and no subscription is by the parent run. */
const refreshMs = 5_000

export function ChildRuns({ run }: { readonly run: RunDetails }) {
  const everyMs = hasEnded(run) ? undefined : refreshMs
  const { data } = useQuery(childRunsQuery, { id: run.id }, { everyMs })
  if (data === undefined || data.runs.totalCount === 0) return null
  const { totalCount, nodes } = data.runs
  return (
    <section class="child-runs" aria-labelledby="child-runs">
      <h2 id="child-runs">
        {texts.childRuns} <span class="count">{totalCount}</span>
      </h2>
      <ul class="rows">
        {nodes.map(({ id, title, status }) => (
          <li key={id}>
            <a class="item-name" href={`/runs/${id}`}>
              {title}
            </a>
            <StatusBadge status={status} />
          </li>
        ))}
      </ul>
      {totalCount > nodes.length && (
        <p class="hint">{format(messages.parts.firstOf, { shown: nodes.length, total: totalCount })}</p>
      )}
    </section>
  )
}
