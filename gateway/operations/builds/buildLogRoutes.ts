import { buildLogRoutes } from '../../../spec/builds/buildLogRoutes.ts'
import type { EventAnswers } from '../../subscriptions/eventAnswers.ts'
import { type ServedRoute, serve } from '../restHandler.ts'
import { buildLogSubscription } from './buildLogs.ts'

export function serveBuildLogs(answers: EventAnswers): readonly ServedRoute[] {
  return [
    serve(buildLogRoutes.streamBuildLog, (call) =>
      answers.openSubscription(call, buildLogSubscription, { buildId: call.params.id }),
    ),
  ]
}
