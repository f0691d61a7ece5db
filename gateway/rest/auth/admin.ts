/** Everybody's accounts, for any signed-in user: all have the same access. In the shapes of Better Auth's admin plugin. */
import * as v from 'valibot'
import type { ActorEvent, ActorRow } from '../../../spec/actor.ts'
import { Failure } from '../../../spec/failure.ts'
import { registrationId } from '../../../spec/ids.ts'
import { idOf, text } from '../../../spec/types.ts'
import type { Views } from '../../../spec/views.ts'
import { json } from '../../answer.ts'
import { clearedCookies } from '../../cookies.ts'
import type { Answer } from '../../route.ts'
import { checked } from '../input.ts'
import { adminUserBody, fieldOf } from './account.ts'
import { untilRow } from './appearance.ts'
import { ask } from './ask.ts'
import { noPassword, setPassword } from './changePassword.ts'
import { endCredentials, endSessions } from './credentials.ts'
import { passwordsAllowed } from './modes.ts'
import { newAccount } from './newAccount.ts'
import { newPassword } from './newPassword.ts'
import { type AuthCall, authOperation } from './operation.ts'
import { signedIn } from './signedIn.ts'
import { accountFields } from './signUp.ts'
import { usersPage } from './usersPage.ts'

const userId = idOf('user')
// What is not kept is refused by name: a ban that was to end by itself must not be taken for one that does.
const ofUser = v.strictObject({ userId })

/** Up to 100 at a time. Searching and sorting are not offered, and so refused rather than passed over. */
const listQuery = v.strictObject({
  limit: v.optional(whole(1, 100), '100'),
  offset: v.optional(whole(0, 1_000_000), '0'),
})

function whole(least: number, most: number) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,7}$/, 'must be a whole number'),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )
}

export const adminOperations = [
  authOperation({
    method: 'GET',
    path: '/api/auth/admin/list-users',
    description: 'The accounts, in the order of their making.',
    access: 'session',
    body: undefined,
    handle: async ({ request, services }) => {
      const query = checked(listQuery, Object.fromEntries(new URLSearchParams(request.query)))
      const { rows, total } = await usersPage(services.options.views, query)
      return json(200, { users: rows.map(adminUserBody), total, ...query })
    },
  }),
  authOperation({
    method: 'POST',
    path: '/api/auth/admin/create-user',
    description: 'Makes an account, whether registration is open or not.',
    access: 'session',
    body: v.strictObject({
      ...accountFields,
      role: v.optional(v.literal('admin', 'must be "admin": all accounts have the same access')),
    }),
    handle: async (call) => {
      passwordsAllowed(call.services.options.settings)
      return json(200, { user: adminUserBody(await newAccount(call)) })
    },
  }),
  authOperation({
    method: 'POST',
    path: '/api/auth/admin/ban-user',
    description: 'Disables an account and ends its sessions and keys; never the last one that is enabled.',
    access: 'session',
    body: v.strictObject({ userId, banReason: v.optional(text({ max: 1_000 })) }),
    handle: async (call) => {
      const { userId: id, banReason } = call.input
      const reason = banReason === undefined ? {} : { reason: banReason }
      const row = await decided(call, { type: 'disableUser', userId: id, ...reason }, 'DISABLED')
      await endCredentials(call, id)
      return about(call, id, { user: adminUserBody(row) })
    },
  }),
  authOperation({
    method: 'POST',
    path: '/api/auth/admin/unban-user',
    description: 'Enables an account again; who it belongs to signs in anew.',
    access: 'session',
    body: ofUser,
    handle: async (call) => {
      const { userId: id } = call.input
      const known = await user(id, call.services.options.views)
      // Where the server was stopped between disabling the account and ending what it had, that would come to life again.
      if (known.columns.status === 'DISABLED') await endCredentials(call, id)
      return json(200, { user: adminUserBody(await decided(call, { type: 'enableUser', userId: id }, 'ACTIVE')) })
    },
  }),
  authOperation({
    method: 'POST',
    path: '/api/auth/admin/remove-user',
    description: 'Removes an account for good; never the last one that is enabled.',
    access: 'session',
    body: ofUser,
    handle: async (call) => {
      const { userId: id } = call.input
      await decided(call, { type: 'removeUser', userId: id }, 'REMOVED')
      await endCredentials(call, id)
      return about(call, id, { success: true })
    },
  }),
  authOperation({
    method: 'POST',
    path: '/api/auth/admin/set-user-password',
    description: "Sets another user's password, where it is forgotten, and ends that user's sessions.",
    access: 'session',
    body: v.strictObject({ userId, newPassword }),
    handle: async (call) => {
      const { options } = call.services
      passwordsAllowed(options.settings)
      const { userId: id, newPassword: password } = call.input
      if (id === signedIn(call.principal).userId)
        throw new Failure('FAILED_PRECONDITION', 'Change your own password with /api/auth/change-password.')
      if (fieldOf(await user(id, options.views), 'passwordHash') === undefined) throw noPassword()
      await setPassword(call, id, password)
      await endSessions(call, id)
      return json(200, { status: true })
    },
  }),
  authOperation({
    method: 'POST',
    path: '/api/auth/admin/revoke-user-sessions',
    description: 'Ends all sessions of a user.',
    access: 'session',
    body: ofUser,
    handle: async (call) => {
      const { userId: id } = call.input
      await user(id, call.services.options.views)
      await endSessions(call, id)
      return about(call, id, { success: true })
    },
  }),
]

async function user(id: string, views: Views): Promise<ActorRow> {
  const row = await views.get(id)
  if (!row || row.columns.terminal) throw new Failure('NOT_FOUND', `There is no user ${id}.`)
  return row
}

/** `registration` decides, and tells the user: the answer waits until that has happened. */
async function decided(
  call: AuthCall<{ readonly userId: string }>,
  event: ActorEvent,
  status: 'ACTIVE' | 'DISABLED' | 'REMOVED',
): Promise<ActorRow> {
  await ask(call, { to: { kind: 'registration', id: registrationId }, event })
  const row = await untilRow(call.input.userId, ({ columns }) => columns.status === status, call.services.options)
  if (row) return row
  throw new Failure('UNAVAILABLE', 'It is decided and being carried out; ask again shortly.', { retryAfterMs: 1_000 })
}

/** Who did it to themselves is signed out by it. */
function about({ request, principal, services }: AuthCall<unknown>, id: string, body: unknown): Answer {
  const answer = json(200, body)
  if (id !== signedIn(principal).userId) return answer
  return { ...answer, cookies: clearedCookies(services.origins.secure(request)) }
}
