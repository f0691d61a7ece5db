/** Samples of telemetry. */
import { at } from './common.ts'
import type { AreaSamples } from './kindSamples.ts'

export const telemetry = {
  telemetryQuery: {
    init: {
      name: 'Errors',
      kind: 'CONSOLE_LOG',
      filter: { severityMin: 17 },
      createdBy: 'usr_1',
      createdAt: at,
    },
    events: {
      update: { name: 'Fatal', filter: { severityMin: 21 } },
      'update as it is': { name: 'Errors' },
      'update at revision 9': { name: 'Late', expectedRevision: 9 },
      'update as it is at revision 9': { expectedRevision: 9 },
      'delete at revision 9': { expectedRevision: 9 },
      delete: {},
    },
  },
  telemetrySettings: {
    init: {},
    events: {
      'save logs off': { consoleLogs: false },
      'save as it is': {},
      'save at revision 9': { consoleLogs: true, expectedRevision: 9 },
      save: { consoleLogs: true, analyticsEvents: false, crashReports: true },
    },
  },
} satisfies AreaSamples
