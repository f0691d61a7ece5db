/** The kinds of telemetry that are stored, and whether crash reports are. A change takes effect in all processes without a restart. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { messages } from '../messages.ts'
import { Switch } from '../parts/forms/Switch.tsx'
import { ErrorMessage } from '../parts/notices/ErrorMessage.tsx'
import { Loading } from '../parts/notices/Loading.tsx'

export const settingsQuery = graphql('{ telemetrySettings { consoleLogs analyticsEvents crashReports } }')
const saveMutation = graphql(`mutation ($input: SaveTelemetrySettingsInput!) { saveTelemetrySettings(input: $input) {
  telemetrySettings { consoleLogs }
} }`)

const texts = messages.telemetry.settings

const kinds = [
  ['consoleLogs', texts.consoleLogs, texts.consoleLogsHint],
  ['analyticsEvents', texts.analyticsEvents, texts.analyticsEventsHint],
  ['crashReports', texts.crashReports, texts.crashReportsHint],
] as const

export function TelemetrySettings() {
  const { data, error, refresh } = useQuery(settingsQuery, {})
  useOnTransition('TELEMETRY_SETTINGS', refresh)
  const collected = data?.telemetrySettings
  return (
    <section class="group" aria-labelledby="telemetry">
      <h2 id="telemetry">{messages.telemetry.title}</h2>
      <p class="note">
        {texts.note} <a href="/telemetry">{texts.openRecords}</a>
      </p>
      {error && <ErrorMessage error={error} retriesAutomatically />}
      {collected === undefined && !error && <Loading />}
      {collected &&
        kinds.map(([kind, label, hint]) => (
          <Switch
            key={kind}
            label={label}
            isOn={collected[kind]}
            hint={hint}
            onToggle={async (isOn) => {
              await requestGraphql(saveMutation, { input: { [kind]: isOn } })
              refresh()
            }}
          />
        ))}
    </section>
  )
}
