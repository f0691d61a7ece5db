/** The caller, and the health of the service. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { id, named } from '../core/types.ts'

export const health = query({
  name: 'health',
  description: 'Returns `ok` if the database is reachable, else `degraded`.',
  access: 'people',
  tool: {
    group: 'discovery',
    name: 'get_health',
    title: 'Get the health of the service',
    description:
      'Returns `ok` if the database is reachable, else `degraded`. Use `get_installation_status` for details, and ' +
      '`get_agent_cli_health` for coding CLIs.',
  },
  input: undefined,
  output: v.string(),
})

export const viewer = query({
  name: 'viewer',
  description: 'Returns the principal of the request.',
  access: 'people',
  input: undefined,
  output: named(
    'Viewer',
    'The authenticated user, by a session or by an API key.',
    v.object({
      id,
      kind: named('ViewerKind', 'The kind of the credential.', v.picklist(['USER', 'API_KEY'])),
      userId: id,
      email: v.string(),
      name: v.string(),
      keyName: v.nullable(v.string()),
    }),
  ),
})
