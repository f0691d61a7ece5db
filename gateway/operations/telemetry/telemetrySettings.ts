import type * as v from 'valibot'
import type { TypedRow } from '../../../machines/rows.ts'
import { telemetrySettingsId } from '../../../spec/core/ids.ts'
import { expecting } from '../../../spec/core/revision.ts'
import type { TelemetryKind } from '../../../spec/telemetry/record.ts'
import { saveTelemetrySettings, type settings, telemetrySettings } from '../../../spec/telemetry/telemetrySettings.ts'
import { oneMessage } from '../core/replies.ts'
import { handle } from '../handler.ts'

type TelemetrySettings = v.InferInput<typeof settings>

/** The default, until the settings are saved: both kinds are collected. */
export function readTelemetrySettings(row: TypedRow<'telemetrySettings'> | undefined): TelemetrySettings {
  if (row === undefined) return { consoleLogs: true, analyticsEvents: true, revision: 1 }
  const { consoleLogs, analyticsEvents, revision } = row.context
  return { consoleLogs, analyticsEvents, revision }
}

export function isCollected(kind: TelemetryKind, { consoleLogs, analyticsEvents }: TelemetrySettings): boolean {
  return kind === 'CONSOLE_LOG' ? consoleLogs : analyticsEvents
}

export const telemetrySettingsHandlers = [
  handle(telemetrySettings, ['views'], {
    read: async (_input, { views }) => readTelemetrySettings(await views.get('telemetrySettings', telemetrySettingsId)),
  }),
  handle(saveTelemetrySettings, [], {
    translate: ({ consoleLogs, analyticsEvents, expectedRevision }) => {
      const event = {
        type: 'save',
        ...expecting(expectedRevision),
        ...(typeof consoleLogs === 'boolean' ? { consoleLogs } : {}),
        ...(typeof analyticsEvents === 'boolean' ? { analyticsEvents } : {}),
      }
      return oneMessage({ to: { kind: 'telemetrySettings', id: telemetrySettingsId }, event }, (row) => ({
        telemetrySettings: readTelemetrySettings(row),
      }))
    },
  }),
]
