/** The bounds of the pool, with connections that are none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { McpConnection } from '../../../../gateway/operations/tools/external/connection.ts'
import { ConnectionPool } from '../../../../gateway/operations/tools/external/pool.ts'
import { HttpRefused, ServerRefused, ServerTimedOut } from '../../../../gateway/operations/tools/external/problems.ts'
import type { ExternalServer } from '../../../../gateway/operations/tools/external/servers.ts'
import { ManualClock, settled } from '../../../kit/runtime/manualClock.ts'

const serverOf = (id: string, endpointRevision = 0) => ({ id, endpointRevision }) as ExternalServer

function poolOf({ mostPerServer = 2, most = 3 } = {}) {
  const clock = new ManualClock()
  const open = new Set<McpConnection>()
  let opened = 0
  let largest = 0
  const pool = new ConnectionPool({
    clock,
    mostPerServer,
    most,
    open: async () => {
      const connection = {
        isUsable: true,
        request: async () => ({}),
        close: async () => void open.delete(connection),
      }
      open.add(connection)
      opened++
      largest = Math.max(largest, open.size)
      return connection
    },
  })
  return { pool, clock, open, opened: () => opened, largest: () => largest }
}

const never = new AbortController().signal
const gate = () => Promise.withResolvers<void>()

test('calls to one server share its limited connections, in the order of the calls', async () => {
  const { pool, open, opened } = poolOf()
  const gates = Array.from({ length: 6 }, gate)
  const begun: number[] = []
  const all = gates.map(({ promise }, n) =>
    pool.use(serverOf('a'), never, async () => {
      begun.push(n)
      await promise
    }),
  )
  await settled()
  assert.deepEqual([begun, open.size], [[0, 1], 2])
  for (const { resolve } of gates) {
    resolve()
    await settled()
  }
  await Promise.all(all)
  assert.deepEqual([begun, opened()], [[0, 1, 2, 3, 4, 5], 2])
})

test('at the limit of all connections, an idle one of another server is closed, and one in use is not', async () => {
  const { pool, largest, open } = poolOf()
  await pool.use(serverOf('a'), never, async () => {})
  const hold = gate()
  const busy = ['b', 'b', 'c'].map((id) => pool.use(serverOf(id), never, () => hold.promise))
  await settled()
  assert.deepEqual([open.size, largest()], [3, 3])
  let fourth = false
  const waiting = pool.use(serverOf('d'), never, async () => {
    fourth = true
  })
  await settled()
  assert.equal(fourth, false)
  hold.resolve()
  await Promise.all([...busy, waiting])
  assert.deepEqual([fourth, largest()], [true, 3])
})

test('a connection of an earlier revision, an ended one and one that was idle for long are not used again', async () => {
  const { pool, clock, open, opened } = poolOf()
  const use = (revision: number) => pool.use(serverOf('a', revision), never, async (connection) => connection)
  const first = await use(0)
  assert.equal(await use(0), first)
  const second = await use(1)
  assert.notEqual(second, first)
  assert.deepEqual([...open], [second])
  ;(second as { isUsable: boolean }).isUsable = false
  assert.notEqual(await use(1), second)
  assert.equal(opened(), 3)
  await clock.advance(60_000)
  assert.equal(open.size, 0)
})

test('a connection is closed after a failure, and is used again after a refusal of the server', async () => {
  const { pool, open, opened } = poolOf()
  const fail = (error: Error) => assert.rejects(pool.use(serverOf('a'), never, () => Promise.reject(error)))
  await fail(new ServerRefused(-32_602, 'no'))
  assert.deepEqual([opened(), open.size], [1, 1])
  await fail(new Error('broken'))
  assert.deepEqual([opened(), open.size], [1, 0])
})

test('a lost session closes the idle connections of its server, and the call is retried once', async () => {
  const { pool, opened } = poolOf()
  await Promise.all([1, 2].map(() => pool.use(serverOf('a'), never, () => settled())))
  let tries = 0
  await assert.rejects(
    pool.use(serverOf('a'), never, async () => {
      tries++
      throw new HttpRefused('h', 404, true)
    }),
    HttpRefused,
  )
  assert.deepEqual([tries, opened()], [2, 3])
})

test('a call that waits for too long fails since all connections are in use, and a canceled one stops waiting', async () => {
  const { pool } = poolOf({ most: 1 })
  const hold = gate()
  const busy = pool.use(serverOf('a'), never, () => hold.promise)
  const late = new AbortController()
  const waiting = pool.use(serverOf('b'), late.signal, async () => {})
  late.abort(new ServerTimedOut('late'))
  await assert.rejects(waiting, { code: 'TIMED_OUT', message: /All connections to the server were in use/ })
  const left = new AbortController()
  const leaving = pool.use(serverOf('b'), left.signal, async () => {})
  left.abort(new Error('left'))
  await assert.rejects(leaving, /left/)
  hold.resolve()
  await busy
  await pool.use(serverOf('b'), never, async () => {})
  await pool.close()
})
