/** The page of one kind of actor: its state map, and the list of its actors, of all of them or of those with the selected status. */
import { type EnumValue, graphql } from '../data/graphql.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatNumber, formatParts, messages } from '../messages.ts'
import { formatKind, formatName } from '../parts/formatName.ts'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { isNotFound, NotFound } from '../parts/notices/NotFound.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { getFilteredAddress, useFilters } from '../router.ts'
import { ActorName } from './ActorName.tsx'
import { MachineDetails } from './MachineDetails.tsx'
import { StateMap } from './StateMap.tsx'

const texts = messages.stateMaps

const definitionsQuery = graphql(
  'query ($kind: ActorKind!) { machines(kind: $kind) { version hash definition firstSeenAt } }',
)
const actorsQuery = graphql(`query ($kind: ActorKind!, $state: String, $after: String) {
  actors(kind: $kind, state: $state, first: 100, after: $after) {
    totalCount nodes { id title status phase changedAt } pageInfo { hasNextPage endCursor }
  }
}`)

/** A busy kind makes thousands of transitions a second, so the page polls instead of subscribing. */
const everyMs = 5_000

export function KindPage({ kind }: { readonly kind: EnumValue<'ActorKind'> }) {
  useDocumentTitle([formatKind(kind), messages.insights.tabs.states, messages.shell.views.insights])
  const status = useFilters().state ?? null
  const { data, error } = useQuery(definitionsQuery, { kind })
  const rows = usePagedList(actorsQuery, 'actors', { kind, state: status }, ({ id }) => id, { everyMs })
  const versions = data?.machines.toSorted((a, b) => a.firstSeenAt.localeCompare(b.firstSeenAt)) ?? []
  const newest = versions.at(-1)
  if (isNotFound(error)) return <NotFound message={format(texts.notFound, { kind: formatName(kind) })} />
  return (
    <section>
      <p class="crumbs">
        <a href="/insights/states">{messages.insights.tabs.states}</a>
      </p>
      <h1>{formatKind(kind)}</h1>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {newest === undefined && !error && <Loading />}
      {newest && (
        <>
          <p class="note">
            {formatParts(texts.version, {
              version: String(newest.version),
              time: <RelativeTime at={newest.firstSeenAt} />,
            })}
          </p>
          <StateMap kind={kind} newest={newest} />
          <MachineDetails kind={kind} versions={versions} />
        </>
      )}
      {(newest ?? error) && (
        <>
          <h2>
            {status === null ? texts.list.newest : format(texts.list.status, { status: formatName(status) })}{' '}
            {rows.items && <span class="count">{formatNumber(rows.totalCount)}</span>}
            {status !== null && (
              <a class="heading-link" href={getFilteredAddress({ state: '' })}>
                {texts.list.clear}
              </a>
            )}
          </h2>
          {rows.error && <ErrorMessage error={rows.error} retriesAutomatically />}
          {rows.items?.length === 0 && <EmptyState title={texts.list.none} />}
          {rows.items && rows.items.length > 0 && (
            <VirtualRows
              label={texts.list.label}
              rows={rows.items}
              rowHeight={44}
              getId={({ id }) => id}
              onNearEnd={rows.loadMore}
              renderRow={({ id, title, status, phase, changedAt }) => (
                <div class="actor-row">
                  <a class="item-name" href={`/actors/${id}`}>
                    <ActorName id={id} title={title} />
                  </a>
                  <StatusBadge status={status} />
                  <span class="hint">{phase && formatName(phase)}</span>
                  <RelativeTime at={changedAt} />
                </div>
              )}
            />
          )}
        </>
      )}
    </section>
  )
}
