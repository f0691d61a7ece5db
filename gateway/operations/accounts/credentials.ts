/**
 * Revokes sessions and API keys before they expire. The notification devices that a session registered are removed with it.
 * (The session is also checked before each notification.)
 */

import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { vouches } from '../../auth/identities.ts'
import type { Envelope } from '../../messages.ts'
import type { TypedViews } from '../typedViews.ts'
import { ask, type Caller } from './ask.ts'
import type { AuthServices } from './services.ts'

const pageSize = 1_000
/** The number of messages in flight at once. */
const atOnce = 64

/** The valid sessions of a user, the newest first. */
export async function liveSessions(
  userId: string,
  { options }: AuthServices,
): Promise<readonly TypedRow<'authSession'>[]> {
  const { views, secrets, clock } = options
  const rows = await held('authSession', userId, views)
  // A row can be active although its session is invalid: its timer is late, or its secret is no longer accepted.
  return rows.filter((row) => vouches(row, '', { secrets, now: () => clock.now() })).reverse()
}

/** Revokes all sessions of a user, except the session `but`. */
export async function endSessions(caller: Caller, userId: string, but?: string): Promise<void> {
  const rows = await held('authSession', userId, caller.services.options.views)
  await each(rows, async ({ id }) => (id === but ? undefined : await revoke(caller, id)))
  await endDevices(caller, userId, (sessionId) => sessionId !== but)
}

export async function endSession(caller: Caller, id: string): Promise<void> {
  await revoke(caller, id)
  const row = await caller.services.options.views.get('authSession', id)
  await endDevicesOf(caller, { userId: row?.columns.scopeId, sessionId: id })
}

/** Removes the devices that a session registered, after the session has ended. */
export async function endDevicesOf(
  caller: Caller,
  { userId, sessionId: id }: { readonly userId: string | undefined; readonly sessionId: string },
): Promise<void> {
  if (userId !== undefined) await endDevices(caller, userId, (sessionId) => sessionId === id)
}

async function endDevices(caller: Caller, userId: string, isOver: (sessionId: string) => boolean): Promise<void> {
  const rows = await held('notificationDevice', userId, caller.services.options.views)
  await each(rows, async ({ id, context }) => {
    const { sessionId } = context
    if (!isOver(sessionId)) return
    await end(caller, { to: { kind: 'notificationDevice', id }, event: { type: 'sessionOver', sessionId } })
  })
}

async function revoke(caller: Caller, id: string): Promise<void> {
  await end(caller, { to: { kind: 'authSession', id }, event: { type: 'revoke' } })
}

/** Permanently revokes all sessions and API keys of a user, and removes the devices. */
export async function endCredentials(caller: Caller, userId: string): Promise<void> {
  const { views } = caller.services.options
  const keys = await held('apiKey', userId, views)
  await each(keys, ({ id }) => end(caller, { to: { kind: 'apiKey', id }, event: { type: 'delete' } }))
  const devices = await held('notificationDevice', userId, views)
  await each(devices, ({ id }) => end(caller, { to: { kind: 'notificationDevice', id }, event: { type: 'remove' } }))
  await endSessions(caller, userId)
}

async function held<K extends 'authSession' | 'apiKey' | 'notificationDevice'>(
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

async function each<R>(rows: readonly R[], task: (row: R) => Promise<void>): Promise<void> {
  for (let at = 0; at < rows.length; at += atOnce) await Promise.all(rows.slice(at, at + atOnce).map(task))
}

/** Ignores a refusal: an actor that has ended meanwhile has the requested state. */
async function end(caller: Caller, envelope: Envelope): Promise<void> {
  await ask(caller, envelope).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'FAILED_PRECONDITION') throw error
  })
}
