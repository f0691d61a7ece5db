/** Connections that break around a commit. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Write } from '../../../actors/ports/journal.ts'
import { registerRelease } from '../../../storage/database/release.ts'
import { PostgresJournal } from '../../../storage/journal/journal.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { CuttingProxy } from '../../kit/runtime/postgres/cuttingProxy.ts'
import { stopServers, type TestDatabase, testDatabase } from '../../kit/runtime/postgres/postgres.ts'
import { creation, nextWrite } from '../../kit/runtime/writes.ts'

after(stopServers)

interface Scene {
  readonly journal: PostgresJournal
  readonly proxy: CuttingProxy
  /** A connection past the proxy. */
  readonly direct: Sql
}

const mark = 'THE-COMMIT'

/** A journal behind a proxy, with its second connection past it. */
function scene(title: string, options: { half?: boolean }, run: (scene: Scene) => Promise<void>): void {
  test(title, async () => {
    const database: TestDatabase = await testDatabase()
    const proxy = await CuttingProxy.start(database.target, { marks: mark, ...options })
    const direct = connect(database.target, { name: 'direct', max: 4 })
    await registerRelease(direct, 'this one')
    const journal = new PostgresJournal({
      target: proxy.target,
      owner: 'one',
      release: 'this one',
      databaseTime: Date,
      superseded: () => {},
      reads: direct,
      log: () => {},
    })
    try {
      await run({ journal, proxy, direct })
    } finally {
      await proxy.close()
      await journal.close()
      await direct.end({ timeout: 1 })
      await database.drop()
    }
  })
}

const marked = (write: Write): Write => ({ ...write, entry: { event: mark, detail: '{}' } })

describe('an uncertain commit', () => {
  scene('that did not arrive is not stored, and can be repeated', {}, async ({ journal, proxy }) => {
    const [first, second] = [creation('run'), creation('run')]
    await journal.commit([first], [])
    const batch = [marked(nextWrite(first, 'one')), marked(second)]
    proxy.cut = 'request'
    await rejects(journal.commit(batch, []), { name: 'CommitUncertain' })
    deepEqual(await journal.settle(batch), [false, false])
    deepEqual(await journal.commit(batch, []), { lost: new Map() })
  })

  scene('whose answer was lost is stored', {}, async ({ journal, proxy }) => {
    const [first, second] = [creation('run'), creation('run')]
    await journal.commit([first], [])
    const batch = [marked(nextWrite(first, 'one')), marked(second)]
    proxy.cut = 'answer'
    await rejects(journal.commit(batch, []), { name: 'CommitUncertain' })
    deepEqual(await journal.settle(batch), [true, true])
    const again = nextWrite(batch[0] ?? first, 'one')
    deepEqual(await journal.commit([again], []), { lost: new Map() })
  })

  scene('makes the commits that were sent after it uncertain too', {}, async ({ journal, proxy }) => {
    const first = creation('run')
    await journal.commit([first], [])
    const second = marked(nextWrite(first, 'one'))
    const third = nextWrite(second, 'one')
    proxy.cut = 'request'
    const results = await Promise.allSettled([journal.commit([second], []), journal.commit([third], [])])
    ok(results.every((result) => result.status === 'rejected' && result.reason.name === 'CommitUncertain'))
    deepEqual(await journal.settle([second]), [false])
    deepEqual(await journal.settle([third]), [false])
  })

  scene(
    'is settled only after its backend can no longer commit',
    { half: true },
    async ({ journal, proxy, direct }) => {
      const first = creation('run')
      await journal.commit([first], [])
      const second = marked(nextWrite(first, 'one'))
      // The backend waits for a lock while its connection dies; it would commit when it gets it.
      const release = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      const lock = direct.begin(async (tx) => {
        await tx`select from actor where id = ${first.ref.id} for update`
        held.resolve()
        await release.promise
      })
      await held.promise
      const commit = journal.commit([second], [])
      const failed = rejects(commit, { name: 'CommitUncertain' })
      while ((await waiting(direct)) === 0) await sleep(5)
      proxy.dropClients()
      await failed
      equal(await waiting(direct), 1, 'the old backend is still at work')
      deepEqual(await journal.settle([second]), [false])
      equal(await waiting(direct), 0)
      release.resolve()
      await lock
      await sleep(50)
      equal((await journal.load([first.ref])).get(first.ref.id)?.seq, 1)
      deepEqual(await journal.commit([second], []), { lost: new Map() })
    },
  )

  scene('does not affect later commits', {}, async ({ journal, proxy }) => {
    proxy.cut = 'answer'
    await rejects(journal.commit([marked(creation('run'))], []), { name: 'CommitUncertain' })
    deepEqual(await journal.commit([creation('run')], []), { lost: new Map() })
  })

  scene('is not stored if another owner has written the same sequence', {}, async ({ journal, proxy, direct }) => {
    const first = creation('run')
    await journal.commit([first], [])
    const second = marked(nextWrite(first, 'one'))
    proxy.cut = 'request'
    await rejects(journal.commit([second], []), { name: 'CommitUncertain' })
    await direct`insert into journal (at, actor, seq, kind, owner, event, status, detail, tx)
      values (1, ${first.ref.id}, 2, 'run', 'two', 'x', 'x', '{}', 1)`
    deepEqual(await journal.settle([second]), [false])
  })
})

