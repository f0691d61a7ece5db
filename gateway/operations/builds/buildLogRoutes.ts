import { buildLogRoutes } from '../../../spec/builds/buildLogRoutes.ts'
import type { GatewayOptions } from '../../options.ts'
import type { EventAnswers } from '../../subscriptions/eventAnswers.ts'
import { requireRow } from '../core/rows.ts'
import { type ServedRoute, serve } from '../restHandler.ts'
import { sendBuildLog } from './buildLogDownload.ts'
import { buildLogSubscription } from './buildLogs.ts'

export function serveBuildLogs(
  answers: EventAnswers,
  { views }: Pick<GatewayOptions, 'views'>,
): readonly ServedRoute[] {
  return [
    serve(buildLogRoutes.downloadBuildLog, async ({ request, params }) =>
      sendBuildLog(await requireRow(views, 'build', params.id), request, views),
    ),
    serve(buildLogRoutes.streamBuildLog, (call) =>
      answers.openSubscription(call, buildLogSubscription, { buildId: call.params.id }),
    ),
  ]
}
