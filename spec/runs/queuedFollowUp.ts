import * as v from 'valibot'
import { revision } from '../core/revision.ts'
import { dateTime, id, named } from '../core/types.ts'

export const queuedFollowUp = named(
  'QueuedFollowUp',
  'A follow-up that starts when the turns before it have succeeded.',
  v.object({
    runId: v.pipe(id, v.description('The ID of the run that it becomes. The run exists from its start on.')),
    title: v.string(),
    prompt: v.string(),
    requireConversation: v.boolean(),
    revision,
    requestedById: v.pipe(id, v.description('The user, API key or run that requested it.')),
    createdAt: dateTime,
  }),
)
