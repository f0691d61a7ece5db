/** Routes whose answer is a stream of server-sent events. All have the same first event, the same errors and the same way to continue. */
import * as v from 'valibot'
import type { FailureCode } from '../core/failure.ts'
import { named, type Schema, text } from '../core/types.ts'
import { type Fields, type RestRoute, restRoute } from './restRoute.ts'

export const endpointEvent = named(
  'EndpointEvent',
  'The first event of a stream, `endpoint`: the addresses of the stream. Each is one of the origins, followed by `endpointPath`.',
  v.object({
    endpointPath: v.pipe(v.string(), v.description('The path of the stream.')),
    localUrl: v.pipe(v.string(), v.description('The origin at which the server is reached from its own network.')),
    remoteUrl: v.pipe(v.string(), v.description('The origin at which the server is reached from elsewhere.')),
    proxyUrl: v.pipe(
      v.nullable(v.string()),
      v.description('The origin of the reverse proxy. Null if there is no proxy.'),
    ),
    publicUrl: v.pipe(v.string(), v.description('The same as `remoteUrl`, for clients that know it by this name.')),
  }),
)
export type EndpointEvent = v.InferInput<typeof endpointEvent>

const errorEvent = named(
  'ErrorEvent',
  'The last event of a stream that ends early, `error`. The client connects again with its last ID, unless the code is UNAUTHENTICATED or HISTORY_GONE.',
  v.object({
    error: v.looseObject({
      code: v.string(),
      message: v.string(),
      requestId: v.string(),
      lastEventId: v.pipe(v.nullable(v.string()), v.description('The ID of the last event that was sent.')),
    }),
  }),
)

const endEvent = named('EndEvent', 'The last event of a stream that is complete, `end`.', v.object({}))

const query = v.object({
  lastEventId: v.pipe(
    v.optional(text({ max: 100 })),
    v.description(
      'The ID of the last event that the caller has. The header `Last-Event-ID` takes precedence. `EventSource` cannot set a header at its first connection.',
    ),
  ),
})

const requestHeaders = {
  'Last-Event-ID':
    'The ID of the last event that the caller has. The stream continues after it, without a gap or a repeat.',
}

const common = `

The answer is a stream of server-sent events, whose data is JSON. The first event is \`endpoint\`. Each item is a \`message\` with an ID.
A comment is sent every 15 seconds if nothing else is. The last event is \`end\` or \`error\`. The stream ends if the reader is too slow, if the
credential is revoked, or if the server stops. A client then connects again with \`Last-Event-ID\`.`

const complete = {
  description: 'The stream is complete, and nothing follows the caller’s ID. `EventSource` does not connect again.',
}

type Described = Pick<RestRoute, 'name' | 'path' | 'tag' | 'summary'> & {
  readonly description: string
  readonly refusals?: readonly FailureCode[]
  /** Whether the stream can be complete. */
  readonly ends?: true
}

/** @param item the schema of the data of each `message` */
export function eventStreamRoute<const P extends { readonly params?: Fields }>(
  { ends, ...own }: Described & P,
  item: Schema,
): RestRoute & { readonly query: typeof query } & P {
  return restRoute({
    ...own,
    method: 'GET',
    description: own.description + common,
    access: 'sessions',
    query,
    queryRefusal: 'BAD_USER_INPUT',
    requestHeaders,
    answers: {
      200: {
        description: 'The stream.',
        events: { endpoint: endpointEvent, message: item, end: endEvent, error: errorEvent },
        headers: { 'X-Accel-Buffering': '`no`: proxies such as nginx pass each event on at once.' },
      },
      ...(ends && { 204: complete }),
    },
    refusals: ['HISTORY_GONE', ...(own.refusals ?? [])],
  } as RestRoute) as RestRoute & { readonly query: typeof query } & P
}
