import { accountRoutes } from '../../../../spec/accounts/accountRoutes.ts'
import { account, holder, nobody, somebody, with_ } from './callers.ts'
import type { Cases } from './caseForm.ts'

const { signUp, signIn, changePassword, setRegistration } = accountRoutes

const newPassword = 'staple battery'

export const accountCases: readonly Cases[] = [
  {
    route: signUp,
    right: async (stage) => await with_(stage, { body: account() }),
    own: {
      '200 with a session': async (stage) => {
        await stage.call(setRegistration, await with_(stage, { body: { open: true } }))
        const heard = await stage.call(signUp, { body: account() })
        await stage.call(setRegistration, await with_(stage, { body: { open: false } }))
        return heard
      },
      '200 repeated': async (stage) => {
        const headers = { ...(await somebody(stage)).headers, 'idempotency-key': 'one' }
        const sent = { body: account(), headers }
        await stage.call(signUp, sent)
        return sent
      },
      '403 REGISTRATION_CLOSED': async (stage) => {
        await stage.call(setRegistration, await with_(stage, { body: { open: false } }))
        return { body: account() }
      },
      '403 AUTH_MODE_DISABLED': (stage) => stage.withoutPasswords(signUp, { body: account() }),
      '409 CONFLICT': async (stage) => {
        const sent = await with_(stage, { body: account() })
        await stage.call(signUp, sent)
        return sent
      },
    },
  },
  {
    route: signIn,
    right: async (stage) => {
      const body = account()
      await stage.call(signUp, await with_(stage, { body }))
      return { body: { email: body.email, password: body.password } }
    },
    own: {
      '401 UNAUTHENTICATED with a wrong password': async () => ({ body: { email: 'a@b.example', password: 'wrong' } }),
      '429 RATE_LIMITED after guesses': async (stage) => {
        const sent = { body: { email: account().email, password: 'wrong' } }
        for (let guess = 0; guess < 10; guess++) await stage.call(signIn, sent)
        return sent
      },
      '403 AUTH_MODE_DISABLED': (stage) => stage.withoutPasswords(signIn, { body: { email: 'a@b.c', password: 'x' } }),
    },
  },
  { route: accountRoutes.signOut, right: somebody, own: { '200 without a session': nobody } },
  { route: accountRoutes.getSession, right: somebody, own: { '200 without a session': nobody } },
  {
    route: changePassword,
    right: async (stage) => {
      const { password, headers } = await holder(stage)
      return { body: { currentPassword: password, newPassword }, headers }
    },
    own: {
      '200 with a new session': async (stage) => {
        const { password, headers } = await holder(stage)
        return { body: { currentPassword: password, newPassword, revokeOtherSessions: true }, headers }
      },
      '400 BAD_USER_INPUT for a wrong password': async (stage) => {
        const { headers } = await holder(stage)
        return { body: { currentPassword: 'wrong', newPassword }, headers }
      },
      '403 AUTH_MODE_DISABLED': (stage) =>
        stage.withoutPasswords(changePassword, { body: { currentPassword: 'x', newPassword } }),
      '409 FAILED_PRECONDITION': async (stage) => await with_(stage, { body: { currentPassword: 'x', newPassword } }),
      '429 RATE_LIMITED after guesses': async (stage) => {
        const sent = { body: { currentPassword: 'wrong', newPassword }, headers: (await holder(stage)).headers }
        for (let guess = 0; guess < 10; guess++) await stage.call(changePassword, sent)
        return sent
      },
    },
  },
  { route: accountRoutes.listAccounts, right: somebody },
  { route: accountRoutes.getRegistration, right: somebody },
  {
    route: setRegistration,
    right: async (stage) => await with_(stage, { body: { open: false } }),
    own: { '200 opened': async (stage) => await with_(stage, { body: { open: true } }) },
  },
  { route: accountRoutes.getSignInConfig, right: nobody },
]
