/** A connection that the server resets after it was opened, and before the driver has listened to it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { Connection } from '../../../storage/connections/connection.ts'
import { resolveTarget } from '../../../storage/connections/target.ts'

test('a connection that is reset before its first statement counts as lost, and reports its loss', async (t) => {
  const accepted = Promise.withResolvers<Socket>()
  const listener = createServer((client) => accepted.resolve(client))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  t.after(() => listener.close())
  const { port } = listener.address() as AddressInfo
  const address = { host: '127.0.0.1', port }
  const socket = connect(port, address.host)
  await once(socket, 'connect')
  let losses = 0
  const options = { name: 'test', answerWithinMs: 60_000, onLost: () => losses++ }
  const target = resolveTarget({ connection: { ...address, database: 'none', username: 'none' } })
  const connection = new Connection(socket, address, target, options)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  ;(await accepted.promise).resetAndDestroy()
  await closed
  assert.equal(connection.isLost, true)
  assert.equal(losses, 1)
  await assert.rejects(connection.unsafe('select 1'), { name: 'ConnectionLost' })
})
