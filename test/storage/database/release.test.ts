/** Two versions of the program on one database: the later one stops the earlier. */
import { equal, match, rejects } from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

interface World {
  open(owner: string, machines: string): Promise<Storage>
  readonly sql: Sql
}

async function inWorld(run: (world: World) => Promise<void>): Promise<void> {
  const database = await testDatabase()
  const opened: Storage[] = []
  const sql = connect(database.target, { name: 'test', max: 2 })
  try {
    await run({
      sql,
      async open(owner, machines) {
        const storage = await openStorage({ ...database.target, owner, machines, log: () => {} })
        opened.push(storage)
        return storage
      },
    })
  } finally {
    await Promise.all(opened.map((storage) => storage.close()))
    await sql.end()
    await database.drop()
  }
}

const now = async (sql: Sql): Promise<number> =>
  (await sql<{ at: number }[]>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`)[0]?.at ?? 0

test('a version does not start while processes of another version run, and starts when they are gone', () =>
  inWorld(async ({ open, sql }) => {
    const old = await open('old', 'version 1')
    let living = true
    const beating = (async () => {
      for (; living; await sleep(500)) await old.outbox.beat('old', await now(sql))
    })()
    await open('second', 'version 1')
    await rejects(open('new', 'version 2'), {
      message: /^Another version of Signalbox works on this database \(1 process\)\. Stop all its processes/,
    })
    equal((await old.journal.commit([creation('run')], [])).lost.size, 0, 'the refused start changed nothing')
    living = false
    await beating
    await open('new', 'version 2')
  }))

test('a process of the old version that continues after the new version has started commits nothing, and is asked to end', () =>
  inWorld(async ({ open, sql }) => {
    const old = await open('old', 'version 1')
    const write = creation('run')
    await old.journal.commit([write], [])
    const fresh = await open('new', 'version 2')
    await rejects(old.journal.commit([nextWrite(write, 'old')], []), { message: /Another version of Signalbox/ })
    await rejects(old.journal.commit([creation('run'), creation('job')], []))
    match(await old.superseded, /Another version of Signalbox was started/)
    const [{ count } = { count: -1 }] = await sql<{ count: number }[]>`select count(*) as count from journal`
    equal(count, 1)
    equal((await fresh.journal.commit([nextWrite(write, 'old')], [])).lost.size, 0)
  }))

test('a version that starts waits for a commit of the old one that is in flight', () =>
  inWorld(async ({ open, sql }) => {
    const old = await open('old', 'version 1')
    const write = creation('run')
    await old.journal.commit([write], [])
    const [locked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = sql.begin(async (tx) => {
      await tx`select id from actor where id = ${write.ref.id} for update`
      locked.resolve()
      await go.promise
    })
    await locked.promise
    const committed = old.journal.commit([nextWrite(write, 'old')], [])
    await sleep(100)
    const opening = open('new', 'version 2')
    await sleep(300)
    go.resolve()
    await holding
    const fresh = await opening
    await committed
    equal((await fresh.journal.load([write.ref])).get(write.ref.id)?.seq, 2)
  }))

test('a process that only reads is notified within about two seconds that it was replaced', () =>
  inWorld(async ({ open }) => {
    const old = await open('old', 'version 1')
    await open('new', 'version 2')
    equal(typeof (await Promise.race([old.superseded, sleep(2_500)])), 'string')
  }))
