/** Request heads over 4 KiB are accepted up to 32 KiB. Larger ones get an error in the form of the surface. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type RawAnswer, raw } from '../../kit/program/raw.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const KiB = 1024
let world: TestGateway
let token: string

before(async () => {
  world = await startTestGateway()
  token = (await world.signIn()).token
})
after(() => world.stop())

/** A head of exactly `size` bytes, padded with cookies of other applications. */
function headOf(size: number, first: string, ...lines: readonly string[]): string {
  const head = [`${first} HTTP/1.1`, 'host: localhost', 'x-request-id: large', ...lines, 'cookie: other='].join('\r\n')
  return `${head}${'x'.repeat(size - head.length - 4)}\r\n\r\n`
}

const health = (size: number) => headOf(size, 'GET /api/public/health')
const upgrade = (size: number) =>
  headOf(
    size,
    'GET /graphql',
    'upgrade: websocket',
    'connection: Upgrade',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol: graphql-transport-ws',
  )

function errorOf({ body }: RawAnswer): { code: string; message: string; requestId: string } {
  return (JSON.parse(body) as { error: { code: string; message: string; requestId: string } }).error
}

describe('on both listeners', () => {
  const ports = () => [world.gateway.port, world.gateway.agentPort]

  test('a request head of 32 KiB is accepted, in one packet or in many', async () => {
    for (const port of ports()) {
      const text = health(32 * KiB)
      assert.equal((await raw(port, [text])).status, 200)
      const parts = text.match(/[\s\S]{1,8192}/g)?.map((part) => ({ afterMs: 5, text: part })) ?? []
      assert.equal((await raw(port, parts)).status, 200)
    }
  })

  test('a request head of one byte more gets 431 with the error envelope', async () => {
    for (const port of ports()) {
      const answer = await raw(port, [health(32 * KiB + 1)])
      assert.equal(answer.status, 431)
      assert.match(answer.head, /^x-request-id: large$/im)
      const { code, message, requestId } = errorOf(answer)
      assert.deepEqual([code, requestId], ['REQUEST_HEAD_TOO_LARGE', 'large'])
      assert.match(message, /32769 bytes.*32768.*cookies/)
    }
  })

  test('a WebSocket upgrade with a head of 32 KiB is accepted and one byte more gets 431', async () => {
    for (const port of ports()) {
      assert.equal((await raw(port, [upgrade(32 * KiB)])).status, 101)
      const answer = await raw(port, [upgrade(32 * KiB + 1)])
      assert.equal(answer.status, 431)
      assert.equal(errorOf(answer).code, 'REQUEST_HEAD_TOO_LARGE')
    }
  })

  test('a much larger request head gets 431 too, and the connection ends', async () => {
    for (const port of ports())
      for (const size of [65, 200]) assert.equal((await raw(port, [health(size * KiB)])).status, 431)
  })
})

test('the path and query count as part of the head', async () => {
  const line = (size: number) => `GET /api/public/health?${'x'.repeat(size)} HTTP/1.1\r\nhost: localhost\r\n\r\n`
  assert.equal((await raw(world.gateway.port, [line(30 * KiB)])).status, 200)
  assert.equal((await raw(world.gateway.port, [line(33 * KiB)])).status, 431)
})

test('GraphQL and MCP refuse a large head in their own form', async () => {
  const body = JSON.stringify({ query: '{ health }' })
  const lines = ['content-type: application/json', `content-length: ${body.length}`, `authorization: Bearer ${token}`]
  const graphql = await raw(world.gateway.port, [headOf(40 * KiB, 'POST /api/graphql', ...lines) + body])
  assert.equal(graphql.status, 431)
  const [error] = (JSON.parse(graphql.body) as { errors: { extensions: { code: string } }[] }).errors
  assert.equal(error?.extensions.code, 'REQUEST_HEAD_TOO_LARGE')
  const mcp = await raw(world.gateway.port, [headOf(40 * KiB, 'POST /api/mcp', ...lines) + body])
  assert.equal(mcp.status, 431)
  assert.equal(
    (JSON.parse(mcp.body) as { error: { data: { code: string } } }).error.data.code,
    'REQUEST_HEAD_TOO_LARGE',
  )
})

test('the limit of a request head is a setting', async () => {
  const small = await startTestGateway({ settings: { limits: { requestHeadBytes: 8 * KiB } } })
  try {
    assert.equal((await raw(small.gateway.port, [health(8 * KiB)])).status, 200)
    assert.equal((await raw(small.gateway.port, [health(9 * KiB)])).status, 431)
  } finally {
    await small.stop()
  }
})

describe('a process that imports the program', () => {
  const url = (path: string) => JSON.stringify(pathToFileURL(`${import.meta.dirname}/../../../${path}`).href)
  const run = (code: string, env: NodeJS.ProcessEnv = {}) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: `${import.meta.dirname}/../../..`,
      env: { ...process.env, UWS_HTTP_MAX_HEADERS_SIZE: undefined, ...env },
      encoding: 'utf8',
    })
  const uws = `await import('uWebSockets.js')`

  test('gets the larger limit, whatever value the environment has', () => {
    const code = `await import(${url('gateway/http/uws.ts')}); process.stdout.write(process.env.UWS_HTTP_MAX_HEADERS_SIZE)`
    assert.equal(run(code).stdout, '65536')
    assert.equal(run(code, { UWS_HTTP_MAX_HEADERS_SIZE: '100' }).stdout, '65536')
  })

  test('fails with an explanation if it loaded uWebSockets.js before with a smaller limit', () => {
    const code = `${uws}; await import(${url('gateway/http/uws.ts')})`
    const refused = run(code)
    assert.notEqual(refused.status, 0)
    assert.match(refused.stderr, /uWebSockets\.js was loaded before .* UWS_HTTP_MAX_HEADERS_SIZE=65536/)
    assert.equal(run(code, { UWS_HTTP_MAX_HEADERS_SIZE: '65536' }).status, 0)
  })
})
