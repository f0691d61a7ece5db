import { adminRoutes } from '../../../../spec/accounts/adminRoutes.ts'
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import { account, holder, somebody, with_ } from './callers.ts'
import type { Cases, Lead } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { listUsers, createUser, banUser, unbanUser, removeUser, setUserPassword, revokeUserSessions } = adminRoutes

const newPassword = 'staple battery'

/** A user gives the ID of another user. */
const other = async (stage: TroubledGateways, more = {}) =>
  await with_(stage, { body: { userId: (await holder(stage)).userId, ...more } })

/** A user gives the ID of a user that does not exist. */
const noOne = async (stage: TroubledGateways, more = {}) =>
  await with_(stage, { body: { userId: stage.world.newId('user'), ...more } })

const oneself = async (stage: TroubledGateways, more = {}) => {
  const { userId, headers } = await holder(stage)
  return { body: { userId, ...more }, headers }
}

const theLast =
  (route: RestRoute): Lead =>
  (stage) =>
    stage.asTheOnlyOne(route)

export const userCases: readonly Cases[] = [
  {
    route: listUsers,
    right: async (stage) => {
      await holder(stage)
      return await with_(stage, { query: '?limit=2' })
    },
    own: {
      '200 all': somebody,
      '400 BAD_USER_INPUT': async (stage) => await with_(stage, { query: '?limit=0' }),
      '400 BAD_USER_INPUT for a search': async (stage) => await with_(stage, { query: '?searchValue=ada' }),
    },
  },
  {
    route: createUser,
    right: async (stage) => await with_(stage, { body: account() }),
    own: {
      '200 repeated': async (stage) => {
        const sent = await with_(stage, { body: { ...account(), role: 'admin' } })
        const again = { ...sent, headers: { ...sent.headers, 'idempotency-key': 'one' } }
        await stage.call(createUser, again)
        return again
      },
      '400 BAD_USER_INPUT for an unsupported field': async (stage) =>
        await with_(stage, { body: { ...account(), data: {} } }),
      '403 AUTH_MODE_DISABLED': (stage) => stage.withoutPasswords(createUser, { body: account() }),
      '409 CONFLICT': async (stage) => {
        const sent = await with_(stage, { body: account() })
        await stage.call(createUser, sent)
        return sent
      },
      '409 CONFLICT for the Idempotency-Key of another account': async (stage) => {
        const headers = { ...(await somebody(stage)).headers, 'idempotency-key': 'one' }
        await stage.call(createUser, { body: account(), headers })
        return { body: account(), headers }
      },
    },
  },
  {
    route: banUser,
    right: async (stage) => await other(stage, { banReason: 'left' }),
    own: {
      '200 for the own account': oneself,
      '400 BAD_USER_INPUT for an unsupported time limit': async (stage) => await other(stage, { banExpiresIn: 60 }),
      '404 NOT_FOUND': noOne,
      '409 FAILED_PRECONDITION': theLast(banUser),
    },
  },
  {
    route: unbanUser,
    right: async (stage) => {
      const sent = await other(stage)
      await stage.call(banUser, sent)
      return sent
    },
    own: { '200 for an enabled account': other, '404 NOT_FOUND': noOne },
  },
  {
    route: removeUser,
    right: other,
    own: { '200 for the own account': oneself, '404 NOT_FOUND': noOne, '409 FAILED_PRECONDITION': theLast(removeUser) },
  },
  {
    route: setUserPassword,
    right: async (stage) => await other(stage, { newPassword }),
    own: {
      '403 AUTH_MODE_DISABLED': (stage) =>
        stage.withoutPasswords(setUserPassword, { body: { userId: stage.world.newId('user'), newPassword } }),
      '404 NOT_FOUND': async (stage) => await noOne(stage, { newPassword }),
      '409 FAILED_PRECONDITION': async (stage) => await oneself(stage, { newPassword }),
      '409 FAILED_PRECONDITION without a password': async (stage) =>
        await with_(stage, { body: { userId: (await stage.person()).userId, newPassword } }),
    },
  },
  {
    route: revokeUserSessions,
    right: other,
    own: { '200 for the own account': oneself, '404 NOT_FOUND': noOne },
  },
]
