/** The load and the free memory of a machine over a chosen time. The time is in the address. */
import { loadHoursDays } from '../../../../spec/agents/agentLoad.ts'
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { messages } from '../messages.ts'
import { byteUnit, decimalUnit } from '../parts/charts/chartUnits.ts'
import { TimeChart } from '../parts/charts/TimeChart.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { PeriodFields } from '../parts/period/PeriodFields.tsx'
import { getTimeRange, parsePeriod, readerTimeZone } from '../parts/period/period.ts'
import { useFilters } from '../router.ts'

const { load: texts } = messages.insights
const choices = { names: ['day', 'week', 'month', 'quarter'], daysMax: loadHoursDays } as const

const loadQuery = graphql(`query ($agentId: ID!, $from: DateTime!, $to: DateTime, $timeZone: String) {
  agentLoad(agentId: $agentId, from: $from, to: $to, timeZone: $timeZone) {
    buckets { from to load loadMax freeMemoryBytes freeMemoryBytesMin }
  }
}`)

/** A heartbeat is no event. The load of each minute is kept. */
const minuteMs = 60_000

export function MachineLoad({ agentId }: { readonly agentId: string }) {
  const period = parsePeriod(useFilters(), choices, Date.now())
  const { data, error } = useAsyncData(
    JSON.stringify([agentId, period]),
    () => {
      const { from, to } = getTimeRange(period, Date.now())
      // The server has the minutes of 24 hours. If the time begins earlier than that, it has hours, so a minute is left out.
      const start = new Date(Date.parse(from) + minuteMs).toISOString()
      return requestGraphql(loadQuery, { agentId, from: start, to, timeZone: readerTimeZone })
    },
    { everyMs: minuteMs },
  )
  const buckets = data?.agentLoad.buckets
  return (
    <section class="fleet-section machine-load" aria-labelledby="machine-load">
      <div class="heading-row">
        <h2 id="machine-load">{texts.title}</h2>
        <search class="filters">
          <PeriodFields period={period} choices={choices} />
        </search>
      </div>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {buckets === undefined && !error && <Loading />}
      {buckets && !buckets.some(({ load }) => load !== null) && <EmptyState title={texts.none} />}
      {buckets?.some(({ load }) => load !== null) && (
        <div class="time-charts">
          <TimeChart
            title={texts.load}
            note={texts.loadNote}
            marks="lines"
            unit={decimalUnit}
            slots={buckets}
            series={[
              { name: texts.mean, tone: 'main', values: buckets.map(({ load }) => load) },
              { name: texts.maximum, tone: 'second', values: buckets.map(({ loadMax }) => loadMax) },
            ]}
          />
          <TimeChart
            title={texts.memory}
            marks="lines"
            unit={byteUnit}
            slots={buckets}
            series={[
              { name: texts.mean, tone: 'main', values: buckets.map(({ freeMemoryBytes }) => freeMemoryBytes) },
              {
                name: texts.minimum,
                tone: 'second',
                values: buckets.map(({ freeMemoryBytesMin }) => freeMemoryBytesMin),
              },
            ]}
          />
        </div>
      )}
    </section>
  )
}
