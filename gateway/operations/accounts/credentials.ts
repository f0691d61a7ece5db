/**
 * Revokes sessions and API keys before they expire. The notification devices that a session registered are removed with it.
 * (The session is also checked before each notification.)
 */

import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { isValidCredential } from '../../auth/identities.ts'
import type { Envelope } from '../../messages.ts'
import type { TypedViews } from '../typedViews.ts'
import { ask, type Caller } from './ask.ts'
import type { AuthServices } from './services.ts'

const pageSize = 1_000
/** The number of messages in flight at once. */
const maxInFlight = 64

/** The valid sessions of a user, the newest first. */
export async function loadValidSessions(
  userId: string,
  { options }: AuthServices,
): Promise<readonly TypedRow<'authSession'>[]> {
  const { views, secrets, clock } = options
  const rows = await loadActive('authSession', userId, views)
  // A row can be active although its session is invalid: its timer is late, or its secret is no longer accepted.
  return rows.filter((row) => isValidCredential(row, '', { secrets, now: () => clock.now() })).reverse()
}

/** Revokes all sessions of a user, except the session `exceptId`. */
export async function endSessions(caller: Caller, userId: string, exceptId?: string): Promise<void> {
  const rows = await loadActive('authSession', userId, caller.services.options.views)
  await forEachConcurrently(rows, async ({ id }) => (id === exceptId ? undefined : await revoke(caller, id)))
  await removeDevices(caller, userId, (sessionId) => sessionId !== exceptId)
}

export async function endSession(caller: Caller, id: string): Promise<void> {
  await revoke(caller, id)
  const row = await caller.services.options.views.get('authSession', id)
  await removeSessionDevices(caller, { userId: row?.columns.scopeId, sessionId: id })
}

/** Removes the devices that a session registered, after the session has ended. */
export async function removeSessionDevices(
  caller: Caller,
  { userId, sessionId: id }: { readonly userId: string | undefined; readonly sessionId: string },
): Promise<void> {
  if (userId !== undefined) await removeDevices(caller, userId, (sessionId) => sessionId === id)
}

async function removeDevices(caller: Caller, userId: string, hasEnded: (sessionId: string) => boolean): Promise<void> {
  const rows = await loadActive('notificationDevice', userId, caller.services.options.views)
  await forEachConcurrently(rows, async ({ id, context }) => {
    const { sessionId } = context
    if (!hasEnded(sessionId)) return
    await askOrIgnoreRefusal(caller, {
      to: { kind: 'notificationDevice', id },
      event: { type: 'sessionOver', sessionId },
    })
  })
}

async function revoke(caller: Caller, id: string): Promise<void> {
  await askOrIgnoreRefusal(caller, { to: { kind: 'authSession', id }, event: { type: 'revoke' } })
}

/** Permanently revokes all sessions and API keys of a user, and removes the devices. */
export async function revokeCredentials(caller: Caller, userId: string): Promise<void> {
  const { views } = caller.services.options
  const keys = await loadActive('apiKey', userId, views)
  await forEachConcurrently(keys, ({ id }) =>
    askOrIgnoreRefusal(caller, { to: { kind: 'apiKey', id }, event: { type: 'delete' } }),
  )
  const devices = await loadActive('notificationDevice', userId, views)
  await forEachConcurrently(devices, ({ id }) =>
    askOrIgnoreRefusal(caller, { to: { kind: 'notificationDevice', id }, event: { type: 'remove' } }),
  )
  await endSessions(caller, userId)
}

async function loadActive<K extends 'authSession' | 'apiKey' | 'notificationDevice'>(
  kind: K,
  scopeId: string,
  views: TypedViews,
): Promise<readonly TypedRow<K>[]> {
  const rows: TypedRow<K>[] = []
  for (;;) {
    const last = rows.at(-1)
    const after = last ? { after: { id: last.id } } : {}
    const page = await views.list({ kind, where: { scopeId }, terminal: false, limit: pageSize, ...after })
    rows.push(...page)
    if (page.length < pageSize) return rows
  }
}

async function forEachConcurrently<R>(rows: readonly R[], task: (row: R) => Promise<void>): Promise<void> {
  for (let at = 0; at < rows.length; at += maxInFlight) await Promise.all(rows.slice(at, at + maxInFlight).map(task))
}

/** Ignores a refusal: an actor that has ended meanwhile has the requested state. */
async function askOrIgnoreRefusal(caller: Caller, envelope: Envelope): Promise<void> {
  await ask(caller, envelope).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'FAILED_PRECONDITION') throw error
  })
}
