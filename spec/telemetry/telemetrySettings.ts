/** Whether telemetry is collected, for people to see and to change. */
import * as v from 'valibot'
import { mutation, query } from '../core/operation.ts'
import { expectedRevision, revision } from '../core/revision.ts'
import { named } from '../core/types.ts'

export const settings = named(
  'TelemetrySettings',
  'The settings of the collection of telemetry. Records of a kind that is not collected are checked, but not stored.',
  v.object({ consoleLogs: v.boolean(), analyticsEvents: v.boolean(), revision }),
)

export const telemetrySettings = query({
  name: 'telemetrySettings',
  description: 'Returns the settings of the collection of telemetry.',
  access: 'people',
  tool: { group: 'telemetry', name: 'get_telemetry_settings', title: 'Get the telemetry settings' },
  input: undefined,
  output: settings,
})

export const saveTelemetrySettings = mutation({
  name: 'saveTelemetrySettings',
  description:
    'Changes the settings of the collection of telemetry, in every process within a second. Omitted fields do not change.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Save the telemetry settings', idempotent: true },
  input: v.object({ consoleLogs: v.nullish(v.boolean()), analyticsEvents: v.nullish(v.boolean()), expectedRevision }),
  output: named(
    'SaveTelemetrySettingsPayload',
    'The settings after the change.',
    v.object({ telemetrySettings: settings }),
  ),
})
