/** The caller, and the health of the service. */
import * as v from 'valibot'
import { query } from '../core/operation.ts'
import { id, named } from '../core/types.ts'

export const health = query({
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
})

export const viewer = query({
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
})
