/** The types of telemetry that are stored. A change takes effect in all processes without a restart. */
import { graphql } from '../data/graphql.ts'
import { requestGraphql } from '../data/request.ts'
import { useOnTransition } from '../data/useOnTransition.ts'
import { useQuery } from '../data/useQuery.ts'
import { Switch } from '../parts/forms/Switch.tsx'
import { ErrorMessage } from '../parts/messages/ErrorMessage.tsx'
import { Loading } from '../parts/messages/Loading.tsx'

const settingsQuery = graphql('{ telemetrySettings { consoleLogs analyticsEvents } }')
const saveMutation = graphql(`mutation ($input: SaveTelemetrySettingsInput!) { saveTelemetrySettings(input: $input) {
  telemetrySettings { consoleLogs }
} }`)

const kinds = [
  ['consoleLogs', 'Store console logs', 'The console output of apps and pages.'],
  ['analyticsEvents', 'Store analytics events', 'The events that apps and pages report: screens, taps, durations.'],
] as const

export function TelemetrySettings() {
  const { data, error, refresh } = useQuery(settingsQuery, {})
  useOnTransition('TELEMETRY_SETTINGS', refresh)
  const collected = data?.telemetrySettings
  return (
    <section class="group" aria-labelledby="telemetry">
      <h2 id="telemetry">Telemetry</h2>
      <p class="note">While a type is off, incoming data is accepted but discarded. Existing data is kept.</p>
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
