/** A pool of connections to PostgreSQL while connections are reset, fall silent, or reach a server that does not accept writes. */
import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { preparedLimit } from '../../../storage/connections/connection.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import { until } from '../../kit/program/until.ts'
import { CuttingProxy } from '../../kit/runtime/postgres/cuttingProxy.ts'
import { NotifyProxy } from '../../kit/runtime/postgres/notifyProxy.ts'
import { stopServers, type TestDatabase, testDatabase } from '../../kit/runtime/postgres/postgres.ts'

after(stopServers)

const answerWithinMs = 500

interface Scene {
  readonly sql: Sql
  readonly proxy: CuttingProxy
  /** Past the proxy. */
  readonly direct: Sql
  readonly database: TestDatabase
}

function scene(
  title: string,
  options: { max: number; settings?: Record<string, string>; answerWithinMs?: number },
  run: (scene: Scene) => Promise<void>,
) {
  test(title, { timeout: 60_000 }, async () => {
    const database = await testDatabase(undefined, { empty: true })
    const proxy = await CuttingProxy.start(database.target)
    const sql = connect(proxy.target, { name: 'test', answerWithinMs, ...options })
    const direct = connect(database.target, { name: 'direct', max: 2 })
    try {
      await run({ sql, proxy, direct, database })
    } finally {
      await sql.end({ timeout: 1 })
      await direct.end({ timeout: 1 })
      await proxy.close()
      await database.drop()
    }
  })
}

scene(
  'every statement is answered with its own result or fails, however often connections are reset',
  { max: 4, answerWithinMs: 5_000 },
  async ({ sql, proxy, direct }) => {
    await direct.unsafe('create table kept (token text primary key)')
    // Above 1 KiB the driver writes at once, below it gathers: both ways have lost statements.
    const paddings = ['', 'x'.repeat(2_000)]
    const acknowledged: string[] = []
    let wrong = 0
    let failed = 0
    let count = 0
    const end = performance.now() + 30_000
    const isEnough = () => acknowledged.length >= 1_000 && failed >= 200
    const worker = async (): Promise<void> => {
      while (!isEnough() && performance.now() < end) {
        const token = `${++count}`
        const padding = paddings[count % 2] ?? ''
        try {
          const written = await sql<
            { token: string }[]
          >`insert into kept values (${token}) returning token, ${padding} as padding`
          if (written[0]?.token === token) acknowledged.push(token)
          else wrong++
          const [read] = await sql<
            { token: string }[]
          >`select token, ${padding} as padding from kept where token = ${token}`
          if (read?.token !== token) wrong++
        } catch {
          failed++
          await sleep(5)
        }
      }
    }
    let before = 0
    const resets = setInterval(() => {
      if (acknowledged.length < before + 10) return
      before = acknowledged.length
      proxy.resetClients()
    }, 25)
    await Promise.all(Array.from({ length: 24 }, worker))
    clearInterval(resets)

    const stored = new Set((await direct<{ token: string }[]>`select token from kept`).map(({ token }) => token))
    const lost = acknowledged.filter((token) => !stored.has(token))
    assert.deepEqual({ wrong, lost }, { wrong: 0, lost: [] })
    assert.ok(isEnough(), `${acknowledged.length} were acknowledged, ${failed} failed`)
  },
)

scene(
  'a statement on a silent connection fails in time, and the next one gets a new connection',
  { max: 1 },
  async ({ sql, proxy }) => {
    await sql`select 1`
    proxy.silent = true
    const began = performance.now()
    const answers = Promise.allSettled([sql`select 1`, sql`select 2`])
    await sleep(100)
    proxy.silent = false
    for (const answer of await answers) {
      assert.equal(answer.status, 'rejected')
      assert.equal(answer.status === 'rejected' && answer.reason.code, 'CONNECTION_LOST')
    }
    const ms = performance.now() - began
    assert.ok(ms < answerWithinMs + 400, `it took ${Math.round(ms)} ms`)
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }])
  },
)

scene(
  'the time that a statement waits for a connection counts toward the time limit of its answer',
  { max: 1 },
  async ({ sql, proxy }) => {
    await sql`select 1`
    const held = sql.begin(async (tx) => {
      await tx`select 1`
      await sleep(300)
    })
    await sleep(50)
    const began = performance.now()
    const late = sql`select 1`
    await held
    proxy.silent = true
    await assert.rejects(late, { name: 'ConnectionLost', message: /no answer within 500 ms/ })
    const ms = performance.now() - began
    assert.ok(ms < answerWithinMs + 200, `it took ${Math.round(ms)} ms`)
    proxy.silent = false
  },
)

scene(
  'a statement that the server executes for too long fails, and its connection is replaced',
  { max: 1 },
  async ({ sql, direct }) => {
    const slow = sql`select pg_sleep(5)`
    await assert.rejects(slow, { name: 'ConnectionLost', message: /no answer within 500 ms/ })
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }])
    await direct`select 1`
  },
)

scene('statements fail immediately if no server listens', { max: 2 }, async ({ sql, proxy }) => {
  proxy.away = true
  const began = performance.now()
  await assert.rejects(sql`select 1`)
  assert.ok(performance.now() - began < 400)
})

