/** Stored records, newest first. Older ones are loaded at the end of the list. */
import { usePagedList } from '../data/usePagedList.ts'
import { useQuery } from '../data/useQuery.ts'
import { format, messages } from '../messages.ts'
import { CopyableText } from '../parts/CopyableText.tsx'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { EmptyState } from '../parts/notices/EmptyState.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'
import { setFilters } from '../router.ts'
import { TelemetryRecordItem } from './TelemetryRecordItem.tsx'
import { settingsQuery } from './TelemetrySettings.tsx'
import { filterNames, isFiltered, type TelemetryFilter, type TelemetryKind } from './telemetryFilters.ts'
import { recordsQuery } from './telemetryRecord.ts'

const texts = messages.telemetry

interface TelemetryRecordsProps {
  readonly kind: TelemetryKind
  readonly filter: TelemetryFilter
}

export function TelemetryRecords({ kind, filter }: TelemetryRecordsProps) {
  const { items, error, hasMore, loadMore, refresh } = usePagedList(
    recordsQuery,
    'telemetryRecords',
    { kind, filter },
    ({ cursor }) => cursor,
  )
  if (items === undefined) return error ? <ErrorMessage error={error} retriesAutomatically /> : <Loading />
  return (
    <>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      <div class="heading-row">
        <p class="note" role="status">
          {format(hasMore ? texts.shownOfMore : texts.shown, { count: items.length })}
        </p>
        <ActionButton onClick={refresh}>{texts.refresh}</ActionButton>
      </div>
      {items.length === 0 && <NoRecords kind={kind} isFiltered={isFiltered(filter)} />}
      {items.length > 0 && (
        <ol class="telemetry-records">
          {items.map(({ cursor, node }) => (
            <li key={cursor}>
              <TelemetryRecordItem record={node} />
            </li>
          ))}
        </ol>
      )}
      {hasMore && <ActionButton onClick={loadMore}>{messages.parts.loadMore}</ActionButton>}
    </>
  )
}

function NoRecords({ kind, isFiltered }: { readonly kind: TelemetryKind; readonly isFiltered: boolean }) {
  const { data } = useQuery(settingsQuery, {})
  if (isFiltered)
    return (
      <EmptyState title={messages.parts.noMatches}>
        <p>{texts.noMatchesHint}</p>
        <p>
          <button type="button" class="quiet" onClick={clearFilters}>
            {messages.parts.filters.clear}
          </button>
        </p>
      </EmptyState>
    )
  const isStored = data?.telemetrySettings[kind === 'CONSOLE_LOG' ? 'consoleLogs' : 'analyticsEvents'] !== false
  return (
    <EmptyState title={texts.none}>
      {isStored ? (
        <>
          <p>{texts.noneHint}</p>
          <CopyableText what={texts.command} text={getCommand(kind)} />
        </>
      ) : (
        <p>
          {texts.notStored} <a href="/settings/server">{texts.changeSettings}</a>
        </p>
      )}
    </EmptyState>
  )
}

function getCommand(kind: TelemetryKind): string {
  const [path, record] =
    kind === 'CONSOLE_LOG'
      ? ['console-logs', '{"severityText": "INFO", "body": "Hello"}']
      : ['analytics-events', '{"eventName": "opened"}']
  return `curl ${location.origin}/api/telemetry/${path} -H 'content-type: application/json' -d '${record}'`
}

function clearFilters(): void {
  setFilters(Object.fromEntries([...filterNames, 'query'].map((name) => [name, ''])))
}
