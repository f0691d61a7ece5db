/** The runtime and the whole storage while the connections to PostgreSQL are reset again and again. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { stopServers } from '../../kit/runtime/postgres/postgres.ts'
import { storageBehindProxy } from './behindProxy.ts'
import { loadKinds, startDurableLoad } from './durableLoad.ts'

after(stopServers)

const resets = 60

for (const kinds of [['telemetry'], ['toolCalls'], ['streams'], ['loads'], ['notes'], loadKinds] as const) {
  test(`under resets of all connections nothing acknowledged is lost or stored twice, and all work continues: ${kinds.join(', ')}`, {
    timeout: 180_000,
  }, async (t) => {
    const { storage, proxy, direct } = await storageBehindProxy(t)
    const load = await startDurableLoad(t, storage, 'one', kinds)
    for (let reset = 0; reset < resets; reset++) {
      await sleep(30 + (reset % 5) * 10)
      await load.grow(10, 1_000)
      proxy.resetClients()
    }
    assert.deepEqual(await load.finish(direct), [])
    assert.ok(load.count > resets, `only ${load.count} pieces were acknowledged`)
  })
}
