/** Requests and responses: bodies, timeouts, limits, aborts and the messages of failures. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { OutboundFailed } from '../../../../spec/core/outboundFailed.ts'
import { type Answer, client, endless, failure, problem, redirects, says, serve } from './servers.ts'

const secret = { authorization: 'Bearer hush-hush' }
const here = (port: number, path = '/') => `http://here.example:${port}${path}`

/** A TCP server that sends only the bytes of the test. */
async function raw(t: TestContext, talk: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    talk(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

const writes =
  (text: string, end = false) =>
  (socket: Socket) =>
    void socket.once('data', () => (end ? socket.end(text) : socket.write(text)))

/** A body of two parts with a pause between them. */
function lasting(ms: number): ReadableStream {
  let parts = 0
  return new ReadableStream({
    async pull(controller) {
      if (parts++ === 2) return controller.close()
      await sleep(parts === 2 ? ms : 0)
      controller.enqueue(new Uint8Array(9))
    },
  })
}

describe('a request', () => {
  test('is sent unchanged, with the headers that every request has', async (t) => {
    const { port, seen } = await serve(t, says('hello'))
    const headers = { ...secret, 'content-type': 'application/json', Accept: 'text/event-stream' }
    const answer = await client().fetch(here(port, '/a%20b?c=d#e'), { method: 'POST', headers, body: '{"a":"ü"}' })
    assert.deepEqual([answer.ok, await answer.text()], [true, 'hello'])
    const [{ method, path, body, headers: got } = assert.fail()] = seen
    assert.deepEqual([method, path, body], ['POST', '/a%20b?c=d', '{"a":"ü"}'])
    assert.equal(got.host, `here.example:${port}`)
    assert.deepEqual(
      [got.accept, got['user-agent'], got['accept-encoding'], got['content-length'], got.authorization],
      ['text/event-stream', 'signalbox', 'identity', '10', secret.authorization],
    )
  })

  test('can have a form, bytes, a stream or nothing as its body', async (t) => {
    const { port, seen } = await serve(t, says(''))
    const form = new URLSearchParams({ a: '1 2' })
    const stream = new ReadableStream({
      start(controller) {
        for (const part of ['one ', 'two']) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    for (const body of [form, new Uint8Array([104, 105]), stream, null])
      await client().fetch(here(port), { method: 'POST', body })
    assert.deepEqual(
      seen.map(({ body, headers }) => [body, headers['content-type'], headers['content-length']]),
      [
        ['a=1+2', 'application/x-www-form-urlencoded;charset=UTF-8', '5'],
        ['hi', undefined, '2'],
        ['one two', undefined, undefined],
        ['', undefined, '0'],
      ],
    )
  })

  test('ignores given headers that would change its host, its length or its connection', async (t) => {
    const { port, seen } = await serve(t, says(''))
    const headers = {
      Host: 'inside.example',
      'Content-Length': '1',
      'Transfer-Encoding': 'chunked',
      Connection: 'upgrade',
    }
    await client().fetch(here(port), { method: 'POST', headers, body: 'whole' })
    const [{ body, headers: got } = assert.fail()] = seen
    assert.deepEqual(
      [body, got.host, got['content-length'], got['transfer-encoding'], got.connection],
      ['whole', `here.example:${port}`, '5', undefined, 'close'],
    )
  })

  const unsendable: readonly [words: string, request: RequestInit][] = [
    ['a header of two lines', { headers: { authorization: 'Bearer hush\r\nHost: inside' } }],
    ['a header outside Latin-1', { headers: { authorization: 'Bearer hush 🔑' } }],
    ['a header with a bad name', { headers: { 'hush hush': 'x' } }],
    ['a method of two words', { method: 'GET /hush' }],
    ['CONNECT', { method: 'CONNECT' }],
    ['a GET with a body', { body: 'hush' }],
  ]
  for (const [words, request] of unsendable)
    test(`with ${words} is not sent, and its failure does not quote it`, async () => {
      const { problem, message } = await failure(client().fetch('http://here.example:9', request))
      assert.equal(problem, 'BAD_REQUEST')
      assert.ok(!message.includes('hush'), message)
    })

  test('whose body ends in an error fails, and the server receives no complete request', async (t) => {
    const { port, seen } = await serve(t, says(''))
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('hush')) })
    const { problem, message } = await failure(client().fetch(here(port), { method: 'PUT', body }))
    assert.deepEqual([problem, message.includes('hush'), seen.length], ['BAD_REQUEST', false, 0])
  })
})

describe('an answer', () => {
  test('arrives in parts as they are sent, and its sender is slowed down while no part is read', async (t) => {
    const { answer, written, closed } = endless()
    const { port } = await serve(t, answer)
    const { body } = await client().fetch(here(port), { limits: { maxBytes: Infinity } })
    const reader = body?.getReader() ?? assert.fail()
    assert.ok(((await reader.read()).value?.length ?? 0) > 0)
    await sleep(100)
    const before = written()
    await sleep(100)
    assert.equal(written(), before, 'the server continued to send although no part was read')
    await reader.cancel()
    await closed
  })

  test('can have any status', async (t) => {
    const { port } = await serve(t, ({ url }, response) => response.writeHead(Number(url?.slice(1))).end('text'))
    for (const status of [200, 204, 401, 404, 418, 500, 599]) {
      const answer = await client().fetch(here(port, `/${status}`))
      assert.deepEqual([answer.status, await answer.text()], [status, status === 204 ? '' : 'text'])
    }
  })

  test('to HEAD keeps its Content-Length, which may exceed the limit, and has no body', async (t) => {
    const { port } = await serve(t, (_request, response) =>
      response.writeHead(200, { 'content-length': '99999999' }).end(),
    )
    const answer = await client().fetch(here(port), { method: 'HEAD', limits: { maxBytes: 1 } })
    assert.deepEqual([answer.headers.get('content-length'), await answer.text()], ['99999999', ''])
  })

  test('keeps each of its cookies', async (t) => {
    const { port } = await serve(t, (_request, response) =>
      response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(),
    )
    assert.deepEqual((await client().fetch(here(port))).headers.getSetCookie(), ['a=1', 'b=2'])
  })

  const broken: readonly [words: string, talk: (socket: Socket) => void, problem: string][] = [
    ['that is not HTTP', writes('SSH-2.0-OpenSSH_9.6 hush\r\n'), 'BAD_ANSWER'],
    ['with an endless head', writes(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`), 'BAD_ANSWER'],
    ['with a status that does not exist', writes('HTTP/1.1 999 Hush\r\n\r\n', true), 'BAD_ANSWER'],
    ['in another protocol', writes('HTTP/1.1 101 Hush\r\nConnection: upgrade\r\nUpgrade: hush\r\n\r\n'), 'BAD_ANSWER'],
    ['that is only a closed connection', (socket) => void socket.once('data', () => socket.end()), 'BROKEN'],
    ['that breaks off in its head', writes('HTTP/1.1 200 OK\r\nhush', true), 'BROKEN'],
    ['that breaks off in its body', writes('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhush', true), 'BROKEN'],
    [
      'that breaks off between chunks',
      writes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhush\r\n', true),
      'BROKEN',
    ],
  ]
  for (const [words, talk, expected] of broken)
    test(`${words} is ${expected}`, async (t) => {
      const port = await raw(t, talk)
      const { problem, message } = await failure(
        client()
          .fetch(here(port))
          .then((answer) => answer.text()),
      )
      assert.equal(problem, expected, message)
      assert.ok(!/hush/i.test(message), message)
    })

  test('can arrive before the whole request was sent', async (t) => {
    const port = await raw(t, writes('HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nless'))
    const body = new ReadableStream({
      pull: async (controller) => controller.enqueue(new Uint8Array(await sleep(5, 1_000))),
    })
    const answer = await client().fetch(here(port), { method: 'PUT', body, limits: { firstByteMs: 300 } })
    assert.deepEqual([answer.status, await answer.text()], [413, 'less'])
  })
})

describe('the limit of the body', () => {
  test('refuses a body whose Content-Length is greater, and allows a body of exactly that length', async (t) => {
    const { port } = await serve(t, says('x'.repeat(101)))
    assert.equal(await problem(client().fetch(here(port), { limits: { maxBytes: 100 } })), 'TOO_LARGE')
    const answer = await client().fetch(here(port), { limits: { maxBytes: 101 } })
    assert.equal((await answer.text()).length, 101)
  })

  test('ends a body that does not end by itself, and its connection', async (t) => {
    const { answer, written, closed } = endless()
    const { port } = await serve(t, answer)
    const response = await client().fetch(here(port), { limits: { maxBytes: 1_000_000 } })
    assert.equal(await problem(response.text()), 'TOO_LARGE')
    await closed
    assert.ok(written() < 20_000_000, `${written()} bytes were written`)
  })
})

describe('a time-out', () => {
  const silent = () => {}
  const slow: Answer = (_request, response) => {
    const timer = setInterval(() => response.write('.'), 20)
    response.once('close', () => clearInterval(timer))
  }

  test('of the connection ends a look-up that hangs', async (t) => {
    const port = await raw(t, silent)
    const stuck = client({ 'stuck.example': () => new Promise(() => {}) })
    const asked = stuck.fetch(`http://stuck.example:${port}`, { limits: { connectMs: 50 } })
    const { problem, message } = await failure(asked)
    assert.deepEqual([problem, message], ['TIMED_OUT', `stuck.example:${port} could not be connected to within 50 ms.`])
  })

  test('names the host that a redirect led to', async (t) => {
    const port = await raw(t, silent)
    const server = await serve(t, redirects({ '/': [302, `http://there.example:${port}/`] }))
    const { message } = await failure(client().fetch(here(server.port), { limits: { firstByteMs: 100 } }))
    assert.equal(message, `there.example:${port} did not answer within 100 ms.`)
  })

  test('of the connection ends a TLS handshake that hangs', async (t) => {
    const port = await raw(t, silent)
    const asked = client().fetch(`https://here.example:${port}`, { limits: { connectMs: 50 } })
    assert.match((await failure(asked)).message, /could not be connected to within 50 ms/)
  })

  test('of the first byte ends a request that gets no answer', async (t) => {
    const port = await raw(t, silent)
    const { problem, message } = await failure(client().fetch(here(port), { limits: { firstByteMs: 50 } }))
    assert.deepEqual([problem, message], ['TIMED_OUT', `here.example:${port} did not answer within 50 ms.`])
  })

  test('of the whole request ends an answer whose head does not end', async (t) => {
    const port = await raw(t, writes('HTTP/1.1 200 OK\r\nx: '))
    assert.equal(await problem(client().fetch(here(port), { limits: { wholeMs: 50 } })), 'TIMED_OUT')
  })

  test('of the whole request ends an answer whose body arrives too slowly', async (t) => {
    const { port } = await serve(t, slow)
    const answer = await client().fetch(here(port), { limits: { wholeMs: 1_500 } })
    assert.equal(await problem(answer.text()), 'TIMED_OUT')
  })

  test('of the whole request ends an answer that the caller does not read', async (t) => {
    const { answer, closed } = endless()
    const { port } = await serve(t, answer)
    const response = await client().fetch(here(port), { limits: { wholeMs: 1_500 } })
    await closed
    assert.equal(await problem(response.text()), 'TIMED_OUT')
  })

  test('of the whole request counts redirects too', async (t) => {
    const { port } = await serve(t, async (_request, response) => {
      await sleep(60)
      response.writeHead(302, { location: '/' }).end()
    })
    const limits = { wholeMs: 150, firstByteMs: 100 }
    assert.equal(await problem(client().fetch(here(port), { limits })), 'TIMED_OUT')
  })

  test('of the first byte does not run while the request is sent, nor after the head of the answer', async (t) => {
    const { port } = await serve(t, says('taken'))
    const limits = { firstByteMs: 1_000 }
    const answer = await client().fetch(here(port), { method: 'PUT', body: lasting(1_500), limits })
    assert.equal(await answer.text(), 'taken')
    const early = await raw(t, async (socket) => {
      await once(socket, 'data')
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n')
      await sleep(1_500)
      socket.write('slow')
    })
    const slowly = await client().fetch(here(early), { method: 'PUT', body: lasting(100), limits })
    assert.equal(await slowly.text(), 'slow')
  })

  test('is canceled when the answer has ended, and when the request has failed', async (t) => {
    const { port } = await serve(t, redirects({ '/': [302, '/done'] }))
    const outbound = client()
    assert.equal(await (await outbound.fetch(here(port))).text(), 'here is /done')
    assert.equal(outbound.timers.size, 0)
    await (await outbound.fetch(here(port))).body?.cancel()
    assert.equal(outbound.timers.size, 0)
    assert.equal((await outbound.fetch(here(port), { method: 'HEAD' })).status, 200)
    assert.equal(outbound.timers.size, 0)
    assert.equal(await problem(outbound.fetch(here(port), { redirect: 'error' })), 'FORBIDDEN_REDIRECT')
    assert.equal(await problem(outbound.fetch('http://unknown.example')), 'UNKNOWN_HOST')
    assert.equal(outbound.timers.size, 0)
  })
})

describe('a signal', () => {
  test('ends the look-up, the waiting and the body, with its own reason', async (t) => {
    const port = await raw(t, () => {})
    const reason = new Error('enough')
    const mine = (error: unknown) => error === reason
    await assert.rejects(client().fetch(here(port), { signal: AbortSignal.abort(reason) }), mine)
    const waiting = new AbortController()
    setTimeout(() => waiting.abort(reason), 50)
    await assert.rejects(client().fetch(here(port), { signal: waiting.signal }), mine)

    const { answer, closed } = endless()
    const server = await serve(t, answer)
    const reading = new AbortController()
    const response = await client().fetch(here(server.port), { signal: reading.signal })
    reading.abort(reason)
    await assert.rejects(response.text(), mine)
    await closed
  })
})

test('a host that refuses the connection is UNREACHABLE, and the failure is retryable', async () => {
  await assert.rejects(client().fetch('http://here.example:1'), (error: Error) => {
    assert.ok(error instanceof OutboundFailed)
    assert.deepEqual([error.problem, error.retryable], ['UNREACHABLE', true])
    assert.equal(error.message, "here.example can't be reached (ECONNREFUSED).")
    assert.equal(error.cause, undefined)
    return true
  })
})
