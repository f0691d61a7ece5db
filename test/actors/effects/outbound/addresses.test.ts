/** Whom the client connects to: what a URL's host means is looked up once, checked, and used as it was checked. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { client, failure, type Names, problem, says, serve } from './servers.ts'

const names: Names = {
  'public.example': '93.184.215.14',
  'private.example': '10.0.0.1',
  'metadata.example': '169.254.169.254',
  'both.example': ['93.184.215.14', '10.0.0.1'],
  'mapped.example': '::ffff:10.0.0.1',
  'zone.example': 'fe80::1%eth0',
  'octal.example': '0177.0.0.1',
  localhost: '127.0.0.1',
  'empty.example': [],
}

/** Without OUTBOUND_ALLOW. Nothing of these may be connected to. */
const refused: readonly [words: string, url: string, problem: string][] = [
  ['this machine', 'http://127.0.0.1', 'FORBIDDEN_ADDRESS'],
  ['this machine by name', 'http://localhost', 'FORBIDDEN_ADDRESS'],
  ['this machine by name, with a dot', 'http://LOCALHOST.', 'FORBIDDEN_ADDRESS'],
  ['this machine in decimal', 'http://2130706433', 'FORBIDDEN_ADDRESS'],
  ['this machine in hex', 'http://0x7f000001', 'FORBIDDEN_ADDRESS'],
  ['this machine in octal', 'http://0177.0.0.01', 'FORBIDDEN_ADDRESS'],
  ['this machine in short form', 'http://127.1', 'FORBIDDEN_ADDRESS'],
  ['this machine with a dot', 'http://127.0.0.1.', 'FORBIDDEN_ADDRESS'],
  ['this machine in wide letters', 'http://１２７.0.0.1', 'FORBIDDEN_ADDRESS'],
  ['all zeros', 'http://0', 'FORBIDDEN_ADDRESS'],
  ['IPv6 loopback', 'http://[::1]', 'FORBIDDEN_ADDRESS'],
  ['IPv6 unspecified', 'http://[::]', 'FORBIDDEN_ADDRESS'],
  ['mapped', 'http://[::ffff:127.0.0.1]', 'FORBIDDEN_ADDRESS'],
  ['mapped, in hex', 'http://[::ffff:7f00:1]', 'FORBIDDEN_ADDRESS'],
  ['compatible', 'http://[::7f00:1]', 'FORBIDDEN_ADDRESS'],
  ['NAT64', 'http://[64:ff9b::a9fe:a9fe]', 'FORBIDDEN_ADDRESS'],
  ['6to4', 'http://[2002:a9fe:a9fe::1]', 'FORBIDDEN_ADDRESS'],
  ['a zone', 'http://[fe80::1%25eth0]', 'BAD_URL'],
  ['metadata', 'http://169.254.169.254/latest/meta-data/', 'FORBIDDEN_ADDRESS'],
  ['metadata by name', 'https://metadata.example', 'FORBIDDEN_ADDRESS'],
  ['a private name', 'https://private.example', 'FORBIDDEN_ADDRESS'],
  ['a name that is public and private', 'https://both.example', 'FORBIDDEN_ADDRESS'],
  ['a name that is mapped', 'https://mapped.example', 'FORBIDDEN_ADDRESS'],
  ['a name with a zone', 'https://zone.example', 'FORBIDDEN_ADDRESS'],
  ['a name that resolves to no valid address', 'https://octal.example', 'FORBIDDEN_ADDRESS'],
  ['a name that resolves to no address', 'https://empty.example', 'UNKNOWN_HOST'],
  ['an unknown name', 'https://unknown.example', 'UNKNOWN_HOST'],
  ['another scheme', 'ftp://public.example', 'BAD_URL'],
  ['a file', 'file:///etc/passwd', 'BAD_URL'],
  ['data', 'data:text/plain,hush', 'BAD_URL'],
  ['a user and a password', 'https://ada:hush@public.example', 'BAD_URL'],
  ['half a URL', '/latest/meta-data', 'BAD_URL'],
]

describe('refused without OUTBOUND_ALLOW:', () => {
  for (const [words, url, expected] of refused)
    test(words, async () => {
      const { problem, message } = await failure(client(names, undefined).fetch(url))
      assert.equal(problem, expected)
      assert.ok(!/hush|10\.0\.0\.1|169\.254\.169\.254\/|getaddrinfo/.test(message), message)
    })
})

