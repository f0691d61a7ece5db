/** Which devices may be told: their user is enabled, and the session that registered them last is still one. */

import { isValidSession, type SessionRules } from '../../../spec/accounts/validSession.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import type { Views } from '../../../storage/ports/views.ts'

export interface Reach {
  readonly told: readonly ActorRow[]
  /** Those whose session or user has ended for good: they are told so. */
  readonly over: readonly ActorRow[]
}

export async function reachOf(devices: readonly ActorRow[], views: Views, rules: SessionRules): Promise<Reach> {
  const active = devices.filter(({ columns }) => columns.status === 'ACTIVE')
  const rows = await views.getMany([...new Set(active.flatMap((device) => Object.values(ownersOf(device))))])
  const told: ActorRow[] = []
  const over: ActorRow[] = []
  for (const device of active) {
    const { userId, sessionId } = ownersOf(device)
    const [user, session] = [rows.get(userId), rows.get(sessionId)]
    const enabled = user?.kind === 'user' && user.columns.status === 'ACTIVE'
    if (enabled && session?.kind === 'authSession' && isValidSession(session, rules)) told.push(device)
    else if (!enabled || session?.columns.terminal !== false) over.push(device)
  }
  return { told, over }
}

function ownersOf({ context }: ActorRow): { readonly userId: string; readonly sessionId: string } {
  return { userId: String(context.userId), sessionId: String(context.sessionId) }
}
