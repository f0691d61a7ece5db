/** The input of a declared route's handler, and the requests that are refused before it, over real HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pino from 'pino'
import * as v from 'valibot'
import { json } from '../../../gateway/http/answer.ts'
import { defaultLimits } from '../../../gateway/limits/limits.ts'
import { serve } from '../../../gateway/operations/restHandler.ts'
import { RouteRates } from '../../../gateway/rest/routeRate.ts'
import { routeOf } from '../../../gateway/rest/served.ts'
import { restRoute } from '../../../spec/rest/restRoute.ts'
import { systemClock } from '../../kit/runtime/systemClock.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { bearer } from './cases/call.ts'

const common = { tag: 'Server', summary: 'A route of this test', answers: {}, refusals: [] } as const

const saveThing = restRoute({
  ...common,
  name: 'saveThing',
  method: 'PUT',
  path: '/api/things/{id}/{part}',
  access: 'sessions',
  params: v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/, 'must be a number')), part: v.string() }),
  query: v.object({ dry: v.optional(v.picklist(['true', 'false'], 'must be "true" or "false"')) }),
  queryRefusal: 'BAD_USER_INPUT',
  body: {
    schema: v.object({ parts: v.array(v.object({ size: v.pipe(v.number(), v.integer()) })) }),
    limit: 'bodyBytes',
  },
})

const findThing = restRoute({
  ...common,
  name: 'findThing',
  method: 'GET',
  path: '/api/things',
  access: 'public',
  query: v.object({ path: v.string() }),
  queryRefusal: 'INVALID_PATH',
})

const pageThings = restRoute({
  ...common,
  name: 'pageThings',
  method: 'GET',
  path: '/api/things/page',
  access: 'public',
  query: v.strictObject({ limit: v.optional(v.string()) }),
  queryRefusal: 'BAD_USER_INPUT',
})

let world: TestGateway
let headers: Record<string, string>

before(async () => {
  const given = [
    serve(saveThing, ({ params, query, input }) => json(200, { params, query, input })),
    serve(pageThings, ({ query }) => json(200, query)),
    serve(findThing, ({ query, input }) => json(200, { query, input })),
  ]
  const services = {
    limits: defaultLimits,
    rates: new RouteRates(defaultLimits, systemClock),
    log: pino({ level: 'silent' }),
  }
  world = await startTestGateway({ options: { routes: given.map((one) => routeOf(one, services)) } })
  headers = { ...bearer((await world.signIn()).token), 'content-type': 'application/json' }
})
after(() => world.stop())

async function put(path: string, body: unknown = { parts: [] }) {
  const response = await fetch(`${world.url}/api/things/${path}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { error?: Record<string, unknown> } }
}

test('a handler gets only the declared parameters, query and body', async () => {
  const { status, body } = await put('7/a%2Fb?dry=true&dry=maybe&more=1', {
    parts: [{ size: 1, colour: 'red' }],
    more: 1,
  })
  assert.equal(status, 200)
  assert.deepEqual(body as unknown, {
    params: { id: '7', part: 'a/b' },
    query: { dry: 'true' },
    input: { parts: [{ size: 1 }] },
  })
})

test('an invalid value is refused with its field and the problem', async () => {
  const wrong: [string, unknown, string, string][] = [
    ['x/a', undefined, 'id', 'must be a number'],
    ['7/a?dry=maybe', undefined, 'dry', 'must be "true" or "false"'],
    ['7/a', {}, 'parts', 'must be given'],
    ['7/a', { parts: [{ size: 1.5 }] }, 'parts[0].size', 'Invalid integer: Received 1.5'],
    ['7/a', 7, 'body', 'Invalid type: Expected Object but received 7'],
  ]
  for (const [path, sent, field, problem] of wrong) {
    const { status, body } = await put(path, sent)
    const { requestId: _, ...error } = body.error ?? {}
    assert.deepEqual(
      [status, error],
      [400, { code: 'BAD_USER_INPUT', message: `${field}: ${problem}`, field, problem }],
      path,
    )
  }
})

test('an invalid query is refused with the code that the route declares', async () => {
  const response = await fetch(`${world.url}/api/things`)
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  assert.deepEqual([response.status, error.code, error.message], [400, 'INVALID_PATH', 'path: must be given'])
})

test('an unknown parameter of a strict query is refused', async () => {
  const response = await fetch(`${world.url}/api/things/page?limit=2&sort=size`)
  const { error } = (await response.json()) as { error: Record<string, unknown> }
  assert.deepEqual([response.status, error.code, error.field], [400, 'BAD_USER_INPUT', 'sort'])
  const page = await fetch(`${world.url}/api/things/page?limit=2&limit=3`)
  assert.deepEqual(await page.json(), { limit: '2' }, 'the first counts')
})
