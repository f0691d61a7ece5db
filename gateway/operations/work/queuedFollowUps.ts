import { expecting } from '../../../spec/core/revision.ts'
import { queuedFollowUp } from '../../../spec/runs/queuedFollowUp.ts'
import { resumeQueuedFollowUps, updateQueuedFollowUp, withdrawQueuedFollowUp } from '../../../spec/work/followUps.ts'
import { requesterBy } from '../accounts/requester.ts'
import { handle } from '../handler.ts'
import type { PartType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'
import { readFollowUp } from '../runs/queuedFollowUp.ts'
import { titleOf } from '../runs/runRequests.ts'
import { toSession } from './sessions.ts'
import { turnsTouched } from './turnsOf.ts'

export const queuedFollowUpType: PartType = {
  name: 'QueuedFollowUp',
  schema: queuedFollowUp,
  relations: {
    requestedBy: {
      ...requesterBy('requestedById'),
      description: 'The user, API key or run that requested the follow-up. Null if the user was removed.',
    },
  },
}

const touches = ({ sessionId }: { readonly sessionId: string }, { views }: Pick<RequestContext, 'views'>) =>
  turnsTouched('session', sessionId, views)

export const queuedFollowUpHandlers = [
  handle(updateQueuedFollowUp, ['views', 'presence'], {
    touches,
    translate: async ({ sessionId, runId, prompt, expectedRevision }, context) => {
      const edit = { type: 'followUpEdited', runId, prompt, title: titleOf(prompt), ...expecting(expectedRevision) }
      const { messages, answer } = await toSession(sessionId, edit, context)
      return {
        messages,
        answer: async (replies, refusals) => ({
          ...(await answer(replies, refusals)),
          queuedFollowUp: (await readFollowUp(sessionId, runId, context.views)) ?? null,
        }),
      }
    },
  }),
  handle(withdrawQueuedFollowUp, ['views', 'presence'], {
    touches,
    translate: ({ sessionId, runId }, context) => toSession(sessionId, { type: 'followUpWithdrawn', runId }, context),
  }),
  handle(resumeQueuedFollowUps, ['views', 'presence'], {
    touches,
    translate: ({ sessionId }, context) => toSession(sessionId, { type: 'followUpsResumed' }, context),
  }),
]