describe('OUTBOUND_ALLOW', () => {
  const allowed: readonly [words: string, allow: string, host: string][] = [
    ['a name', 'inside.example', 'inside.example'],
    ['a name in capitals', 'Inside.Example', 'inside.example'],
    ['a name, asked for with a dot', 'inside.example', 'inside.example.'],
    ['an address', '127.0.0.1', '127.0.0.1'],
    ['a range', '127.0.0.0/8', 'inside.example'],
    ['an address, asked for by its mapped form', '127.0.0.1', '[::ffff:127.0.0.1]'],
  ]
  for (const [words, allow, host] of allowed)
    test(`lets ${words} through`, async (t) => {
      const { port } = await serve(t, says('inside'))
      const answer = await client({ 'inside.example': '127.0.0.1' }, allow).fetch(`http://${host}:${port}`)
      assert.equal(await answer.text(), 'inside')
    })

  const not: readonly [words: string, allow: string, host: string][] = [
    ['a name below an allowed one', 'example', 'inside.example'],
    ['a name that ends like an allowed one', 'inside.example', 'notinside.example'],
    ['the address of an allowed name', 'inside.example', '127.0.0.1'],
    ['an address beside an allowed one', '127.0.0.2', 'inside.example'],
    ['a name with one allowed address and one that is not', '127.0.0.1', 'two.example'],
  ]
  const inside = { 'inside.example': '127.0.0.1', 'notinside.example': '127.0.0.1' }
  for (const [words, allow, host] of not)
    test(`does not let through ${words}`, async () => {
      const outbound = client({ ...inside, 'two.example': ['127.0.0.1', '10.0.0.1'] }, allow)
      assert.equal(await problem(outbound.fetch(`http://${host}:9`)), 'FORBIDDEN_ADDRESS')
    })
})

describe('a name that resolves to another address the second time', () => {
  const rebinding: Names = { 'rebind.example': (look) => [look === 1 ? '127.0.0.1' : '127.0.0.2'] }

  test('is looked up once, and the connection goes to the checked address', async (t) => {
    const { port, seen } = await serve(t, says('the checked one'))
    const outbound = client(rebinding, '127.0.0.1')
    assert.equal(await (await outbound.fetch(`http://rebind.example:${port}`)).text(), 'the checked one')
    assert.deepEqual(outbound.looked, ['rebind.example'])
    assert.equal(seen[0]?.headers.host, `rebind.example:${port}`)
  })

  test('is checked again by the next request, and by a redirect to itself', async (t) => {
    const { port, seen } = await serve(t, (_request, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    const outbound = client(rebinding, '127.0.0.1')
    assert.equal(await problem(outbound.fetch(`http://rebind.example:${port}`)), 'FORBIDDEN_ADDRESS')
    assert.equal(await problem(outbound.fetch(`http://rebind.example:${port}`)), 'FORBIDDEN_ADDRESS')
    assert.equal(seen.length, 1)
  })
})

describe('IPv6', () => {
  test('is reached by literal and by name, and Host has the brackets of a literal', async (t) => {
    const server = await serve(t, says('six'), { host: '::1' }).catch(() => undefined)
    if (server === undefined) return t.skip('this machine has no IPv6')
    const outbound = client({ 'six.example': '::1' }, '::1')
    assert.equal(await (await outbound.fetch(`http://[0::1]:${server.port}`)).text(), 'six')
    assert.equal(await (await outbound.fetch(`http://six.example:${server.port}`)).text(), 'six')
    assert.deepEqual(
      server.seen.map(({ headers }) => headers.host),
      [`[::1]:${server.port}`, `six.example:${server.port}`],
    )
    assert.deepEqual(outbound.looked, ['six.example'])
  })

  test('is replaced by IPv4 if it does not answer', async (t) => {
    const { port } = await serve(t, says('four'))
    const outbound = client({ 'dual.example': ['::1', '127.0.0.1'] }, 'dual.example')
    assert.equal(await (await outbound.fetch(`http://dual.example:${port}`)).text(), 'four')
  })
})
