import { runEventRoutes } from '../../../spec/runs/runEventRoutes.ts'
import type { EventAnswers } from '../../subscriptions/eventAnswers.ts'
import { runEventSubscription } from '../agents/jobLogs.ts'
import { type ServedRoute, serve } from '../restHandler.ts'

export function serveRunEvents(answers: EventAnswers): readonly ServedRoute[] {
  return [
    serve(runEventRoutes.streamRunEvents, (call) =>
      answers.openSubscription(call, runEventSubscription, { runId: call.params.id }),
    ),
  ]
}
