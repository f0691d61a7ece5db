/** CORS: public ingestion answers pages of any origin, without credentials. No other route does. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const origin = 'https://app.example'
const ingestion = ['/api/telemetry/console-logs', '/api/telemetry/analytics-events', '/api/public/crash-reports']
let world: TestGateway

before(async () => {
  world = await startTestGateway({ settings: { limits: { telemetryRequestsPerMinute: 4 } } })
})
after(() => world.stop())

const preflight = (path: string) =>
  fetch(world.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  })

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(world.url + path, { method: 'POST', headers: { origin, 'content-type': 'application/json', ...headers }, body })

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

describe('public ingestion', () => {
  for (const path of ingestion)
    test(`${path} allows the preflight of any origin, without credentials`, async () => {
      const answer = await preflight(path)
      assert.equal(answer.status, 204)
      assert.deepEqual(corsOf(answer), {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, content-encoding, x-request-id',
        'access-control-expose-headers':
          'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
        'access-control-max-age': '7200',
      })
    })

  test('a page can read the response to a stored, a refused and a rate-limited request', async () => {
    const [path = ''] = ingestion
    const answers = [
      await post(path, '{"body":"x"}'),
      await post(path, '{}'),
      await post(path, '{}', { 'content-type': 'text/plain' }),
      await post(path, 'x'.repeat(2 * 1024 * 1024 + 1)),
      await post(path, '{"body":"x"}'),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 400, 415, 413, 429],
    )
    for (const answer of answers) {
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', `${answer.status}`)
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /retry-after/)
      assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
    }
  })

  test('a cookie is refused if it comes from a page of another origin', async () => {
    const { token } = await world.signIn()
    const answer = await post(ingestion[1] ?? '', '{"eventName":"x"}', { cookie: `signalbox=${token}` })
    assert.equal(answer.status, 403)
  })
})

test('no other route allows another origin, neither for a preflight nor for a request', async () => {
  const others = restRoutes
    .filter(({ path }) => !ingestion.includes(path))
    .map(({ method, path }) => ({ method, path }))
  const all = [
    ...others,
    { method: 'POST', path: '/api/graphql' },
    { method: 'POST', path: '/api/mcp' },
    { method: 'GET', path: '/api/public/agent/signalbox-agent.mjs' },
    { method: 'GET', path: '/api/public/dsym/signalbox-dsym.mjs' },
    { method: 'POST', path: '/api/nothing' },
  ]
  for (const { method, path } of all) {
    assert.deepEqual(corsOf(await preflight(path)), {}, path)
    const answer = await fetch(world.url + path, { method, headers: { origin }, redirect: 'manual' })
    assert.deepEqual(corsOf(answer), {}, path)
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin', path)
  }
})
