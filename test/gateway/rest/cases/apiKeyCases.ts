import { apiKeyRoutes } from '../../../../spec/accounts/apiKeyRoutes.ts'
import { bearer, call } from './call.ts'
import { somebody, with_ } from './callers.ts'
import type { Cases } from './caseForm.ts'
import type { TroubledGateways } from './troubledGateways.ts'

const { createApiKey, listApiKeys, deleteApiKey, updateApiKey } = apiKeyRoutes

async function ownKey(stage: TroubledGateways, expiresInMs?: number) {
  const { userId, token } = await stage.person()
  const { keyId } = await stage.world.apiKey(userId, expiresInMs)
  return { keyId, headers: bearer(token) }
}

export const apiKeyCases: readonly Cases[] = [
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
      '409 FAILED_PRECONDITION': async ({ strict }) => {
        const sent = { body: {}, headers: bearer((await strict.signIn()).token) }
        await call(strict.url, createApiKey, sent)
        return await call(strict.url, createApiKey, sent)
      },
    },
  },
  {
    route: listApiKeys,
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
]
