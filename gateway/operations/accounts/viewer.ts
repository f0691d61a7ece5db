import { health, viewer } from '../../../spec/accounts/viewer.ts'
import { registrationId } from '../../../spec/core/ids.ts'
import { principalName } from '../../../spec/core/principal.ts'
import { contextOf, initOf } from '../../../spec/core/rows.ts'
import { handle } from '../handler.ts'

export const viewerHandlers = [
  handle(health, {
    read: async (_input, { views }) => {
      try {
        await views.get(registrationId)
        return 'ok'
      } catch {
        return 'degraded'
      }
    },
  }),
  handle(viewer, {
    read: async (_input, { principal, views }) => {
      const userId = principal.kind === 'user' || principal.kind === 'apiKey' ? principal.userId : ''
      const keyId = principal.kind === 'apiKey' ? principal.keyId : undefined
      const rows = await views.getMany(keyId === undefined ? [userId] : [userId, keyId])
      const user = rows.get(userId)
      const key = keyId === undefined ? undefined : rows.get(keyId)
      return {
        id: principalName(principal),
        kind: keyId === undefined ? 'USER' : 'API_KEY',
        userId,
        email: user === undefined ? '' : initOf<{ email: string }>(user).email,
        name: user === undefined ? '' : contextOf<{ name: string }>(user).name,
        keyName: key === undefined ? null : initOf<{ name: string }>(key).name,
      }
    },
  }),
]
