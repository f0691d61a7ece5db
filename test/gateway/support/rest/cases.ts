/** Each route's own answers: a call that is right, and by status and code what leads to a refusal of its own. */
import { accountRoutes } from '../../../../spec/rest/accountRoutes.ts'
import { codebaseRoutes } from '../../../../spec/rest/codebaseRoutes.ts'
import type { RestRoute } from '../../../../spec/rest/restRoute.ts'
import { serverRoutes } from '../../../../spec/rest/serverRoutes.ts'
import { bearer, type Heard, type Sent } from './call.ts'
import type { Stage } from './stage.ts'

export type Lead = (stage: Stage) => Promise<Sent | Heard>

export interface Cases {
  readonly route: RestRoute
  /** Answered 200, as whoever may call it. */
  readonly right: (stage: Stage) => Promise<Sent>
  /** By status and code; a second way to an answer has another word behind it. */
  readonly own?: Readonly<Record<string, Lead>>
}

const { signUp, signIn, createApiKey, deleteApiKey, updateApiKey, setRegistration } = accountRoutes

const nobody = async (): Promise<Sent> => ({})
const somebody = async (stage: Stage): Promise<Sent> => ({ headers: bearer((await stage.person()).token) })
const with_ = async (stage: Stage, more: Sent): Promise<Sent> => ({ ...(await somebody(stage)), ...more })

let accounts = 0
const account = () => ({ name: 'Ada', email: `ada${++accounts}@example.com`, password: 'correct horse' })

async function ownKey(stage: Stage, expiresInMs?: number) {
  const { userId, token } = await stage.person()
  const { keyId } = await stage.world.apiKey(userId, expiresInMs)
  return { keyId, headers: bearer(token) }
}

async function codebase(stage: Stage, path: string): Promise<void> {
  const { agentId } = await stage.world.agent()
  const state = {
    observedOrigin: 'git@github.com:acme/rocket.git',
    branch: 'main',
    headSha: 'a'.repeat(40),
    upstream: null,
    ahead: null,
    behind: 0,
    syncState: 'CLEAN',
    statusError: null,
    lastCheckedAt: '2026-01-01T00:00:00.000Z',
    lastFetchedAt: null,
  }
  const create = { agentId, path, createdAt: Date.now(), available: true, state, branches: ['main'] }
  await stage.world.ask({ kind: 'codebase', id: stage.world.newId('codebase') }, { type: 'create' }, create)
}

let folders = 0
async function folder(stage: Stage, times: number): Promise<string> {
  const path = `/src/${++folders}`
  for (let n = 0; n < times; n++) await codebase(stage, path)
  return `?path=${path}`
}

export const cases: readonly Cases[] = [
  {
    route: codebaseRoutes.listCodebases,
    right: async (stage) => {
      await folder(stage, 1)
      return await with_(stage, { query: '?branches=true' })
    },
  },
  {
    route: codebaseRoutes.getCodebaseByPath,
    right: async (stage) => await with_(stage, { query: await folder(stage, 1) }),
    own: {
      '400 INVALID_PATH': async (stage) => await with_(stage, { query: '?path=' }),
      '404 CODEBASE_NOT_FOUND': async (stage) => await with_(stage, { query: '?path=/nowhere' }),
      '409 AMBIGUOUS_PATH': async (stage) => await with_(stage, { query: await folder(stage, 2) }),
    },
  },
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
      '403 AUTH_MODE_DISABLED': (stage) => stage.withoutPasswords(signIn, { body: { email: 'a@b.c', password: 'x' } }),
    },
  },
  { route: accountRoutes.signOut, right: somebody, own: { '200 without a session': nobody } },
  { route: accountRoutes.getSession, right: somebody, own: { '200 without a session': nobody } },
  {
    route: createApiKey,
    right: async (stage) => await with_(stage, { body: { name: 'nightly', expiresIn: 3600 } }),
    own: {
      '200 repeated': async (stage) => {
        const { headers } = await somebody(stage)
        const sent = { body: {}, headers: { ...headers, 'idempotency-key': 'one' } }
        await stage.call(createApiKey, sent)
        return sent
      },
      '409 CONFLICT': async (stage) => {
        const headers = { ...(await somebody(stage)).headers, 'idempotency-key': 'one' }
        await stage.call(createApiKey, { body: { name: 'a' }, headers })
        return { body: { name: 'b' }, headers }
      },
    },
  },
  {
    route: accountRoutes.listApiKeys,
    right: async (stage) => ({ headers: (await ownKey(stage)).headers }),
  },
  {
    route: deleteApiKey,
    right: async (stage) => {
      const { keyId, headers } = await ownKey(stage)
      return { body: { keyId }, headers }
    },
    own: {
      '404 NOT_FOUND': async (stage) => await with_(stage, { body: { keyId: (await ownKey(stage)).keyId } }),
      '409 FAILED_PRECONDITION': async (stage) => {
        const { keyId, headers } = await ownKey(stage, -1)
        return { body: { keyId }, headers }
      },
    },
  },
  {
    route: updateApiKey,
    right: async (stage) => {
      const { keyId, headers } = await ownKey(stage)
      return { body: { keyId, enabled: false }, headers }
    },
    own: {
      '404 NOT_FOUND': async (stage) => {
        const { keyId } = await ownKey(stage)
        return await with_(stage, { body: { keyId, enabled: true } })
      },
      '409 FAILED_PRECONDITION': async (stage) => {
        const { keyId, headers } = await ownKey(stage)
        await stage.call(deleteApiKey, { body: { keyId }, headers })
        return { body: { keyId, enabled: true }, headers }
      },
    },
  },
  { route: accountRoutes.getRegistration, right: somebody },
  {
    route: setRegistration,
    right: async (stage) => await with_(stage, { body: { open: false } }),
    own: { '200 opened': async (stage) => await with_(stage, { body: { open: true } }) },
  },
  { route: accountRoutes.getSignInConfig, right: nobody },
  { route: serverRoutes.getHealth, right: nobody },
  { route: serverRoutes.getReadiness, right: nobody },
  { route: serverRoutes.getOpenApi, right: nobody },
]