scene('a server that does not accept writes is not used', { max: 2 }, async ({ sql, direct, database }) => {
  const name = database.target.connection.database
  await sql`select 1`
  await direct.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  await direct`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'signalbox test'`
  // On a busy machine the pool notices the ended connection only by a statement that is lost on it.
  const refusal = await until('a statement to be refused', async () => {
    const error = await sql`select 1`.then(
      () => undefined,
      (reason: { code?: string }) => reason,
    )
    return error?.code === 'CONNECTION_LOST' ? undefined : error
  })
  assert.equal(refusal.code, 'CONNECTION_READ_ONLY')
  await direct.unsafe('set default_transaction_read_only = off')
  await direct.unsafe(`alter database ${name} reset default_transaction_read_only`)
  for (let tries = 0; ; tries++) {
    const answered = await sql`select 1`.then(
      () => true,
      () => false,
    )
    if (answered) break
    assert.ok(tries < 20)
    await sleep(100)
  }
})

scene('a connection whose server stops accepting writes is replaced', { max: 1 }, async ({ sql, direct }) => {
  await direct.unsafe('create table kept (token text)')
  await sql.unsafe('set default_transaction_read_only = on')
  await assert.rejects(sql`insert into kept values ('a')`, { code: '25006' })
  assert.equal((await sql`insert into kept values ('a')`).count, 1)
})

scene(
  'connections that only read are used although they refuse writes',
  { max: 1, settings: { default_transaction_read_only: 'on' } },
  async ({ proxy }) => {
    const sql = connect(proxy.target, {
      name: 'reads',
      max: 1,
      readOnly: true,
      settings: { default_transaction_read_only: 'on' },
    })
    assert.equal((await sql`select 1`).count, 1)
    await sql.end()
  },
)

scene('the prepared statements of a connection are bounded', { max: 1 }, async ({ sql }) => {
  let most = 0
  for (let n = 0; n < preparedLimit * 2 + 50; n++) {
    await sql.unsafe(`select $1::integer + ${n} as sum`, [1], { prepare: true })
    const [row] = await sql.unsafe<{ count: number }[]>('select count(*) as count from pg_prepared_statements', [])
    most = Math.max(most, row?.count ?? 0)
  }
  assert.ok(most > preparedLimit / 2 && most <= preparedLimit, `there were ${most}`)
})

scene('a parameter without a value fails only its own statement', { max: 1 }, async ({ sql }) => {
  const missing = undefined as unknown as string
  const [bad, good] = await Promise.allSettled([
    (async () => sql`select ${missing}::text as value`)(),
    sql`select ${'a'}::text as value`,
  ])
  assert.equal(bad.status, 'rejected')
  assert.deepEqual(good.status === 'fulfilled' && [...good.value], [{ value: 'a' }])
})

scene(
  'a transaction is alone on its connection, and a transaction that throws writes nothing',
  { max: 1 },
  async ({ sql }) => {
    await sql.unsafe('create table kept (token text)')
    const failed = sql.begin(async (tx) => {
      await tx`insert into kept values ('a')`
      await sleep(50)
      throw new Error('no')
    })
    const other = sql`insert into kept values ('b')`
    await assert.rejects(failed, { message: 'no' })
    await other
    assert.deepEqual([...(await sql`select token from kept`)], [{ token: 'b' }])
  },
)

test('an answer without its command tag counts as a lost connection', async () => {
  const database = await testDatabase(undefined, { empty: true })
  const proxy = await NotifyProxy.start(database.target)
  const sql = connect(proxy.target, { name: 'test', max: 1 })
  try {
    await sql`select 1`
    proxy.losesTags = true
    await assert.rejects(sql`select 1 where false`, { name: 'ConnectionLost', message: /not whole/ })
    proxy.losesTags = false
    assert.equal((await sql`select 1`).count, 1)
  } finally {
    await sql.end({ timeout: 1 })
    await proxy.close()
    await database.drop()
  }
})

test('a statement fails immediately if its connection is reset before the session begins', async () => {
  const listener = createServer((client) => client.resetAndDestroy())
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const connection = { host: '127.0.0.1', port, database: 'none', username: 'none' }
  const sql = connect({ connection }, { name: 'test', max: 1 })
  try {
    const began = performance.now()
    for (let tries = 0; tries < 10; tries++) await assert.rejects(sql`select 1`)
    assert.ok(performance.now() - began < 3_000)
  } finally {
    await sql.end({ timeout: 1 })
    listener.close()
  }
})

test('of several servers in a URL the first that accepts writes is used', async () => {
  const database = await testDatabase(undefined, { empty: true })
  // The embedded server listens on no port.
  const proxy = await CuttingProxy.start(database.target)
  const { host, port, database: name, username } = proxy.target.connection
  const url = `postgres://${username}@${host}:1,${host}:${port}/${name}?target_session_attrs=read-write`
  const sql = connect({ url }, { name: 'test', max: 1 })
  try {
    assert.deepEqual([...(await sql`select 1 as one`)], [{ one: 1 }])
  } finally {
    await sql.end()
    await proxy.close()
    await database.drop()
  }
})

test('if no server of a URL can be used, the error names each of them and why', async () => {
  const sql = connect({ url: 'postgres://one@127.0.0.1:1,127.0.0.1:2/none' }, { name: 'test', max: 1 })
  try {
    await assert.rejects(sql`select 1`, {
      message: /127\.0\.0\.1:1: .*ECONNREFUSED.*127\.0\.0\.1:2: .*ECONNREFUSED/,
    })
  } finally {
    await sql.end()
  }
})
