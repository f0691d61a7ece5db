/** Whether telemetry is collected, for people to see and to change. */
import * as v from 'valibot'
import type { ActorRow } from './actor.ts'
import { telemetrySettingsId } from './ids.ts'
import { mutation, query } from './operation.ts'
import { oneMessage } from './replies.ts'
import { contextOf } from './rows.ts'
import type { TelemetryKind } from './telemetry/record.ts'
import { named } from './types.ts'

const settings = named(
  'TelemetrySettings',
  'Which telemetry is collected. What is sent while its kind is not is checked, and not kept.',
  v.object({ consoleLogs: v.boolean(), analyticsEvents: v.boolean() }),
)
type TelemetrySettings = v.InferInput<typeof settings>

/** Both, until somebody has said otherwise. */
export function telemetrySettingsOf(row: ActorRow | undefined): TelemetrySettings {
  if (row === undefined) return { consoleLogs: true, analyticsEvents: true }
  const { consoleLogs, analyticsEvents } = contextOf<TelemetrySettings>(row)
  return { consoleLogs, analyticsEvents }
}

export function collects(kind: TelemetryKind, { consoleLogs, analyticsEvents }: TelemetrySettings): boolean {
  return kind === 'CONSOLE_LOG' ? consoleLogs : analyticsEvents
}

const telemetrySettings = query({
  name: 'telemetrySettings',
  description: 'Which telemetry is collected.',
  access: 'people',
  tool: { group: 'telemetry', name: 'get_telemetry_settings', title: 'Get the telemetry settings' },
  input: undefined,
  output: settings,
  read: async (_input, { views }) => telemetrySettingsOf(await views.get(telemetrySettingsId)),
})

const saveTelemetrySettings = mutation({
  name: 'saveTelemetrySettings',
  description:
    'Changes which telemetry is collected, in every process within a second. What is left out stays as it is.',
  access: 'people',
  tool: { group: 'telemetry', title: 'Save the telemetry settings', idempotent: true },
  input: v.object({ consoleLogs: v.nullish(v.boolean()), analyticsEvents: v.nullish(v.boolean()) }),
  output: named(
    'SaveTelemetrySettingsPayload',
    'The settings after the change.',
    v.object({ telemetrySettings: settings }),
  ),
  translate: ({ consoleLogs, analyticsEvents }) => {
    const event = {
      type: 'save',
      ...(typeof consoleLogs === 'boolean' ? { consoleLogs } : {}),
      ...(typeof analyticsEvents === 'boolean' ? { analyticsEvents } : {}),
    }
    return oneMessage({ to: { kind: 'telemetrySettings', id: telemetrySettingsId }, event }, (row) => ({
      telemetrySettings: telemetrySettingsOf(row),
    }))
  },
})

export const telemetrySettingsOperations = [telemetrySettings, saveTelemetrySettings]
