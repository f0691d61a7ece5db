/** A status with the aspect of a signal: what goes on, what waits, what has stopped, what is over. */
import { nameWords } from './nameWords.ts'

const aspects: Readonly<Record<string, string>> = {
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
  SUCCESS: 'over',
  TOOL_ERROR: 'stop',
  PROTOCOL_ERROR: 'stop',
  TRANSPORT_ERROR: 'stop',
  DISABLED: 'over',
}

export function Lamp({ status }: { readonly status: string }) {
  return (
    <span class="lamp" data-aspect={aspects[status] ?? 'caution'}>
      {nameWords(status)}
    </span>
  )
}
