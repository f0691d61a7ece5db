/** The runtime and the whole storage while PostgreSQL can't be reached or does not accept writes, and after. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../kit/program/until.ts'
import { stopServers } from '../../kit/runtime/postgres/postgres.ts'
import { type BehindProxy, storageBehindProxy } from './behindProxy.ts'
import { startDurableLoad } from './durableLoad.ts'

after(stopServers)

/** How long the fault lasts, and how soon after it work goes on, milliseconds. */
const faultMs = 7_000
const recoveryMs = 5_000

const faults: Readonly<Record<string, { begin(scene: BehindProxy): unknown; end(scene: BehindProxy): unknown }>> = {
  'connections are silent': {
    begin: ({ proxy }) => {
      proxy.silent = true
    },
    end: ({ proxy }) => {
      proxy.silent = false
    },
  },
  'new sessions do not accept writes, and the old ones were ended': {
    async begin({ direct, database }) {
      const { database: name } = database.target.connection
      await direct.unsafe(`alter database ${name} set default_transaction_read_only = on`)
      await direct`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'signalbox %one'`
    },
    async end({ direct, database }) {
      await direct.unsafe('set default_transaction_read_only = off')
      await direct.unsafe(`alter database ${database.target.connection.database} reset default_transaction_read_only`)
    },
  },
}

for (const [title, fault] of Object.entries(faults)) {
  test(`while ${title} the health check fails, and soon afterwards work continues and nothing is lost`, {
    timeout: 180_000,
  }, async (t) => {
    const scene = await storageBehindProxy(t)
    const { storage, direct } = scene
    const load = await startDurableLoad(t, storage, 'one')
    await sleep(500)
    // A slow machine may take longer than the time of one check while the load begins.
    await until('the storage to be healthy', () => storage.healthy())

    await fault.begin(scene)
    const began = performance.now()
    await sleep(200)
    assert.equal(await storage.healthy(), false)
    await sleep(faultMs - (performance.now() - began))
    assert.equal(await storage.healthy(), false)
    await fault.end(scene)

    const ended = performance.now()
    const before = load.count
    while (load.count < before + 50 || !(await storage.healthy())) {
      const ms = performance.now() - ended
      assert.ok(ms < recoveryMs, `${load.count - before} pieces were acknowledged ${Math.round(ms)} ms after the fault`)
      await sleep(50)
    }
    assert.deepEqual(await load.finish(direct), [])
  })
}
