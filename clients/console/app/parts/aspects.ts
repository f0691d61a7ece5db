/** The color of a status: in progress, waiting, failed, or over. */

export type Aspect = 'clear' | 'caution' | 'stop' | 'over'

const aspects: Readonly<Record<string, Aspect>> = {
  RUNNING: 'clear',
  CONNECTED: 'clear',
  SUCCEEDED: 'over',
  PRESENT: 'clear',
  ACTIVE: 'clear',
  OPEN: 'clear',
  REACHABLE: 'clear',
  COMPLETED: 'over',
  FINISHED: 'over',
  REMOVED: 'over',
  DELETED: 'over',
  ARCHIVED: 'over',
  CANCELED: 'over',
  SKIPPED: 'over',
  FAILED: 'stop',
  LOST: 'stop',
  TIMED_OUT: 'stop',
  INCIDENT: 'stop',
  REVOKED: 'over',
  ERROR: 'stop',
  UNREACHABLE: 'stop',
  DEAD: 'stop',
  REFUSED: 'stop',
  REJECTED: 'stop',
  SUCCESS: 'over',
  TOOL_ERROR: 'stop',
  PROTOCOL_ERROR: 'stop',
  TRANSPORT_ERROR: 'stop',
  DISABLED: 'over',
}

export function aspectOf(status: string): Aspect {
  return aspects[status] ?? 'caution'
}

/** The color of a chart's state, by its path. In the region of incidents, an open one is a failure. */
export function aspectOfState(path: string): Aspect {
  return path === 'incident.OPEN' ? 'stop' : aspectOf(path.split('.').at(-1) ?? '')
}
