/** Builds the OpenAPI document from the declared routes. */
import type { OpenAPIObject, PathItemObject } from 'openapi3-ts/oas31'
import type { RestRoute } from '../../../spec/rest/restRoute.ts'
import { restTags } from '../../../spec/rest/tags.ts'
import { version } from '../../../spec/settings/version.ts'
import { envelopes } from './envelope.ts'
import { operationOf } from './operation.ts'
import { Components } from './schemas.ts'
import { securityOf, securitySchemes } from './security.ts'

const description = `The REST routes of Signalbox. All other operations are GraphQL, at \`/api/graphql\`.

Every response has the header \`x-request-id\`, and every refusal has the envelope \`Refusal\`. In addition to the responses of the operations,
any path can return \`503 UNAVAILABLE\` while the server stops, \`405\` for a method that it does not have, \`431 REQUEST_HEAD_TOO_LARGE\` for a
path and headers that are too large, and, on a server that serves only this machine, \`403 FORBIDDEN\` for another \`Host\`.`

/** @param server the origin under which the caller reaches the server */
export function openApiDocument(routes: readonly RestRoute[], server: string): OpenAPIObject {
  const components = new Components()
  const paths: Record<string, PathItemObject> = {}
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, components) }
  const tags = new Set(routes.map(({ tag }) => tag))
  const taken = new Set(routes.flatMap(({ access }) => securityOf(access).flatMap((one) => Object.keys(one))))
  return {
    openapi: '3.1.1',
    info: {
      title: 'Signalbox',
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    tags: Object.entries(restTags)
      .filter(([name]) => tags.has(name as RestRoute['tag']))
      .map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: { ...components.schemas, ...envelopes },
      responses: components.responses,
      headers: {
        RequestId: {
          description: 'The ID of the request. It is the caller’s own if the request has one.',
          schema: { type: 'string' },
        },
        RetryAfter: {
          description: 'The number of seconds after which the request can be repeated.',
          schema: { type: 'string' },
        },
      },
      securitySchemes: Object.fromEntries(
        Object.entries(securitySchemes(server.startsWith('https:'))).filter(([name]) => taken.has(name)),
      ),
    },
  }
}
