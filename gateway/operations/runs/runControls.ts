import type { ActorEvent } from '../../../spec/core/actor.ts'
import { answerRun, cancelRun, interruptRun, pauseRun, resumeRun } from '../../../spec/runs/runControls.ts'
import { oneMessage } from '../core/replies.ts'
import { handle } from '../handler.ts'
import { touchRun } from '../tools/touched.ts'
import { runObject } from './runs.ts'

export const toRun = (id: string, event: ActorEvent) =>
  oneMessage({ to: { kind: 'run', id }, event }, (row) => ({ run: runObject(row) }))

export const runControlHandlers = [
  handle(answerRun, [], {
    touches: touchRun,
    translate: ({ runId, questionId, answer }) => toRun(runId, { type: 'answer', questionId, answer }),
  }),
  handle(cancelRun, [], {
    touches: touchRun,
    translate: ({ runId, reason }) =>
      toRun(runId, { type: 'cancel', ...(reason ? { code: 'CANCELED_BY_REQUEST', message: reason } : {}) }),
  }),
  handle(interruptRun, [], {
    touches: touchRun,
    translate: ({ runId }) => toRun(runId, { type: 'interrupt' }),
  }),
  handle(pauseRun, [], {
    touches: touchRun,
    translate: ({ runId }) => toRun(runId, { type: 'pause' }),
  }),
  handle(resumeRun, [], {
    touches: touchRun,
    translate: ({ runId }) => toRun(runId, { type: 'resume' }),
  }),
]
