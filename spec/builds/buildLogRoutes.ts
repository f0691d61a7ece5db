/** The stream of a build's log over REST, for clients without WebSockets. */
import * as v from 'valibot'
import { idOf } from '../core/types.ts'
import { eventStreamRoute } from '../rest/eventStreamRoute.ts'
import { buildLogChunk } from './buildLogs.ts'

export const buildLogRoutes = {
  streamBuildLog: eventStreamRoute(
    {
      name: 'streamBuildLog',
      path: '/api/builds/{id}/log/stream',
      tag: 'Builds',
      summary: 'Follow the log of a build',
      description:
        'Sends the stored log of a build from the beginning, or after the caller’s ID, and then new chunks, as the subscription `buildLogChunkAdded` does. The ID of an event is its sequence. It ends with the log.',
      params: v.object({ id: idOf('build') }),
      refusals: ['NOT_FOUND'],
      ends: true,
    },
    buildLogChunk,
  ),
} as const
