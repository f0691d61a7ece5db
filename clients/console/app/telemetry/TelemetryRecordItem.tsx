/** One record: a line that opens into all its fields. */
import { locale, messages } from '../messages.ts'
import { Fact } from '../parts/Fact.tsx'
import { Badge } from '../parts/StatusBadge.tsx'
import type { StatusTone } from '../parts/statusTone.ts'
import { getTelemetryPath, severities } from './telemetryFilters.ts'
import type { TelemetryRecord } from './telemetryRecord.ts'

const texts = messages.telemetry.fields
const timeFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium' })
const exactFormat = new Intl.DateTimeFormat(locale, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
})

export function TelemetryRecordItem({ record }: { readonly record: TelemetryRecord }) {
  const { timestamp, observedTimestamp, severityText, severityNumber, eventName, body, sessionId } = record
  const { attributes, resource, traceId, spanId, recordId } = record
  const severity = severityText ?? severityNumber
  return (
    <details class="telemetry-record">
      <summary>
        <time dateTime={timestamp}>{timeFormat.format(Date.parse(timestamp))}</time>
        {severity !== null && <Badge tone={getSeverityTone(severityNumber)} label={String(severity)} />}
        {eventName !== null && <strong>{eventName}</strong>}
        <span class="telemetry-body">{toLine(body ?? attributes)}</span>
      </summary>
      <dl class="facts">
        <Fact name={texts.timestamp}>{exactFormat.format(Date.parse(timestamp))}</Fact>
        <Fact name={texts.observedTimestamp}>{exactFormat.format(Date.parse(observedTimestamp))}</Fact>
        {eventName !== null && <Fact name={texts.eventName}>{eventName}</Fact>}
        {severityText !== null && <Fact name={texts.severityText}>{severityText}</Fact>}
        {severityNumber !== null && <Fact name={texts.severityNumber}>{severityNumber}</Fact>}
        {sessionId !== null && (
          <Fact name={texts.sessionId}>
            <a href={getTelemetryPath(eventName === null ? 'CONSOLE_LOG' : 'ANALYTICS_EVENT', { sessionId })}>
              {sessionId}
            </a>
          </Fact>
        )}
        {traceId !== null && (
          <Fact name={texts.traceId}>
            <a href={getTelemetryPath(eventName === null ? 'CONSOLE_LOG' : 'ANALYTICS_EVENT', { traceId })}>
              {traceId}
            </a>
          </Fact>
        )}
        {spanId !== null && <Fact name={texts.spanId}>{spanId}</Fact>}
        {recordId !== null && <Fact name={texts.recordId}>{recordId}</Fact>}
        {body !== null && <Value name={texts.body} value={body} />}
        <Value name={texts.attributes} value={attributes} />
        <Value name={texts.resource} value={resource} />
      </dl>
    </details>
  )
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  if (isEmpty) return null
  return (
    <Fact name={name}>
      <pre class="command">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>
    </Fact>
  )
}

/** The line shows the beginning. A body may have 65,536 characters. */
const lineLength = 300

function toLine(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '{}' ? '' : text.slice(0, lineLength)
}

function getSeverityTone(number: number | null): StatusTone {
  if (number === null || number < severities.WARN) return 'idle'
  return number < severities.ERROR ? 'attention' : 'failed'
}
