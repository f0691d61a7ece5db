/** The console logs and analytics events that apps and pages have sent: filtered, saved as queries, and exported. */
import { InsightsTabs } from '../insights/InsightsTabs.tsx'
import { format, locale, messages } from '../messages.ts'
import { ActionButton } from '../parts/forms/ActionButton.tsx'
import { useDocumentTitle } from '../parts/useDocumentTitle.ts'
import { useFilters } from '../router.ts'
import { useDialog } from '../state/dialogStore.ts'
import { ExportDialog } from './ExportDialog.tsx'
import { SavedQueries } from './SavedQueries.tsx'
import { TelemetryFilterFields } from './TelemetryFilterFields.tsx'
import { TelemetryRecords } from './TelemetryRecords.tsx'
import { parseTelemetryFilters } from './telemetryFilters.ts'

const texts = messages.telemetry
const listFormat = new Intl.ListFormat(locale)

export function TelemetryPage() {
  useDocumentTitle([texts.title])
  const filters = parseTelemetryFilters(useFilters())
  const { kind, filter, unknown } = filters
  const { dialog, open, close } = useDialog<'export'>()
  return (
    <section class="telemetry-page">
      <div class="heading-row">
        <h1>{texts.title}</h1>
        <SavedQueries {...filters} />
        <ActionButton onClick={() => open('export')}>{texts.exporting.open}</ActionButton>
      </div>
      <InsightsTabs current="/telemetry" />
      <TelemetryFilterFields {...filters} />
      {unknown.length > 0 && (
        <p class="note" role="status">
          {format(texts.filters.unknown, { names: listFormat.format(unknown) })}
        </p>
      )}
      <TelemetryRecords key={JSON.stringify([kind, filter])} kind={kind} filter={filter} />
      {dialog === 'export' && <ExportDialog kind={kind} filter={filter} onClose={close} />}
    </section>
  )
}
