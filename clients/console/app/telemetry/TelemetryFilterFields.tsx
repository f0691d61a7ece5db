/** The filters of telemetry. All but the text and the severity are folded. */
import { format, messages } from '../messages.ts'
import { FilterChoice } from '../parts/lists/FilterChoice.tsx'
import { InstantFilter } from '../parts/lists/InstantFilter.tsx'
import { PausedInput } from '../parts/lists/PausedInput.tsx'
import { severities, type TelemetryFilters } from './telemetryFilters.ts'

const texts = messages.telemetry.filters

export function TelemetryFilterFields({ kind, filter }: TelemetryFilters) {
  const { text, severityMin, sessionId, eventName, traceId, from, to } = filter
  const isUnfolded = [sessionId, eventName, traceId, from, to].some((value) => value !== null)
  return (
    <search class="filters">
      <FilterChoice
        name="kind"
        label={texts.kind}
        value={kind === 'ANALYTICS_EVENT' ? 'events' : ''}
        choices={[
          ['', messages.telemetry.kinds.CONSOLE_LOG],
          ['events', messages.telemetry.kinds.ANALYTICS_EVENT],
        ]}
      />
      <PausedInput name="q" label={texts.text} value={text ?? ''} maxLength={200} />
      {kind === 'CONSOLE_LOG' && (
        <FilterChoice
          name="severity"
          label={texts.severity}
          value={severityMin === null ? '' : String(severityMin)}
          choices={[['', texts.anySeverity], ...listSeverities(severityMin)]}
        />
      )}
      <details class="more-filters" open={isUnfolded}>
        <summary>{texts.more}</summary>
        <div class="filters">
          <PausedInput name="session" label={texts.session} value={sessionId ?? ''} maxLength={256} />
          <PausedInput name="event" label={texts.event} value={eventName ?? ''} maxLength={256} />
          <PausedInput name="trace" label={texts.trace} value={traceId ?? ''} maxLength={32} />
          <InstantFilter name="from" label={texts.from} at={from} />
          <InstantFilter name="to" label={texts.to} at={to} />
        </div>
      </details>
    </search>
  )
}

/** A saved query may have a number between the usual ones. */
function listSeverities(chosen: number | null): [value: string, label: string][] {
  const usual = Object.entries(severities).map(([name, number]) => [number, name] as const)
  const isUsual = chosen === null || usual.some(([number]) => number === chosen)
  const all = isUsual ? usual : [...usual, [chosen, String(chosen)] as const]
  return all.map(([number, name]) => [String(number), format(texts.atLeast, { severity: name })])
}
