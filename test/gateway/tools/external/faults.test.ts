/** Faulty servers: every call ends and reports the problem, and no call that may have taken effect is sent twice. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ScriptedServer, startScripted, text, tool } from '../../../kit/program/servers/scriptedServer.ts'
import { available, type ExternalSystem, failureOf, startExternal } from './externalSystem.ts'

let server: ScriptedServer
before(async () => {
  server = await startScripted()
})
after(() => server.stop())
const manners = { answer: (() => text('done')) as ScriptedServer['answer'], before: () => false, pageSize: 1_000 }
afterEach(() => {
  Object.assign(server, manners, { tools: [tool('echo')], seen: [], calls: [], cancelled: [] })
  server.forgetSessions()
})

const whenever = async (holds: () => boolean): Promise<void> => {
  for (let waited = 0; !holds(); waited += 20) {
    assert.ok(waited < 5_000, 'it never came')
    await sleep(20)
  }
}

for (const transport of ['STREAMABLE_HTTP', 'SSE'] as const) {
  describe(`over ${transport}`, () => {
    const add = (bench: ExternalSystem, more: { headers?: Record<string, string> } = {}) =>
      bench.add({ url: transport === 'SSE' ? server.sseUrl : server.url, transport, ...more })

    test('if the server breaks the connection during a call, the call fails at once and is not sent again', async (t) => {
      const bench = await startExternal(t)
      const id = await add(bench)
      await bench.call(id, 'echo')
      server.answer = () => {
        server.cut()
        return new Promise(() => {})
      }
      const { outcome, code, message } = await failureOf(bench.call(id, 'echo'))
      assert.deepEqual([outcome, code], ['TRANSPORT_ERROR', 'UNREACHABLE'])
      assert.match(message, /may have taken effect/)
      assert.equal(server.calls.length, 2)
      server.answer = manners.answer
      assert.deepEqual(await bench.call(id, 'echo'), text('done'), 'and the next one has a connection of its own')
    })

    test('if the server hangs, the call ends after the idle time, and is canceled on the server too', async (t) => {
      const bench = await startExternal(t, { limits: { externalCallIdleSeconds: 1 } })
      const id = await add(bench)
      server.answer = () => new Promise(() => {})
      const { outcome, code, message } = await failureOf(bench.call(id, 'echo'))
      assert.deepEqual([outcome, code], ['TRANSPORT_ERROR', 'TIMED_OUT'])
      assert.match(message, /sent neither an answer nor progress within 1 s/)
      await whenever(() => server.cancelled.length === 1)
    })

    test('a call whose server reports progress is waited for, but not beyond its total time', async (t) => {
      const bench = await startExternal(t, { limits: { externalCallIdleSeconds: 1, externalCallSeconds: 3 } })
      const id = await add(bench)
      let stop = false
      t.after(() => {
        stop = true
      })
      const going = async (call: Parameters<ScriptedServer['answer']>[0], times: number) => {
        for (let n = 1; n <= times && !stop; n++) {
          await sleep(300)
          await call.progress(n, `step ${n}`).catch(() => {})
        }
        return text('at last')
      }
      server.answer = (call) => going(call, 6)
      const heard: unknown[] = []
      assert.deepEqual(
        await bench.call(id, 'echo', { onProgress: (progress) => heard.push(progress) }),
        text('at last'),
      )
      assert.deepEqual(heard[0], { progress: 1, message: 'step 1' })
      server.answer = (call) => going(call, 100)
      assert.match((await failureOf(bench.call(id, 'echo'))).message, /did not answer within 3 s/)
    })

    test('a call that its caller cancels is canceled on the server too', async (t) => {
      const bench = await startExternal(t)
      const id = await add(bench)
      server.answer = () => new Promise(() => {})
      const caller = new AbortController()
      const call = bench.call(id, 'echo', { signal: caller.signal })
      await whenever(() => server.calls.length === 1)
      caller.abort(new Error('gone home'))
      await assert.rejects(call, /gone home/)
      await whenever(() => server.cancelled.length === 1)
    })

    test('if the server has lost the session, one new session begins, and the call is executed once', async (t) => {
      const bench = await startExternal(t)
      const id = await add(bench)
      await bench.call(id, 'echo')
      if (transport === 'SSE') {
        let refuse = 1
        server.before = ({ url }, response) => {
          if (!url?.startsWith('/message') || refuse-- <= 0) return false
          response.writeHead(404).end('Session not found')
          return true
        }
      } else server.forgetSessions()
      assert.deepEqual(await bench.call(id, 'echo'), text('done'))
      assert.equal(server.calls.length, 2)
      assert.equal(server.seen.filter(({ rpc }) => rpc === 'initialize').length, 2)
    })

    test('if the server loses each session at once, the call is sent only twice', async (t) => {
      const bench = await startExternal(t)
      const id = await add(bench)
      await bench.external.discover(id)
      server.before = (_request, response, body) => {
        if (!body.includes('tools/call')) return false
        response.writeHead(404).end('no such session')
        return true
      }
      assert.equal((await failureOf(bench.call(id, 'echo'))).code, 'UNREACHABLE')
      assert.equal(server.seen.filter(({ rpc }) => rpc === 'tools/call').length, 2)
    })

    test('a call that fails with another status is not sent again', async (t) => {
      const bench = await startExternal(t)
      const id = await add(bench)
      await bench.external.discover(id)
      server.before = (_request, response, body) => {
        if (!body.includes('tools/call')) return false
        response.writeHead(503).end('the token is hunter2-hunter2')
        return true
      }
      const { message } = await failureOf(bench.call(id, 'echo'))
      assert.match(message, /answered with the HTTP status 503\.$/)
      assert.equal(server.seen.filter(({ rpc }) => rpc === 'tools/call').length, 1)
    })

    test('a result that violates the schema of its tool is passed on unchanged', async (t) => {
      const bench = await startExternal(t)
      server.tools = [
        tool('echo', { outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } }),
      ]
      const id = await add(bench)
      const lie = { content: [], structuredContent: { n: 'no number', more: [1] } }
      server.answer = () => lie
      assert.deepEqual(await bench.call(id, 'echo'), lie)
      server.answer = () => text('nothing structured at all')
      assert.deepEqual(await bench.call(id, 'echo'), text('nothing structured at all'))
      const failed = { content: [{ type: 'text', text: 'no' }], isError: true, _meta: { 'example.org/why': 1 } }
      server.answer = () => failed
      assert.deepEqual(await bench.call(id, 'echo'), failed)
    })

    test('a refusal has the text of the server, without the credentials that it repeats', async (t) => {
      const bench = await startExternal(t)
      const id = await add(bench, { headers: { authorization: 'Bearer hunter2-hunter2' } })
      server.answer = () => {
        throw new Error('location must be a city; you are Bearer hunter2-hunter2, also known as hunter2-hunter2')
      }
      const { outcome, code, message } = await failureOf(bench.call(id, 'echo'))
      assert.deepEqual([outcome, code], ['PROTOCOL_ERROR', 'REFUSED'])
      assert.match(message, /location must be a city/)
      assert.ok(!message.includes('hunter2'), message)
      assert.ok(!bench.logs.join('').includes('hunter2'))
    })

    test('a result that is too large is refused, and smaller ones are accepted afterwards', async (t) => {
      const bench = await startExternal(t, { limits: { externalMessageBytes: 100_000 } })
      const id = await add(bench)
      server.answer = () => text('x'.repeat(200_000))
      const { outcome, code, message } = await failureOf(bench.call(id, 'echo'))
      assert.deepEqual([outcome, code], ['PROTOCOL_ERROR', 'REFUSED'])
      assert.match(message, /message of more than 100000 bytes/)
      server.answer = () => text('x'.repeat(90_000))
      for (let n = 0; n < 3; n++) assert.equal((await bench.call(id, 'echo')).isError, undefined)
    })

    test('a redirect is not followed, and the other server gets no request', async (t) => {
      const elsewhere = await startScripted()
      t.after(() => elsewhere.stop())
      const bench = await startExternal(t)
      for (const location of [elsewhere.url, `${server.origin}/moved`]) {
        const id = await add(bench, { headers: { 'x-token': 'hunter2-hunter2' } })
        server.before = ({ url }, response) => {
          response.writeHead(url === '/moved' ? 500 : 307, { location }).end()
          return true
        }
        const found = await bench.external.discover(id)
        assert.equal(found.available, false)
        assert.match((found as { problem: { message: string } }).problem.message, /redirects, which is not followed/)
      }
      assert.deepEqual([elsewhere.seen.length, server.seen.filter(({ path }) => path === '/moved').length], [0, 0])
    })

    test('a server on a private address that OUTBOUND_ALLOW does not name gets no request', async (t) => {
      const bench = await startExternal(t, { allow: null })
      const id = await add(bench)
      const found = await bench.external.discover(id)
      assert.match(
        (found as { problem: { message: string } }).problem.message,
        /not public, and OUTBOUND_ALLOW has neither the host nor the address/,
      )
      assert.equal(server.seen.length, 0)
      const { outcome, code } = await failureOf(bench.call(id, 'echo', { hash: 'x' }))
      assert.deepEqual([outcome, code], ['TRANSPORT_ERROR', 'UNREACHABLE'])
    })

    test('a server that does not use MCP is reported as violating the protocol, not as unreachable', async (t) => {
      const bench = await startExternal(t)
      const id = await add(bench)
      server.before = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello</p>')
        return true
      }
      const found = await bench.external.discover(id)
      assert.match((found as { problem: { message: string } }).problem.message, /violates the MCP protocol/)
    })
  })
}

test('if an SSE server names a POST address on another server, nothing is sent there', async (t) => {
  const elsewhere = await startScripted()
  t.after(() => elsewhere.stop())
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.sseUrl, transport: 'SSE', headers: { 'x-token': 'hunter2-hunter2' } })
  server.before = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: endpoint\ndata: ${elsewhere.origin}/message\n\n`)
    return true
  }
  assert.equal((await bench.external.discover(id)).available, false)
  assert.equal(elsewhere.seen.length, 0)
})

test('a 400 about the session, as older servers send it, is handled as a lost session', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url })
  await bench.call(id, 'echo')
  let refuse = 1
  server.before = ({ headers }, response) => {
    if (headers['mcp-session-id'] === undefined || refuse-- <= 0) return false
    const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' }
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', error, id: null }))
    return true
  }
  assert.deepEqual(await bench.call(id, 'echo'), text('done'))
})

test('an invalid result of a tool is refused, and the server stays REACHABLE', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url })
  await bench.external.discover(id)
  for (const nonsense of [
    {},
    { content: 'text' },
    { content: [1] },
    { content: [], structuredContent: [1] },
    { task: {} },
  ]) {
    server.before = (_request, response, sent) => {
      if (!sent.includes('tools/call')) return false
      const result = { jsonrpc: '2.0', id: JSON.parse(sent).id, result: nonsense }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
      return true
    }
    const { outcome, code } = await failureOf(bench.call(id, 'echo'))
    assert.deepEqual([outcome, code], ['PROTOCOL_ERROR', 'REFUSED'], JSON.stringify(nonsense))
  }
  assert.equal((await bench.row(id)).columns.status, 'REACHABLE')
})

for (const asked of ['initialize', 'tools/list', 'tools/call'])
  test(`a broken response to ${asked} ends the call before its timeout`, async (t) => {
    const bench = await startExternal(t)
    for (const [type, body] of [
      ['application/json', '{"jsonrpc":"2.0","id"'],
      ['application/json', '[]'],
      ['text/event-stream', 'data: {"jsonrpc":\n\n'],
      ['text/event-stream', ''],
      ['text/plain', 'hello'],
    ] as const) {
      const id = await bench.add({ url: server.url })
      server.before = () => false
      const hash = asked === 'tools/call' ? available(await bench.external.discover(id)).tools[0]?.hash : 'x'
      server.before = (_request, response, sent) => {
        if (!sent.includes(`"${asked}"`)) return false
        response.writeHead(200, { 'content-type': type }).end(body)
        return true
      }
      const began = Date.now()
      assert.equal((await failureOf(bench.call(id, 'echo', { hash: String(hash) }))).code, 'UNREACHABLE')
      assert.ok(Date.now() - began < 5_000, body)
    }
  })

test('a stream that can be resumed is resumed', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url })
  await bench.external.discover(id)
  let asked: unknown
  server.before = ({ method, headers }, response, body) => {
    if (method === 'GET' && headers['last-event-id'] === '7') {
      const result = { jsonrpc: '2.0', id: asked, result: text('resumed') }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`id: 8\ndata: ${JSON.stringify(result)}\n\n`)
      return true
    }
    if (!body.includes('tools/call')) return false
    asked = JSON.parse(body).id
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 7\nretry: 50\ndata:\n\n')
    return true
  }
  assert.deepEqual(await bench.call(id, 'echo'), text('resumed'))
  assert.equal(server.seen.filter(({ rpc }) => rpc === 'tools/call').length, 1)
})

test('a list of tools that grows while it is read is cut off, and the result states it', async (t) => {
  const bench = await startExternal(t, { limits: { externalTools: 30 } })
  const id = await bench.add({ url: server.url })
  server.pageSize = 7
  server.tools = Array.from({ length: 29 }, (_, n) => tool(`t${n}`))
  assert.equal(available(await bench.external.discover(id)).tools.length, 29)
  const grown = new Proxy(server.tools, {
    get: (target, name) => (name === 'length' ? 1e9 : name === 'slice' ? page : Reflect.get(target, name)),
  })
  const page = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => tool(`t${from + n}`))
  server.tools = grown
  const { tools, leftOut } = available(await bench.external.discover(id, { maxAgeMs: 0 }))
  assert.equal(tools.length, 30)
  assert.deepEqual(leftOut, [
    { rawName: null, reason: 'The server advertises more than 30 tools. The rest was not read.' },
  ])
})

test('a stop ends calls, sessions and connections, also on the server, and later calls fail', async (t) => {
  const bench = await startExternal(t)
  const id = await bench.add({ url: server.url })
  const sse = await bench.add({ url: server.sseUrl, transport: 'SSE' })
  server.answer = () => new Promise(() => {})
  const calls = [failureOf(bench.call(id, 'echo')), failureOf(bench.call(sse, 'echo'))]
  await whenever(() => server.calls.length === 2)
  await bench.external.close()
  for (const { outcome, code, message } of await Promise.all(calls)) {
    assert.deepEqual([outcome, code], ['TRANSPORT_ERROR', 'UNREACHABLE'])
    assert.match(message, /is stopping/)
  }
  await whenever(() => server.cancelled.length === 2)
  assert.ok(server.seen.some(({ method }) => method === 'DELETE'))
  assert.equal((await failureOf(bench.call(id, 'echo'))).code, 'UNREACHABLE')
})
