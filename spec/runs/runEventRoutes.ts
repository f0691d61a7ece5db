/** The stream of a run's events over REST, for clients without WebSockets. */
import * as v from 'valibot'
import { idOf } from '../core/types.ts'
import { eventStreamRoute } from '../rest/eventStreamRoute.ts'
import { runEvent } from './conversation.ts'

export const runEventRoutes = {
  streamRunEvents: eventStreamRoute(
    {
      name: 'streamRunEvents',
      path: '/api/runs/{id}/events/stream',
      tag: 'Runs',
      summary: 'Follow the events of a run',
      description:
        'Sends the stored events of a run from the beginning, or after the caller’s ID, and then new events, as the subscription `runEventAdded` does. The ID of an event is its sequence. It ends with the run.',
      params: v.object({ id: idOf('run') }),
      refusals: ['NOT_FOUND'],
      ends: true,
    },
    runEvent,
  ),
} as const
