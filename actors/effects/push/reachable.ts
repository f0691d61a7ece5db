/** Finds the devices that may receive notifications: their user is enabled, and the session that last registered them is still valid. */

import { isRowOfKind, type TypedRow, type TypedRows } from '../../../machines/rows.ts'
import { isValidSession, type SessionRules } from '../../../spec/accounts/validSession.ts'
import type { Views } from '../../../storage/ports/views.ts'

type Device = TypedRow<'notificationDevice'>

export interface DeviceReach {
  readonly reachable: readonly Device[]
  /** Devices whose session has ended, or whose user cannot sign in any more. The caller sends their actors `sessionOver`. */
  readonly ended: readonly Device[]
}

export async function findReachable(
  devices: readonly Device[],
  views: Views<TypedRows>,
  rules: SessionRules,
): Promise<DeviceReach> {
  const active = devices.filter(({ columns }) => columns.status === 'ACTIVE')
  const rows = await views.findMany([
    ...new Set(active.flatMap((device) => [device.context.userId, device.context.sessionId])),
  ])
  const reachable: Device[] = []
  const ended: Device[] = []
  for (const device of active) {
    const { userId, sessionId } = device.context
    const [user, session] = [rows.get(userId), rows.get(sessionId)]
    const enabled = user !== undefined && isRowOfKind('user', user) && user.columns.status === 'ACTIVE'
    if (enabled && session && isRowOfKind('authSession', session) && isValidSession(session, rules))
      reachable.push(device)
    else if (!enabled || session?.columns.terminal !== false) ended.push(device)
  }
  return { reachable, ended }
}
