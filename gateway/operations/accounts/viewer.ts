import { health, viewer } from '../../../spec/accounts/viewer.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { handle } from '../handler.ts'

export const viewerHandlers = [
  handle(health, ['views'], {
    read: async (_input, { views }) => {
      try {
        await views.get('registration', registrationId)
        return 'ok'
      } catch {
        return 'degraded'
      }
    },
  }),
  handle(viewer, ['views'], {
    read: async (_input, { principal, views }) => {
      const userId = principal.kind === 'user' || principal.kind === 'apiKey' ? principal.userId : ''
      const keyId = principal.kind === 'apiKey' ? principal.keyId : undefined
      const [user, key] = await Promise.all([
        views.get('user', userId),
        keyId === undefined ? undefined : views.get('apiKey', keyId),
      ])
      return {
        id: principalName(principal),
        kind: keyId === undefined ? 'USER' : 'API_KEY',
        userId,
        email: user?.init.email ?? '',
        name: user?.context.name ?? '',
        keyName: key?.init.name ?? null,
      }
    },
  }),
]
