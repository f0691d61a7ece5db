/** When a run, its steps and its child runs waited in a queue, worked, and waited for people. */

import { isHistoryDeleted } from '../../data/actorHistoryStore.ts'
import { graphql } from '../../data/graphql.ts'
import { useActorHistory } from '../../data/useActorHistory.ts'
import { useOnChange } from '../../data/useOnChange.ts'
import { useQuery } from '../../data/useQuery.ts'
import { format, messages } from '../../messages.ts'
import { formatDuration } from '../../parts/formatDuration.ts'
import { ErrorMessage } from '../../parts/notices/ErrorMessage.tsx'
import { useNow } from '../../parts/RelativeTime.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import type { RunDetails } from '../runDetails.ts'
import { type Bar, measureSpan, readRunSegments, readSegments, readStepSegments } from './timelineBars.ts'

const { timeline: texts } = messages.run

const partsQuery = graphql(`query ($id: ID!) {
  run(id: $id) { ... on WorkflowRun { steps { id title kind status childRunId buildId startedAt endedAt } } }
  runs(parentRunId: $id, first: 50) { totalCount nodes { id title status queuedAt admittedAt endedAt } }
}`)

const pauseMs = 2_000

export function TimelineTab({ run }: { readonly run: RunDetails }) {
  const history = useActorHistory(run.id)
  const { transitions, error } = history
  const { data, error: partsError, refresh } = useQuery(partsQuery, { id: run.id }, { pauseMs })
  // The steps and the child runs of a run change it too.
  useOnChange(transitions.at(-1)?.sequence ?? 0, refresh)
  const now = useNow()
  const end = run.endedAt === null ? now : Date.parse(run.endedAt)
  const steps = data?.run && 'steps' in data.run ? data.run.steps : []
  const stepRuns = new Set(steps.map(({ childRunId }) => childRunId))
  const bars: readonly Bar[] = [
    {
      ...run,
      href: undefined,
      segments: isHistoryDeleted(history) ? readRunSegments(run, now) : readSegments(transitions, end),
    },
    ...steps.map((step) => ({
      ...step,
      href: getStepPath(step),
      segments: readStepSegments(step, now),
    })),
    ...(data?.runs.nodes ?? [])
      .filter(({ id }) => !stepRuns.has(id))
      .map((child) => ({ ...child, href: `/runs/${child.id}`, segments: readRunSegments(child, now) })),
  ]
  const shownError = error ?? partsError
  const total = data?.runs.totalCount ?? 0
  const shown = data?.runs.nodes.length ?? 0
  return (
    <>
      {shownError && <ErrorMessage error={shownError} retriesAutomatically />}
      <Legend />
      <ol class="timeline" aria-label={texts.label}>
        {bars.map((bar) => (
          <TimelineRow key={bar.id} bar={bar} span={measureSpan(bars)} />
        ))}
      </ol>
      {total > shown && <p class="hint">{format(messages.parts.firstOf, { shown, total })}</p>}
    </>
  )
}

function getStepPath({ childRunId, buildId }: { readonly childRunId: string | null; readonly buildId: string | null }) {
  if (buildId !== null) return `/builds/${buildId}`
  return childRunId === null ? undefined : `/runs/${childRunId}`
}

function Legend() {
  return (
    <ul class="timeline-legend">
      {(['QUEUE', 'WORK', 'PEOPLE'] as const).map((type) => (
        <li key={type} data-segment={type}>
          {texts.segments[type]}
        </li>
      ))}
    </ul>
  )
}

interface TimelineRowProps {
  readonly bar: Bar
  readonly span: ReturnType<typeof measureSpan>
}

function TimelineRow({ bar: { title, status, href, segments }, span }: TimelineRowProps) {
  const percent = (ms: number) => `${(100 * ms) / span.ms}%`
  return (
    <li>
      <span class="item-name">{href === undefined ? title : <a href={href}>{title}</a>}</span>
      <StatusBadge status={status} />
      <span class="track" aria-hidden="true">
        {segments.map(({ type, from, to }) => (
          <span
            key={from}
            data-segment={type}
            title={`${texts.segments[type]}: ${formatDuration(to - from)}`}
            style={{ left: percent(from - span.from), width: percent(to - from) }}
          />
        ))}
      </span>
      <span class="hint">
        {segments.map(({ type, from, to }) => `${texts.segments[type]} ${formatDuration(to - from)}`).join(', ')}
      </span>
    </li>
  )
}