describe('an unavailable database', () => {
  scene('fails commits as repeatable, before anything was sent', {}, async ({ journal, proxy }) => {
    await journal.commit([creation('run')], [])
    await proxy.close()
    await sleep(20)
    const write = creation('run')
    for (let tries = 0; tries < 2; tries++) {
      await rejects(journal.commit([write], []), { name: 'CommitFailed', repeatable: true })
    }
  })

  scene(
    'that has ended the session of the journal accepts the next commit, immediately or after it was settled',
    {},
    async ({ journal, direct }) => {
      const first = creation('run')
      await journal.commit([first], [])
      await direct`
      select pg_terminate_backend(pid, 60000) from pg_stat_activity where application_name = 'signalbox journal one'`
      const write = nextWrite(first, 'one')
      // The journal may commit before it learns of the end.
      const result = await journal.commit([write], []).catch(async (error: Error) => {
        equal(error.name, 'CommitUncertain')
        deepEqual(await journal.settle([write]), [false])
        return journal.commit([write], [])
      })
      deepEqual(result, { lost: new Map() })
      equal((await journal.load([first.ref])).get(first.ref.id)?.seq, write.seq)
    },
  )
})

describe('a commit that fails as a whole', () => {
  scene('names the constraint, and its connection stays usable', {}, async ({ journal, direct }) => {
    const first = creation('run', { columns: { uniqueKey: 'a' } })
    const second = creation('run', { columns: { uniqueKey: 'b' } })
    await journal.commit([first, second], [])
    await direct`alter table actor_run add constraint no_evil check (status <> 'EVIL')`
    const evil = nextWrite(first, 'one', { columns: { status: 'EVIL' } })
    await rejects(journal.commit([evil, nextWrite(second, 'one')], []), {
      name: 'CommitFailed',
      repeatable: false,
      message: /no_evil/,
    })
    equal((await journal.load([second.ref])).get(second.ref.id)?.seq, 1)
    // Two transitions of one batch use the same new key. Only the index detects it.
    const both = [first, second].map((write) => nextWrite(write, 'one', { columns: { uniqueKey: 'same' } }))
    await rejects(journal.commit(both, []), { name: 'CommitFailed', unique: true, message: /actor_run_unique_key/ })
    deepEqual(await journal.commit([nextWrite(second, 'one')], []), { lost: new Map() })
  })
})

/** How many commits wait for a lock. */
async function waiting(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from pg_stat_activity
    where application_name = 'signalbox journal one' and wait_event_type = 'Lock'`
  return row?.count ?? 0
}
