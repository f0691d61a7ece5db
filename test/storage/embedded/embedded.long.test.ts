import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { installedBinaries } from '../../../storage/embedded/binaries.ts'
import { type Embedded, startEmbedded } from '../../../storage/embedded/embedded.ts'
import { launch, launchers } from '../../../storage/embedded/launcher.ts'
import { EmbeddedHosts, lives, until } from './embeddedHosts.ts'

const world = new EmbeddedHosts()
const isRoot = process.geteuid?.() === 0
const onlyRoot = isRoot ? false : 'needs root'
const onlyLinux = process.platform === 'linux' ? false : 'needs /proc'

after(async () => {
  assert.deepEqual(await world.end(), [], 'PostgreSQL processes were left behind')
})

describe('the embedded PostgreSQL', { skip: onlyLinux }, () => {
  test('creates its database at the first start and finds it at the next', async () => {
    const dataDir = world.newDataDir()
    const begun = performance.now()
    let firstMs = 0
    await withDatabase(dataDir, async (sql, embedded) => {
      firstMs = performance.now() - begun
      assert.match(embedded.version, /^18\.\d+$/)
      await sql`create table t as select 'ä' as x`
    })
    const again = performance.now()
    const check = async (sql: postgres.Sql): Promise<void> => {
      const nextMs = performance.now() - again
      assert.ok(nextMs < firstMs, `the first start took ${firstMs} ms and the next one ${nextMs} ms`)
      const [row] = await sql`select x, current_setting('fsync') as fsync, current_setting('work_mem') as work_mem,
        current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as listen,
        current_setting('server_encoding') as encoding,
        (select datlocale from pg_database where datname = current_database()) as locale from t`
      const promised = { fsync: 'on', commit: 'on', listen: '', encoding: 'UTF8', locale: 'C.UTF-8' }
      assert.deepEqual({ ...row }, { x: 'ä', work_mem: '5MB', ...promised })
    }
    await withDatabase(dataDir, check, { work_mem: '5MB' })
    await assert.rejects(withDatabase(dataDir, answers, { fsync: 'off' }), /fsync .*can't be changed/)
  })

  test('keeps every acknowledged commit through 10 × kill -9, and ends with its killed parent', async () => {
    const dataDir = world.newDataDir()
    let committed = 0
    for (let round = 0; round < 10; round++) {
      const host = world.host(dataDir, { work: 'insert' })
      await until(() => host.said.length > 100, 15_000)
      const server = host.said[0]?.ready?.pid ?? 0
      // Every other time PostgreSQL is killed too, so that it has to recover.
      if (round % 2 === 1) process.kill(server, 'SIGKILL')
      await host.kill()
      await until(() => !lives(server), 10_000)
      committed += host.said.filter((line) => line.committed !== undefined).length
    }
    const [row] = await withDatabase(dataDir, (sql) =>
      sql<{ n: number }[]>`select count(*)::int as n from kept`.execute(),
    )
    assert.ok(row && row.n >= committed, `${committed} were acknowledged and not all are there`)
  })

  test('starts again after a kill at any moment of the first start', async () => {
    const dataDir = world.newDataDir()
    for (const milliseconds of [100, 200, 350, 500, 700]) {
      const host = world.host(dataDir)
      await sleep(milliseconds)
      // All at once, as when the power goes: initdb must have no time to clean up.
      process.kill(host.pid, 'SIGKILL')
      world.killAll()
      await host.kill()
    }
    await withDatabase(dataDir, answers)
    assert.deepEqual(readdirSync(dataDir).sort(), ['lock', 'postgres'])
  })

  test('ends an orphan of its folder, with or without its postmaster', async () => {
    const dataDir = world.newDataDir()
    await withDatabase(dataDir, answers)
    const folder = join(dataDir, 'postgres')
    const { postgres: program } = await installedBinaries()
    const [launcher] = launchers()
    assert.ok(launcher)
    // It simulates a system whose kernel does not signal the death of a parent process.
    const prefix = launcher.prefix.slice(0, launcher.prefix.indexOf('setpriv'))
    for (const postmasterDies of [false, true]) {
      const args = ['-D', folder, '-c', `unix_socket_directories=${folder}`, '-c', 'listen_addresses=']
      const orphan = launch({ ...launcher, prefix }, program, args, { cwd: '/', stdio: 'ignore' })
      await until(() => / *ready/.test(read(join(folder, 'postmaster.pid'))), 5_000)
      if (postmasterDies) orphan.kill('SIGKILL')
      await withDatabase(dataDir, async (sql, embedded) => {
        await answers(sql)
        assert.notEqual(embedded.pid, orphan.pid)
        assert.ok(!lives(orphan.pid ?? 0))
      })
    }
  })

  test('starts although a stale lock file has the ID of another process', async () => {
    const dataDir = world.newDataDir()
    await withDatabase(dataDir, answers)
    const folder = join(dataDir, 'postgres')
    writeFileSync(join(folder, 'postmaster.pid'), `${process.ppid}\n${folder}\n`)
    writeFileSync(join(folder, '.s.PGSQL.5432.lock'), `${process.ppid}\n${folder}\n`)
    writeFileSync(join(dataDir, 'lock'), `${process.ppid} elsewhere\n`)
    await withDatabase(dataDir, answers)
  })

  test('refuses a second process on its folder and names the first, until the first is gone', async () => {
    const dataDir = world.newDataDir()
    const rivals = [world.host(dataDir), world.host(dataDir), world.host(dataDir)]
    const said = await Promise.all(rivals.map((host) => host.first()))
    const winner = rivals[said.findIndex((line) => line.ready)]
    assert.ok(winner)
    for (const { failed } of said.filter((line) => !line.ready)) {
      assert.equal(failed?.name, 'StartError')
      assert.equal(
        failed?.message,
        `The data folder ${dataDir} is in use by the Signalbox process ${winner.pid}: stop it, or give this one another DATA_DIR.`,
      )
    }
    await winner.kill()
    // At once, while its PostgreSQL is still shutting down.
    await withDatabase(dataDir, answers)
  })

  test('ends when its process is stopped normally', async () => {
    const host = world.host(world.newDataDir())
    const { ready } = await host.first()
    await host.stop()
    assert.deepEqual(host.said.at(-1), { stopped: true })
    assert.ok(!lives(ready?.pid ?? 0))
  })

  test('works in private folders, and in folders with strange or long paths', async () => {
    const base = world.newDataDir()
    mkdirSync(base, { mode: 0o700 })
    const folders = [
      join(base, 'private'),
      join(base, 'a, "strange": näme'),
      join(base, ...Array.from({ length: 8 }, (_, n) => `a-very-long-name-${n}`)),
    ]
    for (const dataDir of folders) {
      const socketFolder = await withDatabase(dataDir, async (sql, { connection }) => {
        await answers(sql)
        assert.equal(statSync(connection.host).mode & 0o077, 0, 'others can reach the socket')
        return connection.host
      })
      assert.equal(existsSync(socketFolder), socketFolder.startsWith(dataDir), 'a socket folder was left behind')
    }
  })

  test('started by root, works in the private folder of another user', { skip: onlyRoot }, async () => {
    const home = world.newDataDir()
    mkdirSync(home, { mode: 0o700 })
    chownSync(home, 1234, 1234)
    await withDatabase(join(home, 'data'), answers)
  })

  test('runs for an unprivileged user, and ends with the process of that user', { skip: onlyRoot }, async () => {
    const dataDir = world.newDataDir()
    mkdirSync(dataDir, { mode: 0o700 })
    chownSync(dataDir, 65534, 65534)
    const host = world.host(dataDir, { work: 'insert', nobody: true })
    await until(() => host.said.length > 100, 15_000)
    await host.kill()
    await until(() => !lives(host.said[0]?.ready?.pid ?? 0), 10_000)
    const next = world.host(dataDir, { nobody: true })
    assert.ok((await next.first()).ready)
    await next.stop()
  })

  test('runs and ends with its parent if no helper command is installed', async () => {
    const dataDir = world.newDataDir()
    chmodSync(world.folder, 0o755)
    const bare = { env: { PATH: '/nonexistent' } }
    const host = world.host(dataDir, bare)
    const { ready } = await host.first()
    assert.ok(ready)
    const { failed } = await world.host(dataDir, bare).first()
    assert.match(failed?.message ?? '', new RegExp(`in use by the Signalbox process ${host.pid}:`))
    await host.kill()
    await until(() => !lives(ready.pid), 10_000)
    // With the commands back, the same folder goes on.
    await withDatabase(dataDir, answers)
  })
})

/** Starts, uses and stops; gives what `use` answers. */
async function withDatabase<T>(
  dataDir: string,
  use: (sql: postgres.Sql, embedded: Embedded) => Promise<T>,
  parameters: Record<string, string> = {},
): Promise<T> {
  const embedded = await startEmbedded({ dataDir, log: () => {}, parameters })
  const sql = postgres({ ...embedded.connection, max: 1 })
  try {
    return await use(sql, embedded)
  } finally {
    await sql.end({ timeout: 1 })
    await embedded.stop()
  }
}

async function answers(sql: postgres.Sql): Promise<void> {
  assert.equal((await sql`select 1`).count, 1)
}

function read(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
