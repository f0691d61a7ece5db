/** Reads, claims and commits use separate connections to PostgreSQL, so they do not wait for each other. */
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createServer, connect as dial } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { stopServers, type TestDatabase, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

const at = 1_763_636_195_000

interface Scene {
  readonly storage: Storage
  readonly direct: Sql
  readonly database: TestDatabase
}

function scene(title: string, run: (scene: Scene) => Promise<void>): void {
  test(title, { timeout: 20_000 }, async () => {
    const database = await testDatabase()
    const direct = connect(database.target, { name: 'direct', max: 2 })
    const storage = await openStorage({ ...database.target, owner: 'one', log: () => {} })
    try {
      await run({ storage, direct, database })
    } finally {
      await direct.end({ timeout: 1 })
      await storage.close()
      await database.drop()
    }
  })
}

/** Holds a lock while it runs. */
async function whileLocked(sql: Sql, lock: string, run: () => Promise<void>): Promise<void> {
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const held = sql.begin(async (tx) => {
    await tx.unsafe(lock)
    locked.resolve()
    await release.promise
  })
  await Promise.race([locked.promise, held])
  try {
    await run()
  } finally {
    release.resolve()
    await held
  }
}

const soon = <T>(promise: Promise<T>): Promise<T | 'late'> => Promise.race([promise, sleep(3_000, 'late' as const)])

scene('reads that hang delay neither commits nor loads', async ({ storage, direct }) => {
  const first = creation('run')
  await storage.journal.commit([first], [])
  await whileLocked(direct, 'lock table definition in access exclusive mode', async () => {
    const reads = Array.from({ length: 20 }, () => storage.views.definitions())
    await sleep(100)
    deepEqual(await soon(storage.journal.commit([nextWrite(first, 'one')], [])), { lost: new Map() })
    const loaded = await soon(storage.journal.load([first.ref]))
    ok(loaded !== 'late', 'the load waits for the reads')
    equal(loaded.get(first.ref.id)?.seq, 2)
    void Promise.allSettled(reads)
  })
})

scene('a claim of effects skips the effects that another process is claiming', async ({ storage, direct }) => {
  const write = creation('run', { at })
  const effects = [0, 1].map((n) => ({ id: `${write.ref.id}:1:${n}`, type: 'send', params: null }))
  await storage.journal.commit([{ ...write, effects }], [])
  await whileLocked(direct, 'select from outbox where n = 0 for update', async () => {
    const found = await soon(storage.outbox.claim('one', Date.now() + 3_600_000, 1_000, 10))
    ok(found !== 'late', 'the claim waits')
    deepEqual(
      found.map(({ id }) => id),
      [effects[1]?.id],
    )
  })
})

test('every session begins with a statement timeout and without JIT compilation, and sessions for reads begin as read-only', async () => {
  const database = await testDatabase()
  const { host, port } = database.target.connection
  const greetings: string[] = []
  const listener = createServer((client) => {
    const server = dial(port, host)
    client.once('data', (data) => greetings.push(data.toString('latin1')))
    client.pipe(server).pipe(client)
    for (const socket of [client, server]) socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  const connection = {
    ...database.target.connection,
    host: '127.0.0.1',
    port: typeof address === 'object' && address !== null ? address.port : 0,
  }
  const storage = await openStorage({ connection, owner: 'one', log: () => {} })
  try {
    const first = creation('run')
    await storage.journal.commit([first], [])
    await storage.journal.load([first.ref])
    await storage.views.find(first.ref.id)
    const greeting = (name: string): string => greetings.find((text) => text.includes(`signalbox ${name} one`)) ?? ''
    match(greeting('journal'), /statement_timeout\0(?!0)/)
    match(greeting('work'), /statement_timeout\0(?!0)/)
    match(greeting('views'), /statement_timeout\0(?!0)/)
    match(greeting('views'), /default_transaction_read_only\0on/)
    const sessions = greetings.filter((text) => text.includes('application_name'))
    ok(sessions.length >= 5, `${sessions.length} sessions`)
    for (const session of sessions) match(session, /jit\0off/)
  } finally {
    await storage.close()
    await new Promise((resolve) => listener.close(resolve))
    await database.drop()
  }
})
