/** Redirects: each is checked as the first URL is, and no credential goes to another origin. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { client, endless, failure, problem, redirects, says, serve } from './servers.ts'

const secrets = {
  authorization: 'Bearer hush-1',
  cookie: 'hush=2',
  'proxy-authorization': 'Basic hush-3',
  'x-api-key': 'hush-4',
  'x-linear-token': 'hush-5',
  'x-harmless': 'harmless',
}
const request = { headers: secrets, credentialHeaders: ['X-Linear-Token'] }
const hushed = (headers: object) => /hush/.test(JSON.stringify(headers))

test('up to five redirects are followed, and the answer has the URL that it came from', async (t) => {
  const steps = Object.fromEntries([0, 1, 2, 3, 4, 5].map((n) => [`/${n}`, [302, `${n + 1}`] as const]))
  const { port, seen } = await serve(t, redirects(steps))
  const url = `http://here.example:${port}`
  const answer = await client().fetch(`${url}/1#part`, request)
  assert.deepEqual([answer.status, await answer.text(), answer.url], [200, 'here is /6', `${url}/6`])
  assert.ok(
    seen.every(({ headers }) => hushed(headers)),
    'on one origin credentials stay',
  )
  assert.equal(await problem(client().fetch(`${url}/0`)), 'TOO_MANY_REDIRECTS')
})

describe('a redirect to another origin', () => {
  const elsewhere = ['http://there.example', 'http://here.example'] as const
  for (const host of elsewhere)
    test(`(${host.slice(7)} with another port) sends no credential there, and none back`, async (t) => {
      const there = await serve(t, (_request, response) => {
        response.writeHead(307, { location: `http://here.example:${here.port}/back` }).end()
      })
      const here = await serve(t, redirects({ '/': [302, `${host}:${there.port}/on`] }))
      const answer = await client().fetch(`http://here.example:${here.port}/`, request)
      assert.equal(await answer.text(), 'here is /back')
      assert.equal(hushed(here.seen[0]?.headers ?? {}), true)
      for (const { headers } of [there.seen[0], here.seen[1]].filter((one) => one !== undefined)) {
        assert.equal(hushed(headers), false, JSON.stringify(headers))
        assert.equal(headers['x-harmless'], 'harmless')
        assert.equal(headers.referer, undefined)
      }
    })

  test('is refused if the request has a body, since the body may hold a credential', async (t) => {
    const there = await serve(t, says('there'))
    const here = await serve(t, redirects({ '/': [307, `http://there.example:${there.port}/`] }))
    const asked = client().fetch(`http://here.example:${here.port}/`, { method: 'POST', body: 'secret=hush' })
    assert.equal(await problem(asked), 'FORBIDDEN_REDIRECT')
    assert.deepEqual(there.seen, [])
  })
})

describe('the client refuses a redirect', () => {
  const targets: readonly [words: string, location: string, problem: string][] = [
    ['to this machine', 'http://127.0.0.1:9/', 'FORBIDDEN_ADDRESS'],
    ['to a private name', 'http://private.example/', 'FORBIDDEN_ADDRESS'],
    ['to metadata', 'http://169.254.169.254/latest/meta-data/', 'FORBIDDEN_ADDRESS'],
    ['to metadata in hex', '//0xa9fea9fe/', 'FORBIDDEN_ADDRESS'],
    ['to mapped IPv6', 'http://[::ffff:169.254.169.254]/', 'FORBIDDEN_ADDRESS'],
    ['to an unknown host', 'http://unknown.example/', 'UNKNOWN_HOST'],
    ['to a file', 'file:///etc/passwd', 'FORBIDDEN_REDIRECT'],
    ['to another protocol', 'gopher://public.example/', 'FORBIDDEN_REDIRECT'],
    ['with a password', 'http://ada:hush@here.example/', 'FORBIDDEN_REDIRECT'],
    ['to an invalid URL', 'http://[', 'FORBIDDEN_REDIRECT'],
  ]
  for (const [words, location, expected] of targets)
    test(words, async (t) => {
      const { port } = await serve(t, redirects({ '/': [302, location] }))
      const outbound = client({ 'private.example': '192.168.0.1' })
      const { problem, message } = await failure(outbound.fetch(`http://here.example:${port}/`))
      assert.equal(problem, expected)
      assert.ok(!/hush|passwd|meta-data|192\.168/.test(message), message)
    })
})

describe('the method', () => {
  const ways: readonly [method: string, status: number, becomes: string][] = [
    ['POST', 301, 'GET'],
    ['POST', 302, 'GET'],
    ['POST', 303, 'GET'],
    ['POST', 307, 'POST'],
    ['POST', 308, 'POST'],
    ['PUT', 302, 'PUT'],
    ['PUT', 303, 'GET'],
    ['HEAD', 303, 'HEAD'],
    ['GET', 308, 'GET'],
  ]
  for (const [method, status, becomes] of ways)
    test(`${method} after ${status} is ${becomes}`, async (t) => {
      const { port, seen } = await serve(t, redirects({ '/': [status, '/next'] }))
      const body = method === 'POST' || method === 'PUT' ? { body: 'a=1' } : {}
      const headers = { 'content-type': 'text/x-test' }
      await (await client().fetch(`http://here.example:${port}/`, { method, headers, ...body })).text()
      const [, next] = seen
      assert.equal(next?.method, becomes)
      assert.equal(next?.body, becomes === method ? (body.body ?? '') : '')
      assert.equal(next?.headers['content-type'], becomes === method ? 'text/x-test' : undefined)
    })

  test('a body that can be sent only once is not sent twice', async (t) => {
    const { port } = await serve(t, redirects({ '/': [308, '/next'] }))
    const body = new Blob(['once']).stream()
    assert.equal(
      await problem(client().fetch(`http://here.example:${port}/`, { method: 'PUT', body })),
      'FORBIDDEN_REDIRECT',
    )
  })
})

test('a caller that allows no redirects gets the answer itself, or a failure', async (t) => {
  const { port, seen } = await serve(t, redirects({ '/': [302, '/next'] }))
  const answer = await client().fetch(`http://here.example:${port}/`, { redirect: 'manual' })
  assert.deepEqual([answer.status, answer.headers.get('location'), await answer.text()], [302, '/next', 'elsewhere'])
  const asked = client().fetch(`http://here.example:${port}/`, { redirect: 'error' })
  assert.equal(await problem(asked), 'FORBIDDEN_REDIRECT')
  assert.equal(seen.length, 2)
})

test('304 and a redirect without a location are returned as answers', async (t) => {
  const { port } = await serve(t, ({ url }, response) => void response.writeHead(Number(url?.slice(1))).end())
  for (const status of [300, 302, 304])
    assert.equal((await client().fetch(`http://here.example:${port}/${status}`)).status, status)
})

test('the body of a redirect is not read, and its connection is closed', async (t) => {
  const there = await serve(t, says('there'))
  const { answer, closed } = endless({ status: 302, location: `http://there.example:${there.port}/` })
  const { port } = await serve(t, answer)
  assert.equal(await (await client().fetch(`http://here.example:${port}/`)).text(), 'there')
  await closed
})
