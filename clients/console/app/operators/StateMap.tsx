/** The state map of a kind: how many actors each state has and for how long, and how often each transition was taken. */
import { useMemo } from 'preact/hooks'
import { parseChart } from '../../chart/parseChart.ts'
import type { TransitionCount } from '../../chart/transitionCounts.ts'
import { StateChart } from '../chart/StateChart.tsx'
import { type Bottleneck, computeHeat, findBottlenecks, formatRate, heatMeasures } from '../chart/stateHeat.ts'
import { type EnumValue, graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useAsyncData, useQuery } from '../data/useQuery.ts'
import { formatParts, messages } from '../messages.ts'
import { formatKind, formatName } from '../parts/formatName.ts'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { PeriodFields } from '../parts/period/PeriodFields.tsx'
import { getTimeRange, type Period, parsePeriod } from '../parts/period/period.ts'
import { getFilteredAddress, navigate, setFilters, useFilters } from '../router.ts'
import type { MachineVersion } from './MachineDetails.tsx'
import { StateMapLegend } from './StateMapLegend.tsx'

const texts = messages.stateMaps

const countsQuery = graphql(
  'query ($kind: ActorKind!) { machines(kind: $kind) { states { status count oldestAt p50At p99At } } }',
)
const throughputQuery = graphql(`query ($kind: ActorKind!, $from: DateTime!) {
  machineThroughput(kind: $kind, from: $from) { since ways { event from to count } }
}`)

/** A busy kind makes thousands of transitions a second, so the page polls instead of subscribing. */
const everyMs = 5_000

const choices = { names: ['hour', 'day', 'week'], daysMax: 7 } as const

interface StateMapProps {
  readonly kind: EnumValue<'ActorKind'>
  readonly newest: MachineVersion
}

export function StateMap({ kind, newest }: StateMapProps) {
  const address = useFilters()
  const period = parsePeriod(address, choices, Date.now())
  const measure = heatMeasures.find((one) => one === address.color) ?? 'count'
  const counts = useQuery(countsQuery, { kind }, { everyMs })
  const { throughput, error: throughputError } = useThroughput(kind, period)
  const terminalStates = useMemo(() => findTerminalStates(newest.definition), [newest.hash])
  const stateCounts = counts.data?.machines[0]?.states ?? []
  const transitions = throughput?.transitions ?? []
  const error = counts.error ?? throughputError
  const selectState = (path: string) => {
    const status = path.replace(/^lifecycle\./, '').split('.')[0] ?? ''
    navigate(getFilteredAddress({ state: address.state === status ? '' : status }))
  }
  return (
    <>
      <div class="filters">
        <PeriodFields period={period} choices={choices} />
        <select
          aria-label={texts.measure.label}
          value={measure}
          onChange={({ currentTarget }) => setFilters({ color: currentTarget.value })}
        >
          {heatMeasures.map((one) => (
            <option key={one} value={one}>
              {texts.measure[one]}
            </option>
          ))}
        </select>
      </div>
      <StateMapLegend measure={measure} periodMs={throughput?.ms} />
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <StateChart
        id={{ kind, hash: newest.hash }}
        title={formatKind(kind)}
        trace={{ transitions: [], current: [] }}
        heat={computeHeat(stateCounts, { now: Date.now(), terminalStates, measure })}
        throughput={throughput}
        onSelectState={selectState}
      />
      {throughput && (
        <Bottlenecks bottlenecks={findBottlenecks(stateCounts, transitions, terminalStates)} ms={throughput.ms} />
      )}
    </>
  )
}

/** The transitions of the period, counted, and the time in which they were counted. It is shorter if there were very many. */
function useThroughput(kind: EnumValue<'ActorKind'>, period: Period) {
  const { data, error } = useAsyncData(
    `${kind} ${period.name}`,
    async () => {
      const now = Date.now()
      const { from } = getTimeRange(period, now)
      const { machineThroughput } = await requestGraphql(throughputQuery, { kind, from })
      const { since, ways } = machineThroughput
      return { transitions: ways as readonly TransitionCount[], ms: Math.max(1, now - Date.parse(since)) }
    },
    { everyMs },
  )
  return { throughput: data, error }
}

/** Returns the names of the terminal states. */
function findTerminalStates(definition: string): ReadonlySet<string> {
  const nodes = parseChart(definition).nodes
  return new Set(nodes.filter(({ terminal }) => terminal).map(({ name }) => name))
}

interface BottlenecksProps {
  readonly bottlenecks: readonly Bottleneck[]
  /** The time in which the transitions were counted. */
  readonly ms: number
}

function Bottlenecks({ bottlenecks, ms }: BottlenecksProps) {
  if (bottlenecks.length === 0) return null
  return (
    <section class="bottlenecks" aria-labelledby="bottlenecks">
      <h2 id="bottlenecks">{texts.bottlenecks.title}</h2>
      <ul class="inline-list">
        {bottlenecks.map(({ status, count, netEntered }) => (
          <li key={status}>
            {formatParts(texts.bottlenecks.entry, {
              state: <a href={getFilteredAddress({ state: status })}>{formatName(status)}</a>,
              rate: formatRate(netEntered, ms),
              total: count,
            })}
          </li>
        ))}
      </ul>
    </section>
  )
}
