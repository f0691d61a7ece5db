/** The log of a build over REST: as a file, and as a stream for clients without WebSockets. */
import * as v from 'valibot'
import { idOf } from '../core/types.ts'
import { eventStreamRoute } from '../rest/eventStreamRoute.ts'
import { beyondEnd, fileAnswers, fileRequestHeaders } from '../rest/fileDownload.ts'
import { restRoute } from '../rest/restRoute.ts'
import { buildLogChunk } from './buildLogs.ts'

export const buildLogRoutes = {
  downloadBuildLog: restRoute({
    name: 'downloadBuildLog',
    method: 'GET',
    path: '/api/builds/{id}/log',
    tag: 'Builds',
    summary: 'Download the log of a build',
    description:
      'Sends the output of a build as a file, in the order in which it was printed, with the escape sequences of terminals. While the build runs, it is the output so far, and a later range continues it.',
    access: 'people',
    params: v.object({ id: idOf('build') }),
    requestHeaders: fileRequestHeaders,
    answers: fileAnswers('The log.', 'The number of bytes of the log so far, in quotation marks.'),
    refusals: ['NOT_FOUND', 'HISTORY_GONE', beyondEnd],
  }),
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
