/** A peer that is gone without a word: its machine lost its network, and nothing ever closes the connection. */
import assert from 'node:assert/strict'
import { type Socket, connect as tcp } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { maskedFrame } from '../../kit/program/frames.ts'
import { connect } from '../../kit/program/socket.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

/** The least value that uWebSockets.js supports. The service uses 30. */
const idleSeconds = 8

let world: TestGateway
before(async () => {
  world = await startTestGateway({ settings: { limits: { socketIdleSeconds: idleSeconds } } })
})
after(() => world.stop())

const openSockets = async (): Promise<number> => {
  const [value] = (await world.registry.getSingleMetric('signalbox_sockets')?.get())?.values ?? []
  return value?.value ?? 0
}

/** A signed-in socket that answers no ping: it was a peer once, and is only a TCP connection now. */
async function silentPeer(token: string): Promise<Socket> {
  const socket = tcp(world.gateway.port, '127.0.0.1')
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  )
  while (!text.includes('\r\n\r\n')) await sleep(5)
  socket.write(maskedFrame({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
  while (!text.includes('connection_ack')) await sleep(5)
  return socket
}

test('a socket whose peer never answers a ping is closed in bounded time, and a socket whose peer answers is not', async () => {
  const { token } = await world.signIn()
  const peers = await Promise.all([1, 2, 3].map(() => silentPeer(token)))
  const client = connect(world.wsUrl, { authorization: `Bearer ${token}` })
  while ((await openSockets()) < 4) await sleep(5)
  const began = performance.now()
  const ended = await Promise.all(
    peers.map((peer) => new Promise<number>((resolve) => peer.once('close', () => resolve(performance.now() - began)))),
  )
  // uWebSockets.js looks every 4 s.
  for (const ms of ended) assert.ok(ms < (idleSeconds + 8) * 1_000, `it took ${Math.round(ms)} ms`)
  assert.equal(await openSockets(), 1)
  assert.equal(await Promise.race([client.closed, sleep(100, 'open')]), 'open')
  await client.dispose()
})
