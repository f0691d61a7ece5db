/** The follow-ups that a session holds until its present turn has ended. */
import * as v from 'valibot'
import { mutation } from '../core/operation.ts'
import { expectedRevision } from '../core/revision.ts'
import { idOf, named } from '../core/types.ts'
import { queuedFollowUp } from '../runs/queuedFollowUp.ts'
import { promptText } from '../runs/runRequests.ts'
import { sessionSchema } from './sessions.ts'

/** The most follow-ups that a session holds. A further one is refused. */
export const followUpsMax = 100

const payload = (typeName: string) =>
  named(typeName, 'The session after the change.', v.object({ session: sessionSchema }))

const followUp = {
  sessionId: idOf('session'),
  runId: v.pipe(idOf('run'), v.description('The `runId` of the queued follow-up.')),
}

export const updateQueuedFollowUp = mutation({
  name: 'updateQueuedFollowUp',
  description: 'Changes the prompt of a follow-up that has not started.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Edit a queued follow-up',
    description:
      'Changes the prompt of a follow-up that has not started. `get_session` returns the `queuedFollowUps` with `runId` and ' +
      '`revision`.',
    idempotent: true,
  },
  input: v.object({
    ...followUp,
    prompt: v.pipe(promptText, v.description('The new prompt.')),
    expectedRevision,
  }),
  output: named(
    'UpdateQueuedFollowUpPayload',
    'The session and the follow-up after the change. The follow-up is null if it has started since.',
    v.object({ session: sessionSchema, queuedFollowUp: v.nullable(queuedFollowUp) }),
  ),
})

export const withdrawQueuedFollowUp = mutation({
  name: 'withdrawQueuedFollowUp',
  description: 'Removes a follow-up that has not started. Its run is never created.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Withdraw a queued follow-up',
    description:
      'Removes a follow-up that has not started. Its run is never created. Use `cancel_run` for a follow-up that has started.',
    destroys: true,
  },
  input: v.object(followUp),
  output: payload('WithdrawQueuedFollowUpPayload'),
})

export const resumeQueuedFollowUps = mutation({
  name: 'resumeQueuedFollowUps',
  description: 'Lets the queued follow-ups of a session start again, after a turn that did not succeed paused them.',
  access: 'people',
  tool: {
    group: 'runs',
    title: 'Resume queued follow-ups',
    description:
      'Lets the queued follow-ups of a session start again. A turn that fails or is canceled pauses them ' +
      '(`isFollowUpQueuePaused`). An interrupted turn does not.',
    idempotent: true,
  },
  input: v.object({ sessionId: idOf('session') }),
  output: payload('ResumeQueuedFollowUpsPayload'),
})
