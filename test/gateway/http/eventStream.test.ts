/** One stream of server-sent events on a network that a test controls: its text, its silence, and its end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventStream } from '../../../gateway/http/events/eventStream.ts'
import type { UwsResponse } from '../../../gateway/http/uws.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'

function world(limit = 1_000) {
  const clock = new ManualClock()
  const state = { accepts: true, writable: (): boolean => true, text: '', endings: [] as string[] }
  const res = {
    cork: (work: () => void) => work(),
    write(text: string) {
      state.text += text
      return state.accepts
    },
    onWritable(callback: () => boolean) {
      state.writable = callback
    },
    end: (_: unknown, close: boolean) => void state.endings.push(close ? 'end and close' : 'end'),
    close: () => void state.endings.push('close'),
  } as unknown as UwsResponse
  const stream = new EventStream(res, { limit, clock, requestId: 'r' })
  return {
    clock,
    state,
    stream,
    /** The text that was sent since the last call. */
    async sent(): Promise<string> {
      await nextTurn()
      await nextTurn()
      const { text } = state
      state.text = ''
      return text
    },
  }
}

test('an event has an ID, a name and its data as JSON in one line, even if the data has line ends', async () => {
  const { stream, sent } = world()
  stream.push({ id: '1-2', event: 'endpoint', data: { path: '/a' } })
  stream.push({ data: { text: 'two\nlines\r\n' } })
  assert.equal(
    await sent(),
    'retry: 1000\n\nid: 1-2\nevent: endpoint\ndata: {"path":"/a"}\n\ndata: {"text":"two\\nlines\\r\\n"}\n\n',
  )
})

test('a comment is sent after 15 s without an event, and not earlier', async () => {
  const { stream, sent, clock } = world()
  await sent()
  await clock.advance(15_000)
  assert.equal(await sent(), '', 'the beginning counts')
  await clock.advance(15_000)
  assert.equal(await sent(), ':\n\n')
  stream.push({ data: 1 })
  await sent()
  await clock.advance(15_000)
  assert.equal(await sent(), '')
  await clock.advance(15_000)
  assert.equal(await sent(), ':\n\n')
})

test('if the network accepts nothing, the queue fills up, and no comment is added', async () => {
  const { stream, sent, clock, state } = world(100)
  await sent()
  state.accepts = false
  stream.push({ id: '1', data: 'x' })
  await sent()
  while (!stream.full) stream.push({ id: '2', data: 'x'.repeat(20) })
  await clock.advance(60_000)
  assert.equal(await sent(), '')
  const room = stream.room()
  state.accepts = true
  state.writable()
  await room
  assert.ok((await sent()).includes('id: 2'))
})

test('an error is the last event and names the last ID, and the response ends when everything is sent', async () => {
  const { stream, sent, state } = world()
  stream.push({ id: '7', data: 1 })
  stream.fail(new Failure('UNAVAILABLE', 'Too slow.'))
  stream.push({ id: '8', data: 2 })
  stream.end('9')
  await stream.over
  assert.ok(
    (await sent()).endsWith(
      'id: 7\ndata: 1\n\nevent: error\ndata: {"error":{"code":"UNAVAILABLE","message":"Too slow.","requestId":"r","lastEventId":"7"}}\n\n',
    ),
  )
  assert.deepEqual(state.endings, ['end'])
})

test('a reader that does not accept the last event is disconnected after 10 s', async () => {
  const { stream, sent, clock, state } = world()
  await sent()
  state.accepts = false
  stream.push({ id: '1', data: 1 })
  await sent()
  stream.end('1')
  await clock.advance(9_999)
  assert.deepEqual(state.endings, [])
  await clock.advance(1)
  assert.deepEqual(state.endings, ['close'])
  // uWebSockets.js then reports that the connection has gone.
  stream.leave()
  await stream.over
  await clock.advance(60_000)
  assert.deepEqual(state.endings, ['close'])
})
