/** A subscriber that does not read costs the server a limited amount of memory, and receives the position from which it can continue. */
import assert from 'node:assert/strict'
import { type Socket, connect as tcp } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { maskedFrame } from '../../kit/program/frames.ts'
import { connect, subscribe } from '../../kit/program/socket.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { creation } from '../../kit/runtime/writes.ts'

let world: TestGateway
let token: string

before(async () => {
  world = await startTestGateway({ settings: { limits: { socketQueueBytes: 1024 * 1024 } } })
  token = (await world.signIn()).token
})
after(() => world.stop())

/** A WebSocket by hand, since a real client always reads. */
async function openRaw(): Promise<{ socket: Socket; say(message: unknown): void; received: () => string }> {
  const socket = tcp(world.gateway.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  )
  const say = (message: unknown): void => void socket.write(maskedFrame(message))
  while (!text.includes('\r\n\r\n')) await sleep(5)
  return { socket, say, received: () => text }
}

const log =
  'subscription L($name: String!, $after: Int) { logAdded(name: $name, afterSequence: $after) { sequence dataBase64 } }'

test('a slow subscription ends with the last sequence sent and can resume, and other subscriptions lose nothing', async () => {
  const slow = await openRaw()
  slow.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
  slow.say({ type: 'subscribe', id: 's', payload: { query: log, variables: { name: 'flood' } } })
  const client = connect(world.wsUrl, { authorization: `Bearer ${token}` })
  const quick = subscribe<{ sequence: number }>(client, log, { name: 'flood' })
  await sleep(100)
  slow.socket.pause()
  const chunk = 'x'.repeat(16_384)
  const count = 1_500
  for (let sequence = 0; sequence < count; sequence++) {
    await world.append('flood', sequence, [chunk])
    if (sequence % 5 === 0) await sleep(1)
  }
  await quick.reached(count)
  assert.deepEqual(
    quick.items.map(({ sequence }) => sequence),
    Array.from({ length: count }, (_, n) => n),
  )
  slow.socket.resume()
  while (!slow.received().includes('"type":"error"')) await sleep(10)
  const error = JSON.parse(/\{"id":"s","type":"error".*?\}\]\}/s.exec(slow.received())?.[0] ?? '{}')
  const { code, details } = error.payload[0].extensions
  assert.equal(code, 'UNAVAILABLE')
  assert.match(error.payload[0].message, new RegExp(`the last sequence sent is ${details.lastSequence}\\.`))
  const sent = [...slow.received().matchAll(/"sequence":(\d+)/g)].map((match) => Number(match[1]))
  assert.deepEqual(
    sent,
    Array.from({ length: details.lastSequence + 1 }, (_, n) => n),
  )
  const rest = subscribe<{ sequence: number }>(client, log, { name: 'flood', after: details.lastSequence })
  await rest.reached(count - details.lastSequence - 1)
  assert.equal(rest.items[0]?.sequence, details.lastSequence + 1)
  await client.dispose()
  slow.socket.destroy()
})

test('a slow subscription to a kind ends with the last cursor sent, and continues from there', async () => {
  const steps = 'subscription S($after: String) { anyThingTransitioned(after: $after) { thingId payload cursor } }'
  const slow = await openRaw()
  slow.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
  slow.say({ type: 'subscribe', id: 's', payload: { query: steps } })
  const client = connect(world.wsUrl, { authorization: `Bearer ${token}` })
  const quick = subscribe<{ thingId: string; cursor: string }>(client, steps)
  await sleep(100)
  slow.socket.pause()
  const { journal, feed } = world.storage
  const payload = 'x'.repeat(16_384)
  const count = 1_000
  for (let n = 0; n < count; n += 10) {
    const batch = Array.from({ length: 10 }, () => {
      const one = creation('plan')
      const detail = JSON.stringify({ ...JSON.parse(one.entry.detail), payload })
      return { ...one, entry: { event: 'create', detail } }
    })
    await journal.commit(batch, [])
    feed.publish(batch.map(({ ref, seq }) => ({ ref, seq })))
    await sleep(5)
  }
  await quick.reached(count)
  slow.socket.resume()
  while (!slow.received().includes('"type":"error"')) await sleep(10)
  const error = JSON.parse(/\{"id":"s","type":"error".*?\}\]\}/s.exec(slow.received())?.[0] ?? '{}')
  const { code, details } = error.payload[0].extensions
  assert.equal(code, 'UNAVAILABLE')
  const sent = [...slow.received().matchAll(/"cursor":"([^"]+)"/g)].map((match) => match[1])
  const cursors = quick.items.map(({ cursor }) => cursor)
  assert.deepEqual(sent, cursors.slice(0, sent.length))
  assert.equal(details.lastCursor, sent.at(-1))
  const rest = subscribe<{ cursor: string }>(client, steps, { after: details.lastCursor })
  await rest.reached(count - sent.length)
  assert.deepEqual(
    rest.items.map(({ cursor }) => cursor),
    cursors.slice(sent.length),
  )
  await client.dispose()
  slow.socket.destroy()
})

test('the server waits for a subscriber that reads a long log slowly, in bounded memory', async () => {
  for (let sequence = 0; sequence < 1_000; sequence += 50)
    await world.append(
      'long',
      sequence,
      Array.from({ length: 50 }, () => 'y'.repeat(16_384)),
    )
  const slow = await openRaw()
  slow.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
  slow.socket.pause()
  slow.say({ type: 'subscribe', id: 's', payload: { query: log, variables: { name: 'long' } } })
  await sleep(300)
  slow.socket.resume()
  while (!slow.received().includes('"sequence":999')) await sleep(10)
  assert.doesNotMatch(slow.received(), /"type":"error"/)
  slow.socket.destroy()
})
