/** The values of the enums of runs. The console lists them too: this file imports nothing, so its script contains no schemas. */

export const runKinds = ['PLAN', 'SESSION', 'WORKFLOW'] as const

export const terminalRunStatuses = ['SUCCEEDED', 'FAILED', 'CANCELED', 'TIMED_OUT', 'LOST', 'SKIPPED'] as const

export const runStatuses = [
  'QUEUED',
  'ADMITTED',
  'STARTING',
  'RUNNING',
  'WAITING_FOR_INPUT',
  'PAUSED',
  'CANCELING',
  'INCIDENT',
  ...terminalRunStatuses,
] as const
