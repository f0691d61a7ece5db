/** A JSON body requires matching headers on every route: the media type, UTF-8, and no compression. */
import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operations } from '../../../gateway/operations/operations.ts'
import { restRoutes } from '../../../spec/rest/routes.ts'
import { raw } from '../../kit/program/raw.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
let token: string

before(async () => {
  world = await startTestGateway({ options: { operations } })
  token = (await world.signIn()).token
})
after(() => world.stop())

type Headers = Readonly<Record<string, string>>

/** Over a plain connection, since `fetch` adds a Content-Type of its own. */
async function post(path: string, body: string | Buffer, headers: Headers, credential = true) {
  const lines = Object.entries({
    ...(credential ? { authorization: `Bearer ${token}` } : {}),
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n`
  const answer = await raw(world.gateway.port, [Buffer.concat([Buffer.from(head), Buffer.from(body)])])
  return { status: answer.status, body: answer.body }
}

const restPaths = restRoutes.filter(({ body }) => body !== undefined).map(({ path, access }) => ({ path, access }))
const paths = [...restPaths, { path: '/api/graphql', access: 'graphql' }, { path: '/api/mcp', access: 'mcp' }]
const unsupported: readonly [what: string, headers: Headers, says: RegExp][] = [
  ['no Content-Type', {}, /Content-Type is missing/],
  ['another media type', { 'content-type': 'text/plain' }, /text\/plain/],
  ['a media type that only begins the same', { 'content-type': 'application/jsonp' }, /application\/jsonp/],
  ['another charset', { 'content-type': 'application/json; charset=ISO-8859-1' }, /iso-8859-1/],
  ['another charset in quotes', { 'content-type': 'application/json;charset="utf-16"' }, /utf-16/],
  ['compression', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, /Content-Encoding.*gzip/],
  ['two encodings', { 'content-type': 'application/json', 'content-encoding': 'identity, br' }, /identity, br/],
]

for (const { path, access } of paths)
  describe(path, () => {
    for (const [what, headers, says] of unsupported)
      test(`${what} gets 415`, async () => {
        const body = headers['content-encoding'] === 'gzip' ? gzipSync('{}') : '{}'
        const answer = await post(path, body, headers, access !== 'visitors' && access !== 'public')
        equal(answer.status, 415, answer.body)
        match(answer.body, says)
      })
  })

describe('the server accepts', () => {
  const good: readonly Headers[] = [
    { 'content-type': 'application/json' },
    { 'content-type': 'Application/JSON; charset=UTF-8' },
    { 'content-type': 'application/json;charset="utf-8"' },
    { 'content-type': 'application/json; charset=utf-8; profile=x', 'content-encoding': 'identity' },
  ]
  test('JSON in UTF-8, in each notation of the media type', async () => {
    for (const headers of good) {
      equal((await post('/api/graphql', '{"query":"{ health }"}', headers)).status, 200)
      equal((await post('/api/telemetry/console-logs', '{"body":"é"}', headers)).status, 201)
      equal((await post('/api/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}', headers)).status, 200)
    }
  })

  test('a request without a body and without a media type', async () => {
    const headers = { 'content-length': '0' }
    const answers = await Promise.all([
      post('/api/auth/revoke-other-sessions', '', headers),
      post('/api/auth/api-key/create', '', headers),
      post('/api/auth/sign-in/email', '', headers, false),
    ])
    deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 400],
    )
  })
})

describe('without a credential', () => {
  const query = 'mutation($i: EnrollAgentInput!) { enrollAgent(input: $i) { agentId } }'
  const json = { 'content-type': 'application/json' }
  async function enrolling(): Promise<{ query: string; variables: object }> {
    const { token: enrollment } = await world.enrollment()
    const i = { token: enrollment, hostname: 'box', platform: 'linux', arch: 'x64', version: '1' }
    return { query, variables: { i } }
  }

  test('a GraphQL batch gets 401, with and without an enrollment token in it', async () => {
    const one = await enrolling()
    for (const batch of [[], [{ query: '{ health }' }], [one], [one, { query: '{ health }' }]]) {
      const answer = await post('/api/graphql', JSON.stringify(batch), json, false)
      equal(answer.status, 401, answer.body)
      match(answer.body, /UNAUTHENTICATED/)
    }
  })

  test('a request that is not exactly one enrollAgent gets 401, even with a valid token', async () => {
    const one = await enrolling()
    const odd = [
      { ...one, variables: [one.variables] },
      { ...one, extensions: [] },
      { ...one, query: 7 },
    ]
    for (const body of [...odd.map((each) => JSON.stringify(each)), `${JSON.stringify(one)}}`])
      equal((await post('/api/graphql', body, json, false)).status, 401)
    equal((await post('/api/graphql', JSON.stringify(one), json, false)).status, 200)
  })
})
