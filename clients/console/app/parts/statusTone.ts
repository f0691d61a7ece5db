/** The tone of a status determines its color and its shape. */

export type StatusTone =
  /** Green: it succeeded, or it is healthy. */
  | 'good'
  /** Blue: it works. */
  | 'working'
  /** Amber: it waits for a person. */
  | 'attention'
  /** Red: it failed. */
  | 'failed'
  /** Grey: it has ended, it is idle, or it is queued. */
  | 'idle'

const statusesByTone = {
  good: [
    'SUCCEEDED',
    'SUCCESS',
    'COMPLETED',
    'CONNECTED',
    'PRESENT',
    'ACTIVE',
    'REACHABLE',
    'ENROLLED',
    'AVAILABLE',
    'SYMBOLICATED',
    'ENABLED',
    'SIGNED_IN',
    'INDEXED',
    'RESOLVED',
  ],
  working: [
    'ADMITTED',
    'STARTING',
    'RUNNING',
    'CANCELING',
    'IN_PROGRESS',
    'CREATING',
    'REMOVING',
    'RECEIVING',
    'CLOSING',
    'DRAINING',
    'OFFERED',
    'UPLOADING',
    'DOWNLOADING',
    'TRANSFERRING',
    'INSTALLING',
    'VERIFYING',
    'INDEXING',
  ],
  attention: [
    'WAITING_FOR_INPUT',
    'WAITING_FOR_APPROVAL',
    'WAITING_FOR_SECRET',
    'WAITING_FOR_SYMBOLS',
    'READY',
    'PAUSED',
    'DISCONNECTED',
    'DEGRADED',
    'SIGNED_OUT',
    'OVERDUE',
    'NEW',
    'REGRESSED',
  ],
  failed: [
    'FAILED',
    'SPIKING',
    'LOST',
    'TIMED_OUT',
    'INCIDENT',
    'ERROR',
    'MISSING',
    'UNREACHABLE',
    'DEAD',
    'REFUSED',
    'REJECTED',
    'TOOL_ERROR',
    'PROTOCOL_ERROR',
    'TRANSPORT_ERROR',
    'QUARANTINED',
    'EFFECT_FAILED',
    'UNWATCHED',
  ],
} as const satisfies Partial<Record<StatusTone, readonly string[]>>

const tones: ReadonlyMap<string, StatusTone> = new Map(
  Object.entries(statusesByTone).flatMap(([tone, statuses]) =>
    statuses.map((status): [string, StatusTone] => [status, tone as StatusTone]),
  ),
)

/** A status without a tone asks for no attention. */
export function getStatusTone(status: string): StatusTone {
  return tones.get(status) ?? 'idle'
}

/** Returns the tone of a chart's state. In the region of incidents, an open one is a failure. */
export function getStateTone(path: string): StatusTone {
  return path === 'incident.OPEN' ? 'failed' : getStatusTone(path.split('.').at(-1) ?? '')
}
