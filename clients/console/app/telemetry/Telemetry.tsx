/** Which telemetry is kept. It can be changed while the server runs, and holds for all its processes. */
import { ask } from '../data/ask.ts'
import { useQuery } from '../data/useQuery.ts'
import { useSteps } from '../data/useSteps.ts'
import { Loading, Refused } from '../parts/Notice.tsx'
import { Switch } from '../parts/Switch.tsx'

interface Kept {
  readonly consoleLogs: boolean
  readonly analyticsEvents: boolean
}

const query = '{ telemetrySettings { consoleLogs analyticsEvents } }'
const mutation = `mutation ($input: SaveTelemetrySettingsInput!) { saveTelemetrySettings(input: $input) {
  telemetrySettings { consoleLogs }
} }`

const kinds = [
  ['consoleLogs', 'Keep console logs', 'What apps and pages write to their consoles.'],
  ['analyticsEvents', 'Keep analytics events', 'What apps and pages count: screens, taps, durations.'],
] as const

export function Telemetry() {
  const { data, refusal, refresh } = useQuery<{ telemetrySettings: Kept }>(query)
  useSteps('TELEMETRY_SETTINGS', refresh)
  const kept = data?.telemetrySettings
  return (
    <section class="group" aria-labelledby="telemetry">
      <h2 id="telemetry">Telemetry</h2>
      <p class="note">What comes in while its kind is off is answered, and not kept. What was kept before stays.</p>
      {refusal && <Refused refusal={refusal} byItself />}
      {kept === undefined && !refusal && <Loading what="what is kept" />}
      {kept &&
        kinds.map(([kind, label, hint]) => (
          <Switch
            key={kind}
            label={label}
            on={kept[kind]}
            hint={hint}
            turn={async (on) => {
              await ask(mutation, { input: { [kind]: on } })
              refresh()
            }}
          />
        ))}
    </section>
  )
}
