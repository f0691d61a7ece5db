/** The OpenAPI document: the kept one is what the declarations give, and a linter that others use finds nothing in it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { RequestBodyObject, SchemaObject } from 'openapi3-ts/oas31'
import * as v from 'valibot'
import { openApiDocument } from '../../../gateway/rest/openapi/document.ts'
import { printOpenApi } from '../../../gateway/rest/openapi/print.ts'
import { encodeId } from '../../../spec/core/ids.ts'
import { limits } from '../../../spec/core/limits.ts'
import { dateTime, named, text } from '../../../spec/core/types.ts'
import { type RestRoute, restRoute } from '../../../spec/rest/restRoute.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { columnOf } from '../../../spec/telemetry/columns.ts'
import { consoleLog } from '../../../spec/telemetry/ingested.ts'

const root = resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)

test('spec/openapi.json is generated from the declarations; `npm run spec` writes it', async () => {
  assert.equal(await readFile(`${root}/spec/openapi.json`, 'utf8'), printOpenApi(restRoutes))
})

test('the version of the document is that of the program', async () => {
  const { version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'))
  assert.equal(openApiDocument(restRoutes, 'http://localhost').info.version, version)
})

test('Redocly finds no problems', async () => {
  // It sends no requests: neither for updates nor for telemetry.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = ['lint', 'spec/openapi.json', '--config', 'redocly.yaml', '--format', 'json', '--max-problems', '20']
  const cli = `${root}/node_modules/@redocly/cli/bin/cli.js`
  const { stdout } = await run(process.execPath, [cli, ...options], { cwd: root, env }).catch((failed) => failed)
  const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: readonly { message: string }[] }
  assert.deepEqual(
    problems.map(({ message }) => message),
    [],
  )
})

const thing = named('Thing', 'A thing.', v.object({ title: text({ min: 1, max: 5 }), at: dateTime }))

const saveThing = restRoute({
  name: 'saveThing',
  method: 'PUT',
  path: '/api/things/{id}',
  tag: 'Server',
  summary: 'Save a thing',
  access: 'people',
  params: v.object({ id: v.pipe(v.string(), v.description('Which one.')) }),
  query: v.object({ dry: v.optional(v.picklist(['true', 'false'])) }),
  queryRefusal: 'BAD_USER_INPUT',
  body: { schema: v.object({ things: v.array(thing) }), limit: 'bodyBytes' },
  answers: { 201: { description: 'Saved.', body: thing }, 204: { description: 'As it was.' } },
  refusals: ['NOT_FOUND'],
})

const documentOf = (...routes: readonly RestRoute[]) => openApiDocument(routes, 'https://box.example')

test('the document has every field of the declaration of a route', () => {
  const { paths, components, servers } = documentOf(saveThing)
  const { parameters, requestBody, responses, security } = paths?.['/api/things/{id}']?.put ?? {}
  assert.deepEqual(servers, [{ url: 'https://box.example' }])
  assert.deepEqual(parameters, [
    { name: 'id', in: 'path', required: true, description: 'Which one.', schema: { type: 'string' } },
    { name: 'dry', in: 'query', required: false, schema: { type: 'string', enum: ['true', 'false'] } },
  ])
  const list = { type: 'array', items: { $ref: '#/components/schemas/Thing' } }
  assert.deepEqual(requestBody, {
    description: 'At most 6291456 bytes. `LIMIT_BODY_BYTES` changes this limit.',
    required: true,
    content: { 'application/json': { schema: { type: 'object', properties: { things: list }, required: ['things'] } } },
  })
  assert.deepEqual(security, [{ sessionCookie: [] }, { sessionToken: [] }, { apiKey: [] }])
  assert.deepEqual(Object.keys(responses ?? {}), [
    '201',
    '204',
    '400',
    '401',
    '403',
    '404',
    '408',
    '413',
    '415',
    '429',
    '500',
    '503',
  ])
  assert.equal(responses?.['204']?.content, undefined)
  assert.deepEqual(components?.schemas?.Thing, {
    type: 'object',
    description: 'A thing.',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 5 },
      at: { type: 'string', format: 'date-time' },
    },
    required: ['title', 'at'],
  })
  const schemes = components?.securitySchemes as Record<string, { readonly name?: string }>
  assert.deepEqual(Object.keys(schemes), ['sessionCookie', 'sessionToken', 'apiKey'])
  assert.equal(schemes.sessionCookie?.name, '__Host-signalbox', 'the cookie of https')
})

test('the document has the bounds that the checks enforce', () => {
  const { paths, components } = openApiDocument(restRoutes, 'http://localhost')
  const bodyOf = (path: string) => {
    const body = paths?.[path]?.post?.requestBody as RequestBodyObject
    return body.content['application/json']?.schema as SchemaObject
  }
  const schemaOf = (name: string) => components?.schemas?.[name] as SchemaObject
  for (const path of ['/api/telemetry/console-logs', '/api/telemetry/analytics-events']) {
    const [many] = bodyOf(path).anyOf as SchemaObject[]
    const items = many?.properties?.items as SchemaObject | undefined
    assert.equal(items?.maxItems, limits.telemetryRecords)
  }
  const attributes = schemaOf('ConsoleLogInput').properties?.attributes as SchemaObject
  const { maxProperties = 0, propertyNames } =
    (attributes.anyOf as (SchemaObject & { propertyNames: SchemaObject })[])[0] ?? {}
  const fields = (count: number, key = '') =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${key}${n}`, n]))
  const accepts = (given: unknown) => v.is(consoleLog, { body: 'x', attributes: given })
  assert.deepEqual([accepts(fields(maxProperties)), accepts(fields(maxProperties + 1))], [true, false])
  const longest = 'k'.repeat((propertyNames?.maxLength ?? 0) - 1)
  assert.deepEqual([accepts(fields(1, longest)), accepts(fields(1, `${longest}k`))], [true, false])
  const columns = bodyOf('/api/telemetry/export').properties?.columns as SchemaObject
  const list = columns.anyOf?.[0] as SchemaObject
  assert.equal(list.uniqueItems, true)
  const pattern = new RegExp((list.items as SchemaObject).pattern ?? '')
  for (const name of ['timestamp', 'attributes', 'attributes.a.b', 'resource.x', 'attributes.', 'other', 'xtimestamp'])
    assert.equal(pattern.test(name), columnOf(name) !== undefined, name)
  const { userId } = bodyOf('/api/auth/admin/ban-user').properties as Record<string, SchemaObject>
  assert.match(encodeId('usr', new Uint8Array(16).fill(255)), new RegExp(userId?.pattern ?? 'none'))
  assert.doesNotMatch(encodeId('agt', new Uint8Array(16)), new RegExp(userId?.pattern ?? '.'))
})

test('a public route needs no credential, and a route for visitors accepts one', () => {
  const security = (access: RestRoute['access']) =>
    documentOf({ ...saveThing, access }).paths?.['/api/things/{id}']?.put?.security
  assert.deepEqual(security('public'), [])
  assert.deepEqual(security('visitors'), [{}, { sessionCookie: [] }, { sessionToken: [] }])
})

test('two schemas with one name are refused', () => {
  const other = named('Thing', 'Another thing.', v.object({}))
  const answers = { 200: { description: 'Both.', body: v.object({ thing, other }) } }
  assert.throws(() => documentOf({ ...saveThing, answers }), /two schemas are named Thing/)
  const alone = { 200: { description: 'The other.', body: other } }
  assert.throws(() => documentOf({ ...saveThing, answers: alone }), /two schemas are named Thing/)
})
