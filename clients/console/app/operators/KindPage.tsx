/** A kind of lifecycle: its chart as a heat map, and the actors that have a status. */
import { useMemo } from 'preact/hooks'
import { parseChart } from '../../chart/parseChart.ts'
import type { TransitionCount } from '../../chart/transitionCounts.ts'
import { StateChart } from '../chart/StateChart.tsx'
import { type Bottleneck, computeHeat, findBottlenecks, formatRate } from '../chart/stateHeat.ts'
import { type EnumValue, graphql } from '../data/graphql.ts'
import { usePagedList } from '../data/usePagedList.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, formatParts, messages } from '../messages.ts'
import { formatKind, formatName, getKindPath } from '../parts/formatName.ts'
import { VirtualRows } from '../parts/lists/VirtualRows.tsx'
import { EmptyState } from '../parts/messages/EmptyState.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'
import { isNotFound, NotFound } from '../parts/messages/NotFound.tsx'
import { RelativeTime } from '../parts/RelativeTime.tsx'
import { StatusBadge } from '../parts/StatusBadge.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { navigate, useFilters } from '../router.ts'
import { ActorName } from './ActorName.tsx'
import { MachineDetails } from './MachineDetails.tsx'
import { StateMapLegend } from './StateMapLegend.tsx'

const texts = messages.stateMaps

const definitionsQuery = graphql(
  'query ($kind: ActorKind!) { machines(kind: $kind) { version hash definition firstSeenAt } }',
)
const countsQuery = graphql(`query ($kind: ActorKind!) {
  machines(kind: $kind) { states { status count oldestAt p50At p99At } }
  machineThroughput(kind: $kind) { since ways { event from to count } }
}`)
const actorsQuery = graphql(`query ($kind: ActorKind!, $state: String, $after: String) {
  actors(kind: $kind, state: $state, first: 100, after: $after) {
    totalCount nodes { id title status phase changedAt } pageInfo { hasNextPage endCursor }
  }
}`)

/** A busy kind makes thousands of transitions a second, so the page polls instead of subscribing. */
const everyMs = 5_000

export function KindPage({ kind }: { readonly kind: EnumValue<'ActorKind'> }) {
  useDocumentTitle([formatKind(kind), messages.insights.tabs.states, messages.shell.views.insights])
  const state = useFilters().state ?? null
  const { data, error } = useQuery(definitionsQuery, { kind })
  const counts = useQuery(countsQuery, { kind }, { everyMs })
  const rows = usePagedList(actorsQuery, 'actors', { kind, state }, ({ id }) => id, { everyMs })
  const versions = data?.machines.toSorted((a, b) => a.firstSeenAt.localeCompare(b.firstSeenAt)) ?? []
  const newest = versions.at(-1)
  const stateCounts = counts.data?.machines[0]?.states ?? []
  const throughput = counts.data?.machineThroughput
  const transitionCounts = (throughput?.ways ?? []) as readonly TransitionCount[]
  const spanMs = throughput ? Math.max(1, Date.now() - Date.parse(throughput.since)) : 1
  const terminalStates = useMemo(() => findTerminalStates(newest?.definition), [newest?.hash])
  const bottlenecks = findBottlenecks(stateCounts, transitionCounts, terminalStates)
  const selectState = (path: string) => {
    const status = path.replace(/^lifecycle\./, '').split('.')[0] ?? ''
    navigate(state === status ? getKindPath(kind) : `${getKindPath(kind)}?state=${encodeURIComponent(status)}`)
  }
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
          <StateMapLegend ms={throughput ? spanMs : 3_600_000} />
          {counts.error && <ErrorMessage error={counts.error} retriesAutomatically />}
          <StateChart
            id={{ kind, hash: newest.hash }}
            title={formatKind(kind)}
            trace={{ transitions: [], current: [] }}
            heat={computeHeat(stateCounts, Date.now(), terminalStates)}
            throughput={throughput && { transitions: transitionCounts, ms: spanMs }}
            onSelectState={selectState}
          />
          <Bottlenecks bottlenecks={bottlenecks} kind={kind} ms={spanMs} />
          <MachineDetails kind={kind} versions={versions} />
        </>
      )}
      {(newest ?? error) && (
        <>
          <h2>
            {state === null ? texts.list.newest : format(texts.list.status, { status: formatName(state) })}{' '}
            {rows.items && <span class="count">{rows.totalCount.toLocaleString()}</span>}
            {state !== null && (
              <a class="heading-link" href={getKindPath(kind)}>
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

/** Returns the names of the terminal states. */
function findTerminalStates(definition: string | undefined): ReadonlySet<string> {
  const nodes = definition === undefined ? [] : parseChart(definition).nodes
  return new Set(nodes.filter(({ terminal }) => terminal).map(({ name }) => name))
}

interface BottlenecksProps {
  readonly bottlenecks: readonly Bottleneck[]
  readonly kind: string
  /** The time in which the transitions were counted. */
  readonly ms: number
}

function Bottlenecks({ bottlenecks, kind, ms }: BottlenecksProps) {
  if (bottlenecks.length === 0) return null
  return (
    <section class="bottlenecks" aria-labelledby="bottlenecks">
      <h2 id="bottlenecks">{texts.bottlenecks.title}</h2>
      <ul class="inline-list">
        {bottlenecks.map(({ status, count, netEntered }) => (
          <li key={status}>
            {formatParts(texts.bottlenecks.entry, {
              state: <a href={`${getKindPath(kind)}?state=${encodeURIComponent(status)}`}>{formatName(status)}</a>,
              rate: formatRate(netEntered, ms),
              total: count,
            })}
          </li>
        ))}
      </ul>
    </section>
  )
}
