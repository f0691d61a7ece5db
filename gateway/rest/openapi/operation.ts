/** Converts one route to an operation of the document. */
import { STATUS_CODES } from 'node:http'
import type {
  HeadersObject,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
  ResponsesObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { limits } from '../../../spec/core/limits.ts'
import { isAccountPath, refusalsOf, type StatedRefusal } from '../../../spec/rest/refusals.ts'
import type { Fields, RawBody, RestAnswer, RestBody, RestRoute } from '../../../spec/rest/restRoute.ts'
import { envelopeOf } from './envelope.ts'
import type { Components } from './schemas.ts'
import { securityOf } from './security.ts'

export function operationOf(route: RestRoute, components: Components): OperationObject {
  const { name, tag, summary, description, access, body, rawBody } = route
  const parameters = parametersOf(route, components)
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: bodyOf(body, components) } : {}),
    ...(rawBody ? { requestBody: rawBodyOf(rawBody, components) } : {}),
    responses: { ...answersOf(route.answers, components), ...refusedOf(route, components) },
  }
}

function parametersOf({ path, params, query, requestHeaders }: RestRoute, components: Components): ParameterObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const known = params ? fieldsOf(params, 'path', components) : []
  const plain = (name: string, where: 'path' | 'header'): ParameterObject => ({
    name,
    in: where,
    required: where === 'path',
    schema: { type: 'string' },
  })
  return [
    ...inPath.map((name) => known.find((one) => one.name === name) ?? plain(name, 'path')),
    ...(query ? fieldsOf(query, 'query', components) : []),
    ...Object.entries(requestHeaders ?? {}).map(([name, text]) => ({ ...plain(name, 'header'), description: text })),
  ]
}

function fieldsOf(fields: Fields, where: 'path' | 'query', components: Components): ParameterObject[] {
  const { properties = {}, required = [] } = components.schema(fields, 'input')
  return Object.entries(properties).map(([name, field]) => {
    const { description, ...schema } = field as SchemaObject
    return {
      name,
      in: where,
      required: required.includes(name),
      ...(description ? { description } : {}),
      schema,
    }
  })
}

function bodyOf({ schema, limit }: RestBody, components: Components): RequestBodyObject {
  return {
    description: sizeOf(limit),
    required: true,
    content: { 'application/json': { schema: components.schema(schema, 'input') } },
  }
}

function rawBodyOf({ mediaType, schema, description, limit }: RawBody, components: Components): RequestBodyObject {
  const content = schema ? { schema: components.schema(schema, 'input') } : (contentOfRaw[mediaType] ?? {})
  return {
    description: `${description} ${sizeOf(limit)}`,
    required: schema === undefined,
    content: { [mediaType]: content },
  }
}

/** Of other media types, the document does not describe the content. */
const contentOfRaw: Readonly<Record<string, MediaTypeObject>> = {
  'application/json': { schema: { type: 'object' } },
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
  },
}

function sizeOf(limit: RestBody['limit']): string {
  const setting = `LIMIT_${limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
  return `At most ${limits[limit]} bytes. \`${setting}\` changes this limit.`
}

const requestId: HeadersObject = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }
const header = (description: string) => ({ description, schema: { type: 'string' as const } })

function answersOf(answers: RestRoute['answers'], components: Components): Record<string, ResponseObject> {
  const made = (one: RestAnswer): ResponseObject => {
    const own = Object.entries(one.headers ?? {}).map(([name, text]) => [name, header(text)] as const)
    return {
      description: one.description,
      headers: { ...requestId, ...Object.fromEntries(own) },
      ...contentOf(one, components),
    }
  }
  return Object.fromEntries(Object.entries(answers).map(([status, one]) => [status, made(one)]))
}

/** Bytes, and text of other types, are described by their media type only. */
function contentOf({ body, events, mediaTypes }: RestAnswer, components: Components): Pick<ResponseObject, 'content'> {
  if (body) return { content: { 'application/json': { schema: components.schema(body, 'output') } } }
  if (events) return { content: { 'text/event-stream': { schema: dataOf(events, components) } } }
  return mediaTypes === undefined ? {} : { content: Object.fromEntries(mediaTypes.map((type) => [type, {}])) }
}

/** OpenAPI 3.1 has no schema for the events of a stream, so this is the schema of the data of each event, as generators of clients expect it. */
function dataOf(events: NonNullable<RestAnswer['events']>, components: Components): SchemaObject {
  const names = Object.keys(events).map((name) => `\`${name}\``)
  return {
    description: `The data of an event: ${names.join(', ')}.`,
    oneOf: Object.values(events).map((data) => components.schema(data, 'output')),
  }
}

function refusedOf(route: RestRoute, components: Components): ResponsesObject {
  const byStatus = Map.groupBy(refusalsOf(route), ({ status }) => status)
  if (route.method === 'HEAD') return withoutBodies(byStatus)
  const envelope = isAccountPath(route.path) ? 'AccountRefusal' : 'Refusal'
  const made = ([status, refusals]: readonly [number, readonly StatedRefusal[]]) => {
    const name = [envelope, status, ...refusals.map(({ code }) => code)].join('_')
    const response = {
      description: `${STATUS_CODES[status]}: ${codesOf(refusals)}.`,
      headers: { ...requestId, ...headersOf(status) },
      content: { 'application/json': { schema: envelopeOf(refusals, envelope, components) } },
    }
    return [String(status), components.response(name, response)]
  }
  return Object.fromEntries([...byStatus].map(made))
}

/** The answer to HEAD has no body, so a caller sees only the status. */
function withoutBodies(byStatus: ReadonlyMap<number, readonly StatedRefusal[]>): ResponsesObject {
  const made = [...byStatus].map(([status, refusals]) => [
    String(status),
    {
      description: `${STATUS_CODES[status]}: ${codesOf(refusals)}.`,
      headers: { ...requestId, ...headersOf(status) },
    },
  ])
  return Object.fromEntries(made) as ResponsesObject
}

function codesOf(refusals: readonly StatedRefusal[]): string {
  return refusals.map(({ code }) => `\`${code}\``).join(', ')
}

const rateLimits: HeadersObject = {
  'RateLimit-Limit': header('The limit.'),
  'RateLimit-Remaining': header('The amount of the limit that is left.'),
  'RateLimit-Reset': header('The number of seconds until more is available.'),
}

function headersOf(status: number): HeadersObject {
  if (status === 401) return { 'WWW-Authenticate': header('`Bearer`.') }
  const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
  if (status === 429) return { ...retryAfter, ...rateLimits }
  return status === 503 ? retryAfter : {}
}
