import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseProxy } from './proxy.ts'

const startup = Buffer.from([0, 0, 0, 9, 0, 3, 0, 0, 0])
/** A message of the protocol: type, length, no content. */
const sync = Buffer.from([0x53, 0, 0, 0, 4])

/** A proxy before a server that echoes all data after the startup packet. */
async function opened(context: TestContext) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.once('data', () => socket.on('data', (data) => socket.write(data)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy = await DatabaseProxy.start({ host: '127.0.0.1', port })
  const client = connect(proxy.address.port, '127.0.0.1')
  context.after(async () => {
    client.destroy()
    for (const socket of sockets) socket.destroy()
    await proxy.close()
    server.close()
  })
  let got = 0
  client.on('data', (data) => (got += data.length))
  client.write(startup)
  await sleep(50)
  return { proxy, client, sockets, got: () => got }
}

test('a silent connection forwards no data and no end, and forwards both when the silence ends', async (context) => {
  const { proxy, client, sockets, got } = await opened(context)
  proxy.silence = 'both'
  await sleep(20)
  client.write(sync)
  await sleep(100)
  assert.equal(got(), 0)
  client.end()
  await sleep(50)
  assert.equal(sockets[0]?.destroyed, false)
  const ended = once(sockets[0] as Socket, 'close')
  proxy.silence = 'none'
  await ended
  assert.equal(sockets[0]?.bytesRead, startup.length + sync.length)
})

test('a silence in one direction does not stop the other direction', async (context) => {
  const { proxy, client, sockets, got } = await opened(context)
  proxy.silence = 'toClient'
  await sleep(20)
  client.write(sync)
  await sleep(100)
  assert.equal(sockets[0]?.bytesRead, startup.length + sync.length)
  assert.equal(got(), 0)
})

test('a reset of all connections resets them on both sides', async (context) => {
  const { proxy, client, sockets } = await opened(context)
  const errors = Promise.all([once(client, 'error'), once(sockets[0] as Socket, 'error')])
  proxy.resetAll()
  for (const [error] of await errors) assert.equal((error as NodeJS.ErrnoException).code, 'ECONNRESET')
})
