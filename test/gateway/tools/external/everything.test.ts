/** A server that others have made, over both transports: what it advertises and answers comes through. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ExternalProgress } from '../../../../spec/tools/external.ts'
import { type EverythingServer, startEverything } from '../../../kit/program/servers/everything.ts'
import { systemClock } from '../../../kit/runtime/systemClock.ts'
import { available, startExternal } from './externalSystem.ts'

for (const transport of ['STREAMABLE_HTTP', 'SSE'] as const) {
  describe(`server-everything over ${transport}`, () => {
    let server: EverythingServer
    before(async () => {
      server = await startEverything(transport)
    })
    after(() => server.stop())

    test('its tools are listed, sorted, each under an alias', async (t) => {
      const bench = await startExternal(t)
      const id = await bench.add({ url: server.url, transport, name: 'everything', catalogPrefix: 'All' })
      const found = available(await bench.external.discover(id))
      const names = found.tools.map(({ rawName }) => rawName)
      assert.ok(['echo', 'get-sum', 'get-structured-content', 'get-tiny-image'].every((name) => names.includes(name)))
      assert.deepEqual(names, [...names].sort())
      assert.deepEqual([found.serverName, found.endpoint], ['everything', { url: server.url, transport }])
      for (const { rawName, definition, hash } of found.tools) {
        assert.match(definition.name, /^svc_ext_[0-9a-f]{20}_[a-zA-Z0-9_-]{1,35}$/, rawName)
        assert.match(hash, /^[0-9a-f]{64}$/)
        assert.match(definition.title ?? '', /^All: /)
        assert.equal(definition.inputSchema.type, 'object')
      }
      const row = await bench.row(id)
      assert.deepEqual([row.columns.status, row.context.toolCount], ['REACHABLE', names.length])
    })

    test('content, structured results, images and errors are passed on unchanged', async (t) => {
      const bench = await startExternal(t)
      const id = await bench.add({ url: server.url, transport })
      assert.deepEqual(await bench.call(id, 'echo', { arguments: { message: 'grüß dich' } }), {
        content: [{ type: 'text', text: 'Echo: grüß dich' }],
      })
      const weather = await bench.call(id, 'get-structured-content', { arguments: { location: 'New York' } })
      assert.equal(weather.structuredContent?.temperature, 33)
      const picture = await bench.call(id, 'get-tiny-image')
      assert.deepEqual(
        picture.content.map(({ type }) => type),
        ['text', 'image', 'text'],
      )
      const wrong = await bench.call(id, 'get-sum', { arguments: { a: 'no number', b: 1 } })
      assert.equal(wrong.isError, true)
    })

    test('progress is passed on', async (t) => {
      const bench = await startExternal(t)
      const id = await bench.add({ url: server.url, transport })
      const heard: ExternalProgress[] = []
      await bench.call(id, 'trigger-long-running-operation', {
        arguments: { duration: 0.4, steps: 4 },
        onProgress: (progress) => heard.push(progress),
      })
      // The last one comes with the result, and the SDK may hand that over first.
      assert.deepEqual(
        heard.slice(0, 3).map(({ progress, total }) => [progress, total]),
        [1, 2, 3].map((step) => [step, 4]),
      )
    })

    test('twenty concurrent calls each get their own result', async (t) => {
      const bench = await startExternal(t)
      const id = await bench.add({ url: server.url, transport })
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => bench.call(id, 'echo', { arguments: { message: String(n) } })),
      )
      assert.deepEqual(
        answers.map(({ content }) => content[0]?.text),
        Array.from({ length: 20 }, (_, n) => `Echo: ${n}`),
      )
    })

    test('when the server is killed, the call in flight fails, and the next one too', async (t) => {
      const own = await startEverything(transport)
      t.after(() => own.stop())
      const bench = await startExternal(t)
      const id = await bench.add({ url: own.url, transport })
      const call = bench.call(id, 'trigger-long-running-operation', {
        arguments: { duration: 30, steps: 300 },
        onProgress: () => void own.stop(),
      })
      const began = systemClock.now()
      await assert.rejects(call, {
        outcome: 'TRANSPORT_ERROR',
        code: 'UNREACHABLE',
        message: /may have taken effect/,
      })
      assert.ok(systemClock.now() - began < 10_000, 'it is known at once')
      await assert.rejects(bench.call(id, 'echo'), { code: 'UNREACHABLE' })
      assert.equal((await bench.row(id)).columns.status, 'DEGRADED')
    })
  })
}
