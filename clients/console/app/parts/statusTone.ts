/** The tone of a status determines its color. */

export type StatusTone = 'active' | 'waiting' | 'failed' | 'ended'

const tones: Readonly<Record<string, StatusTone>> = {
  RUNNING: 'active',
  CONNECTED: 'active',
  SUCCEEDED: 'ended',
  PRESENT: 'active',
  ACTIVE: 'active',
  OPEN: 'active',
  REACHABLE: 'active',
  COMPLETED: 'ended',
  FINISHED: 'ended',
  REMOVED: 'ended',
  DELETED: 'ended',
  ARCHIVED: 'ended',
  CANCELED: 'ended',
  SKIPPED: 'ended',
  FAILED: 'failed',
  LOST: 'failed',
  TIMED_OUT: 'failed',
  INCIDENT: 'failed',
  REVOKED: 'ended',
  ERROR: 'failed',
  UNREACHABLE: 'failed',
  DEAD: 'failed',
  REFUSED: 'failed',
  REJECTED: 'failed',
  SUCCESS: 'ended',
  TOOL_ERROR: 'failed',
  PROTOCOL_ERROR: 'failed',
  TRANSPORT_ERROR: 'failed',
  DISABLED: 'ended',
}

export function getStatusTone(status: string): StatusTone {
  return tones[status] ?? 'waiting'
}

/** Returns the tone of a chart's state. In the region of incidents, an open one is a failure. */
export function getStateTone(path: string): StatusTone {
  return path === 'incident.OPEN' ? 'failed' : getStatusTone(path.split('.').at(-1) ?? '')
}
