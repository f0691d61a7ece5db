/** The figures of the runs of a time, compared with the time before it. The time and the filters are in the address. */
import { useCallback, useRef } from 'preact/hooks'
import { insightsDaysMax } from '../../../../spec/runs/insights.ts'
import { runKinds } from '../../../../spec/runs/runEnums.ts'
import type { EnumValue } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useAsyncData } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { formatKind } from '../parts/formatName.ts'
import { ObjectPicker } from '../parts/lists/ObjectPicker.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { PeriodFields } from '../parts/period/PeriodFields.tsx'
import { getTimeRange, type Period, parsePeriod, readerTimeZone } from '../parts/period/period.ts'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { setFilters, useFilters } from '../router.ts'
import { FigureCharts } from './FigureCharts.tsx'
import { FigureTiles } from './FigureTiles.tsx'
import { InsightsTabs } from './InsightsTabs.tsx'
import { type Insights, insightsQuery, isWithoutRuns } from './insightsFigures.ts'
import { MachineUse } from './MachineUse.tsx'

const texts = messages.insights
const choices = { names: ['week', 'day', 'month', 'year', 'own'], daysMax: insightsDaysMax } as const

interface RunFilter {
  readonly agentId: string | null
  readonly repositoryId: string | null
  readonly kind: EnumValue<'RunKind'> | null
}

export function InsightsPage() {
  useDocumentTitle([messages.shell.views.insights])
  const address = useFilters()
  const period = parsePeriod(address, choices, Date.now())
  const filter: RunFilter = {
    agentId: address.agent?.startsWith('agt_') ? address.agent : null,
    repositoryId: address.repository?.startsWith('rep_') ? address.repository : null,
    kind: runKinds.find((kind) => kind === address.kind) ?? null,
  }
  return (
    <section class="insights">
      <h1>{messages.shell.views.insights}</h1>
      <InsightsTabs current="/insights" />
      <search class="filters">
        <PeriodFields period={period} choices={choices} />
        <select
          aria-label={texts.kind}
          value={filter.kind ?? ''}
          onChange={({ currentTarget }) => setFilters({ kind: currentTarget.value })}
        >
          <option value="">{texts.anyKind}</option>
          {runKinds.map((kind) => (
            <option key={kind} value={kind}>
              {formatKind(kind)}
            </option>
          ))}
        </select>
        <ObjectPicker name="agent" label={texts.machine} kind="AGENT" id={filter.agentId ?? ''} />
        <ObjectPicker name="repository" label={texts.repository} kind="REPOSITORY" id={filter.repositoryId ?? ''} />
      </search>
      {period.problem === undefined && <Figures period={period} filter={filter} />}
    </section>
  )
}

/** Runs change often, and the figures of a long time change little. */
const pauseMs = 30_000

interface LoadedFigures {
  readonly insights: Insights
  readonly ms: number
}

function Figures({ period, filter }: { readonly period: Period; readonly filter: RunFilter }) {
  const { data, error, refresh } = useAsyncData(
    JSON.stringify([period, filter]),
    async (): Promise<LoadedFigures> => {
      const range = getTimeRange(period, Date.now())
      const { insights } = await requestGraphql(insightsQuery, { ...range, ...filter, timeZone: readerTimeZone })
      return { insights, ms: Math.max(1, Date.parse(range.to) - Date.parse(range.from)) }
    },
    { pauseMs },
  )
  // The first call is for the time before the subscription, which the first read is not older than.
  const isFirst = useRef(true)
  const refreshAfterChange = useCallback(() => {
    if (isFirst.current) isFirst.current = false
    else refresh()
  }, [refresh])
  useOnTransition('RUN', refreshAfterChange)
  // The figures of the former period stay until those of the new one are there, so that nothing moves.
  const former = useRef<LoadedFigures>(undefined)
  if (data !== undefined) former.current = data
  const shown = data ?? (error === undefined ? former.current : undefined)
  if (shown === undefined) return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading />
  const { insights, ms } = shown
  const isFiltered = Object.values(filter).some((value) => value !== null)
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {isWithoutRuns(insights.total) ? (
        <NoRuns isFiltered={isFiltered} />
      ) : (
        <div class="figures-of-runs" aria-busy={data === undefined}>
          <FigureTiles insights={insights} ms={ms} />
          <p class="note">{format(texts.note, { zone: readerTimeZone })}</p>
          <FigureCharts insights={insights} />
          <MachineUse agents={insights.agents} />
        </div>
      )}
    </>
  )
}

function NoRuns({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState title={texts.empty.title}>
      <p>{isFiltered ? texts.empty.filtered : texts.empty.text}</p>
      <p>
        {isFiltered ? (
          <button type="button" class="quiet" onClick={() => setFilters({ kind: '', agent: '', repository: '' })}>
            {messages.parts.filters.clear}
          </button>
        ) : (
          <a href="/runs/new">{messages.shell.newRun}</a>
        )}
      </p>
    </EmptyState>
  )
}
