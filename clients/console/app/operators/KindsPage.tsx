/** Every kind of lifecycle, with the number of actors in each status. */
import { graphql } from '../data/graphql.ts'
import { useQuery } from '../data/useQuery.ts'
import { InsightsTabs } from '../insights/InsightsTabs.tsx'
import { formatNumber, formatParts, messages } from '../messages.ts'
import { formatKind, getKindPath } from '../parts/formatName.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'

const texts = messages.stateMaps

const countsQuery = graphql('{ machines { kind version firstSeenAt states { status count oldestAt } } }')

export function KindsPage() {
  useDocumentTitle([messages.insights.tabs.states, messages.shell.views.insights])
  const { data, error } = useQuery(countsQuery, {}, { everyMs: 10_000 })
  const kinds = [...new Map((data?.machines ?? []).map((machine) => [machine.kind, machine])).values()]
  const populated = kinds.filter(({ states }) => states.length > 0)
  const unpopulated = kinds.filter(({ states }) => states.length === 0)
  return (
    <section>
      <h1>{messages.insights.tabs.states}</h1>
      <InsightsTabs current="/insights/states" />
      <p class="lead">{texts.lead}</p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {data === undefined && !error && <Loading />}
      <ul class="kinds">
        {populated.map(({ kind, states }) => (
          <li key={kind}>
            <a class="item-name" href={getKindPath(kind)}>
              {formatKind(kind)}
            </a>
            <ul class="counts">
              {states.map(({ status, count, oldestAt }) => (
                <li key={status}>
                  <StatusBadge status={status} /> <b>{formatNumber(count)}</b>
                  <span class="hint">{formatParts(texts.oldest, { time: <RelativeTime at={oldestAt} /> })}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {unpopulated.length > 0 && (
        <>
          <h2>{texts.noActors}</h2>
          <ul class="inline-list">
            {unpopulated.map(({ kind }) => (
              <li key={kind}>
                <a class="item-name" href={getKindPath(kind)}>
                  {formatKind(kind)}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
