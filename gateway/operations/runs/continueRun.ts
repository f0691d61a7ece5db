import { Failure } from '../../../spec/core/failure.ts'
import { continueRun } from '../../../spec/runs/runRequests.ts'
import { requireRow } from '../core/rows.ts'
import { handle } from '../handler.ts'
import { touchConversation } from '../tools/touched.ts'
import { canContinue } from './canContinue.ts'
import { followUp, repeatedFollowUp } from './createRunFollowUp.ts'
import { runObject } from './runs.ts'

const prompt =
  'You were interrupted, because the machine or the program that started you was restarted. Check what is done, and continue with the task.'

export const continueRunHandlers = [
  handle(continueRun, ['views', 'tools', 'externalTools', 'ids'], {
    touches: touchConversation,
    repeat: repeatedFollowUp,
    translate: async ({ runId }, context) => {
      const run = await requireRow(context.views, 'run', runId)
      if (!(await canContinue(runObject(run), context.views)))
        throw new Failure(
          'FAILED_PRECONDITION',
          `The run is ${run.columns.status} and was not cut short by a restart of its agent. Send a follow-up instead.`,
          { details: { runId, state: run.columns.status } },
        )
      // It comes before the queued follow-ups, which the failed run has paused.
      return await followUp({ runId, prompt }, context, false)
    },
  }),
]
