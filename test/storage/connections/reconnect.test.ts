/** After an outage of some seconds every connection uses the database again as soon as it is available. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from '../../../storage/sql/sql.ts'
import { CuttingProxy } from '../../kit/runtime/postgres/cuttingProxy.ts'
import { stopServers, testDatabase } from '../../kit/runtime/postgres/postgres.ts'

after(stopServers)

/** However long each failure had made the next try wait, ms. */
const soon = 3_000

test('soon after an outage every connection answers queries', async (t) => {
  const database = await testDatabase(undefined, { empty: true })
  const proxy = await CuttingProxy.start(database.target)
  const sql = connect(proxy.target, { name: 'test', max: 4 })
  t.after(async () => {
    await sql.end({ timeout: 1 })
    await proxy.close()
    await database.drop()
  })
  const ask = () => Promise.allSettled(Array.from({ length: 8 }, () => sql`select 1`))
  await ask()

  proxy.away = true
  const end = performance.now() + 4_000
  while (performance.now() < end) await Promise.race([ask(), new Promise((resolve) => setTimeout(resolve, 100))])
  proxy.away = false

  const back = performance.now()
  // A request during the outage may fail. Then it is repeated.
  for (let answered = false; !answered; ) answered = (await ask()).every(({ status }) => status === 'fulfilled')
  const ms = performance.now() - back
  assert.ok(ms < soon, `it took ${Math.round(ms)} ms`)
})
