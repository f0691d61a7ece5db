/** Streams of telemetry as clients read them: the first event, new records, how a client continues, and how a stream ends. */
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { objectTypes, operations } from '../../../../gateway/operations/operations.ts'
import {
  closeReaders,
  messagesOf,
  type ReadEvent,
  readEvents,
  resettingProxy,
} from '../../../kit/program/eventStream.ts'
import { until } from '../../../kit/program/until.ts'
import { startTestGateway, type TestGateway } from '../../../kit/runtime/testGateway.ts'

type World = TestGateway & { metric(name: string): Promise<number> }

async function open(limits: Readonly<Record<string, number>> = {}): Promise<World> {
  const metrics = new Registry()
  const world = await startTestGateway({ settings: { limits }, options: { operations, objectTypes, metrics } })
  const metric = async (name: string) =>
    Number(new RegExp(`^signalbox_${name} (\\d+)$`, 'm').exec(await metrics.metrics())?.[1])
  return Object.assign(world, { metric })
}

// A reader of a test that fails would connect again for ever.
after(closeReaders)

const path = '/api/telemetry/console-logs/stream'

interface Log {
  readonly body: string
}

async function store(world: TestGateway, bodies: readonly unknown[], route = 'console-logs'): Promise<void> {
  const items = bodies.map((body) => ({ body, eventName: 'e' }))
  const response = await fetch(`${world.url}/api/telemetry/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  })
  assert.equal(response.status, 201)
}

async function session(world: TestGateway) {
  const { token, sessionId } = await world.signIn()
  return { sessionId, headers: { authorization: `Bearer ${token}` } }
}

const bodiesOf = (reader: ReturnType<typeof readEvents>) => messagesOf<Log>(reader).map(({ body }) => body)
const opened = (reader: ReturnType<typeof readEvents>) =>
  until('the first event', async () => reader.events.find(({ type }) => type === 'endpoint'))

describe('a stream of telemetry', () => {
  let world: World
  let headers: { authorization: string }
  before(async () => {
    world = await open()
    headers = (await session(world)).headers
  })
  after(() => world.stop())

  test('the first event has the addresses of the stream, and each new record follows at once', async () => {
    await store(world, ['before'])
    const reader = readEvents(world.url + path, headers)
    const first = await opened(reader)
    const origin = new URL(world.gateway.url).origin
    assert.deepEqual(first.data, {
      endpointPath: path,
      localUrl: origin,
      remoteUrl: origin,
      proxyUrl: null,
      publicUrl: origin,
    })
    await store(world, ['one', { two: 2 }])
    await store(world, ['not a log'], 'analytics-events')
    await until('the records', async () => messagesOf(reader).length >= 2 || undefined)
    const [one, two] = messagesOf<Record<string, unknown>>(reader)
    assert.deepEqual([one?.body, two?.body], ['one', { two: 2 }])
    assert.deepEqual(
      [one?.kind, one?.eventName, typeof one?.observedTimestamp, 'number' in (one ?? {})],
      ['CONSOLE_LOG', 'e', 'string', false],
    )
    await sleep(50)
    assert.equal(messagesOf(reader).length, 2, 'neither earlier records nor those of the other kind')
    assert.equal(new Set(reader.events.map(({ id }) => id)).size, 3)
    reader.close()
  })

  test('analytics events have their own stream', async () => {
    const reader = readEvents(`${world.url}/api/telemetry/analytics-events/stream`, headers)
    await opened(reader)
    await store(world, ['a log'])
    await store(world, ['an event'], 'analytics-events')
    await until('the event', async () => bodiesOf(reader)[0])
    assert.deepEqual(bodiesOf(reader), ['an event'])
    reader.close()
  })

  test('no record is missing or repeated, however often the connection is reset', async () => {
    const proxy = await resettingProxy(world.gateway.port)
    const reader = readEvents(proxy.url + path, headers)
    await opened(reader)
    let stored = 0
    for (let round = 0; round < 40; round++) {
      await store(
        world,
        Array.from({ length: 1 + (round % 5) }, () => `record ${stored++}`),
      )
      if (round % 8 === 3) proxy.reset()
      // It connects again after a second.
      await sleep(round % 8 === 0 ? 1_100 : round % 7)
    }
    await until('all records', async () => (bodiesOf(reader).length >= stored ? true : undefined), 20_000)
    await sleep(100)
    assert.deepEqual(
      bodiesOf(reader),
      Array.from({ length: stored }, (_, index) => `record ${index}`),
    )
    assert.ok(reader.events.filter(({ type }) => type === 'endpoint').length >= 4)
    reader.close()
    await proxy.close()
  })

  test('a client that is disconnected before its first record misses no record', async () => {
    const proxy = await resettingProxy(world.gateway.port)
    const reader = readEvents(proxy.url + path, headers)
    await opened(reader)
    proxy.reset()
    await store(world, ['while it was disconnected'])
    await until('the record', async () => bodiesOf(reader)[0], 10_000)
    assert.deepEqual(bodiesOf(reader), ['while it was disconnected'])
    reader.close()
    await proxy.close()
  })

  test('a reloaded page continues with lastEventId in the URL, and the header takes precedence', async () => {
    const reader = readEvents(world.url + path, headers)
    await opened(reader)
    await store(world, ['a', 'b', 'c'])
    await until('the records', async () => bodiesOf(reader)[2])
    reader.close()
    const [a = '', b = ''] = reader.events.filter(({ type }) => type === 'message').map(({ id }) => id)
    const again = readEvents(`${world.url}${path}?lastEventId=${a}`, headers)
    await until('the rest', async () => bodiesOf(again)[1])
    assert.deepEqual(bodiesOf(again), ['b', 'c'])
    assert.equal(again.events[0]?.id, a, 'the first event repeats the position')
    again.close()
    const both = readEvents(`${world.url}${path}?lastEventId=${a}`, { ...headers, 'last-event-id': b })
    await until('the rest', async () => bodiesOf(both)[0])
    assert.deepEqual(bodiesOf(both), ['c'])
    both.close()
  })

  test('the headers disable storing and buffering by proxies and caches, and HEAD returns no events', async () => {
    const response = await fetch(world.url + path, { headers, method: 'HEAD' })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store, no-transform')
    assert.equal(response.headers.get('x-accel-buffering'), 'no')
    assert.equal(await response.text(), '')
  })

  test('only a session can open a stream, and an invalid position is refused before the stream begins', async () => {
    const { userId } = await world.signIn()
    const apiKey = { 'x-api-key': (await world.apiKey(userId)).token }
    const agent = { authorization: `Bearer ${(await world.agent()).token}` }
    const cases: readonly [words: string, headers: Record<string, string>, status: number, code: string][] = [
      ['no credential', {}, 401, 'UNAUTHENTICATED'],
      ['an API key', apiKey, 403, 'FORBIDDEN'],
      ['an agent', agent, 403, 'FORBIDDEN'],
      ['an ID of another form', { ...headers, 'last-event-id': 'seven' }, 400, 'BAD_USER_INPUT'],
      ['an ID of a run’s stream', { ...headers, 'last-event-id': '7' }, 400, 'BAD_USER_INPUT'],
      ['an ID of a server that is ahead', { ...headers, 'last-event-id': '99999999-1' }, 410, 'HISTORY_GONE'],
    ]
    for (const [words, given, status, code] of cases) {
      const response = await fetch(world.url + path, { headers: given })
      const { error } = (await response.json()) as { error: { code: string; field?: string } }
      assert.deepEqual([response.status, error.code], [status, code], words)
      if (status === 400) assert.equal(error.field, 'Last-Event-ID')
    }
    const long = await fetch(`${world.url}${path}?lastEventId=${'1'.repeat(101)}`, { headers })
    assert.equal(long.status, 400)
    const reader = readEvents(world.url + path)
    await until('the client to give up', async () => reader.hasClosed() || undefined)
    assert.deepEqual(reader.problems, [401])
  })

  test('a position whose records were deleted gets HISTORY_GONE', async () => {
    const other = await open()
    const { headers: own } = await session(other)
    await store(other, ['old'])
    const reader = readEvents(other.url + path, own)
    const { id } = await opened(reader)
    reader.close()
    const keep = { journalDays: 90, streamDays: 90, telemetryDays: 30, toolCallDays: 90 }
    await other.storage.housekeeping(Date.now() + 40 * 86_400_000, keep)
    const response = await fetch(other.url + path, { headers: { ...own, 'last-event-id': id } })
    assert.equal(response.status, 410)
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'HISTORY_GONE')
    await other.stop()
  })

  test('a stream ends within a second when its session is revoked, and the client gives up', async () => {
    const own = await session(world)
    const reader = readEvents(world.url + path, own.headers)
    await opened(reader)
    await store(world, ['last'])
    await until('the record', async () => bodiesOf(reader)[0])
    const begun = performance.now()
    await world.ask({ kind: 'authSession', id: own.sessionId }, { type: 'revoke' })
    await until('the end', async () => reader.events.find(({ type }) => type === 'error'))
    assert.ok(performance.now() - begun < 1_000)
    const { code, lastEventId } = errorOf(reader.events)
    assert.deepEqual([code, lastEventId], ['UNAUTHENTICATED', reader.events[1]?.id])
    await until('the client to give up', async () => reader.hasClosed() || undefined, 10_000)
    assert.equal(reader.problems.at(-1), 401)
  })

  test('a stream ends as a complete HTTP response, and its connection can be used again', async () => {
    const own = await session(world)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const read = (at: string) =>
      new Promise<{ text: string; complete: boolean; reused: boolean }>((resolve, reject) => {
        const request = get(world.url + at, { agent, headers: own.headers }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            if (text === '') void world.ask({ kind: 'authSession', id: own.sessionId }, { type: 'revoke' })
            text += part
          })
          response.on('end', () => resolve({ text, complete: response.complete, reused: request.reusedSocket }))
          response.on('error', reject)
        })
        request.on('error', reject)
      })
    const { text, complete } = await read(path)
    assert.match(text, /event: error\ndata: .*UNAUTHENTICATED.*\n\n$/)
    assert.equal(complete, true)
    assert.equal((await read('/api/public/health')).reused, true)
    agent.destroy()
  })

  test('a principal has a limited number of streams, and can open another one after it closes one', async () => {
    const small = await open({ eventStreamsPerPrincipal: 2 })
    const { headers: own } = await session(small)
    const readers = [readEvents(small.url + path, own), readEvents(small.url + path, own)]
    for (const reader of readers) await opened(reader)
    const refused = await fetch(small.url + path, { headers: own })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
    const { headers: others } = await session(small)
    const other = readEvents(small.url + path, others)
    await opened(other)
    other.close()
    readers[0]?.close()
    await until('room', async () => {
      const controller = new AbortController()
      const { status } = await fetch(small.url + path, { headers: own, signal: controller.signal })
      controller.abort()
      return status === 200 || undefined
    })
    readers[1]?.close()
    await small.stop()
  })

  test('a stop of the server ends a stream with an error that names the last ID', async () => {
    const other = await open()
    const { headers: own } = await session(other)
    const reader = readEvents(other.url + path, own)
    await opened(reader)
    await store(other, ['last'])
    await until('the record', async () => bodiesOf(reader)[0])
    const begun = performance.now()
    await other.gateway.stop()
    assert.ok(performance.now() - begun < 3_000, 'the stop does not wait for its clients')
    await until('the error', async () => reader.events.find(({ type }) => type === 'error'))
    const { code, lastEventId } = errorOf(reader.events)
    assert.deepEqual([code, lastEventId], ['UNAVAILABLE', reader.events[1]?.id])
    reader.close()
    await other.stop()
  })

  test('a stream ends on the server when its client disconnects', async () => {
    await until('earlier streams to end', async () => (await world.metric('event_streams')) === 0 || undefined)
    const readers = Array.from({ length: 5 }, () => readEvents(world.url + path, headers))
    for (const reader of readers) await opened(reader)
    assert.equal(await world.metric('event_streams'), 5)
    for (const reader of readers) reader.close()
    await until('the end', async () => (await world.metric('event_streams')) === 0 || undefined)
  })
})

test('a reader that is too slow gets the events before the error and the last ID, and then misses no record', async () => {
  const world = await open({ socketQueueBytes: 64 * 1024, telemetryRequestsPerMinute: 100_000 })
  const { headers } = await session(world)
  const socket = connect(world.gateway.port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${headers.authorization}\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  const memory = process.memoryUsage().rss
  const text = 'x'.repeat(20_000)
  let stored = 0
  // Far more than the sockets’ buffers and the queue can hold.
  while (stored < 1_500)
    await store(
      world,
      Array.from({ length: 50 }, () => `${stored++} ${text}`),
    )
  assert.equal(await world.metric('slow_subscriptions_total'), 1)
  assert.ok(process.memoryUsage().rss - memory < 400 * 1024 * 1024)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  const events = parse(received)
  assert.equal(events.at(-1)?.type, 'error')
  const error = errorOf(events)
  const messages = events.filter(({ type }) => type === 'message')
  assert.deepEqual([error.code, error.lastEventId], ['UNAVAILABLE', messages.at(-1)?.id])
  const numbers = messages.map(({ data }) => Number.parseInt((data as Log).body, 10))
  assert.ok(numbers.length < stored)
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index),
  )
  const reader = readEvents(`${world.url}${path}?lastEventId=${error.lastEventId}`, headers)
  await until('the rest', async () => bodiesOf(reader).length === stored - numbers.length || undefined, 20_000)
  assert.equal(Number.parseInt(bodiesOf(reader)[0] ?? '', 10), numbers.length)
  reader.close()
  await world.stop()
})

function errorOf(events: readonly ReadEvent[]) {
  const found = events.find(({ type }) => type === 'error')
  assert.ok(found)
  return (found.data as { error: Record<string, unknown> }).error
}

/** The events in a chunked response. */
function parse(response: string): readonly ReadEvent[] {
  const body = response.replace(/\r\n[0-9a-f]+\r\n/gi, '').replace(/^[0-9a-f]+\r\n/i, '')
  return body.split('\n\n').flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    const data = field('data')
    return data === undefined
      ? []
      : [{ type: field('event') ?? 'message', id: field('id') ?? '', data: JSON.parse(data) }]
  })
}
