/** Tags of agents: words that people give to machines, and that build configurations require. */
import * as v from 'valibot'
import { mutation } from '../core/operation.ts'
import { expectedRevision } from '../core/revision.ts'
import { idOf, named, text } from '../core/types.ts'
import { agentSchema, agentTagsMax } from './agents.ts'

export const tagName = v.pipe(
  text({ min: 1, max: 50 }),
  v.regex(/^[a-z0-9_.:-]+$/, 'must be lower-case letters, digits, "-", "_", "." and ":"'),
)

export const tagNames = v.pipe(v.array(tagName), v.maxLength(agentTagsMax))

export const setAgentTags = mutation({
  name: 'setAgentTags',
  description:
    'Replaces the tags of an agent. A build configuration that requires a tag is built only on agents that have it.',
  access: 'people',
  tool: {
    group: 'agents',
    title: 'Set the tags of an agent',
    description:
      'Replaces the tags of an agent: pass every tag that should stay, as `get_agent` returns them. A build configuration that ' +
      'requires a tag is built only on agents that have it. A build that its agent has not accepted fails if a tag is then missing.',
    idempotent: true,
  },
  input: v.object({
    agentId: idOf('agent'),
    tags: v.pipe(tagNames, v.description('The tags. An empty list removes all of them.')),
    expectedRevision,
  }),
  output: named('SetAgentTagsPayload', 'The agent after the change.', v.object({ agent: agentSchema })),
})
