/** Who asks, and whether the service is well. */
import * as v from 'valibot'
import { registrationId } from './ids.ts'
import { query } from './operation.ts'
import { principalName } from './principal.ts'
import { contextOf, initOf } from './rows.ts'
import { id, named } from './types.ts'

const health = query({
  name: 'health',
  description: '`ok` when the database is reachable, `degraded` otherwise.',
  access: 'people',
  tool: {
    group: 'discovery',
    name: 'get_health',
    title: 'Get the health of the service',
    description:
      '`ok` when the database is reachable, `degraded` otherwise. More is in `get_installation_status`, and of coding CLIs in ' +
      '`get_agent_cli_health`.',
  },
  input: undefined,
  output: v.string(),
  read: async (_input, { views }) => {
    try {
      await views.get(registrationId)
      return 'ok'
    } catch {
      return 'degraded'
    }
  },
})

const viewer = query({
  name: 'viewer',
  description: 'The principal that asks.',
  access: 'people',
  input: undefined,
  output: named(
    'Viewer',
    'A person, by a session or by a key.',
    v.object({
      id,
      kind: named('ViewerKind', 'What was signed in with.', v.picklist(['USER', 'API_KEY'])),
      userId: id,
      email: v.string(),
      name: v.string(),
      keyName: v.nullable(v.string()),
    }),
  ),
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
})

export const viewerOperations = [health, viewer]
