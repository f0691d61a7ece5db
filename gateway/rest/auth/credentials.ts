/** What a user is signed in with: sessions and API keys, and how they end before their time. */
import type { ActorRow } from '../../../spec/actor.ts'
import { Failure } from '../../../spec/failure.ts'
import type { Envelope } from '../../../spec/operation.ts'
import type { Views } from '../../../spec/views.ts'
import { vouches } from '../../identities.ts'
import { ask, type Caller } from './ask.ts'
import type { AuthServices } from './services.ts'

const pageSize = 1_000
/** Messages under way at once. */
const atOnce = 64

/** Those that somebody could use now, the newest first. */
export async function liveSessions(userId: string, { options }: AuthServices): Promise<readonly ActorRow[]> {
  const { views, secrets, clock } = options
  const rows = await held('authSession', userId, views)
  // A timer may be late, and a session of a secret that is no longer accepted is none.
  return rows.filter((row) => vouches(row, '', { secrets, now: () => clock.now() })).reverse()
}

/** Ends all sessions of a user but one. */
export async function endSessions(caller: Caller, userId: string, but?: string): Promise<void> {
  const rows = await held('authSession', userId, caller.services.options.views)
  await each(rows, async ({ id }) => (id === but ? undefined : await endSession(caller, id)))
}

export async function endSession(caller: Caller, id: string): Promise<void> {
  await end(caller, { to: { kind: 'authSession', id }, event: { type: 'revoke' } })
}

/** Ends all that a user is signed in with, for good. */
export async function endCredentials(caller: Caller, userId: string): Promise<void> {
  const keys = await held('apiKey', userId, caller.services.options.views)
  await each(keys, ({ id }) => end(caller, { to: { kind: 'apiKey', id }, event: { type: 'delete' } }))
  await endSessions(caller, userId)
}

async function held(kind: 'authSession' | 'apiKey', scopeId: string, views: Views): Promise<readonly ActorRow[]> {
  const rows: ActorRow[] = []
  for (;;) {
    const last = rows.at(-1)
    const after = last ? { after: { id: last.id } } : {}
    const page = await views.list({ kind, where: { scopeId }, terminal: false, limit: pageSize, ...after })
    rows.push(...page)
    if (page.length < pageSize) return rows
  }
}

async function each(rows: readonly ActorRow[], task: (row: ActorRow) => Promise<void>): Promise<void> {
  for (let at = 0; at < rows.length; at += atOnce) await Promise.all(rows.slice(at, at + atOnce).map(task))
}

/** What has ended by itself meanwhile takes no message, and is what was asked for. */
async function end(caller: Caller, envelope: Envelope): Promise<void> {
  await ask(caller, envelope).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'FAILED_PRECONDITION') throw error
  })
}
