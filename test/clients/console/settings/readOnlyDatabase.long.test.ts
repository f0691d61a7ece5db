/** A database that can be read and accepts no writes, as an administrator sees it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from '../../../../storage/sql/sql.ts'
import { atConsole } from '../../../kit/browser/atConsole.ts'
import { sharedDatabase } from '../../../kit/program/twoServers.ts'
import { until } from '../../../kit/program/until.ts'

const shared = await sharedDatabase()
after(() => shared.end())
const { stage, page } = await atConsole({ DATABASE_URL: shared.env.DATABASE_URL ?? '' })

async function lookAtDatabase(): Promise<readonly [boolean, boolean]> {
  const { installationStatus } = await stage.ask<{
    installationStatus: { database: { reachable: boolean; acceptsWrites: boolean } }
  }>('{ installationStatus { database { reachable acceptsWrites } } }')
  const { reachable, acceptsWrites } = installationStatus.database
  return [reachable, acceptsWrites]
}

const readiness = async () => (await fetch(`${stage.url}/api/public/ready`)).status

test('the settings page shows a read-only database, readiness fails, and both recover', {
  timeout: 120_000,
}, async (t) => {
  const { connection } = shared.target
  const sql = connect({ connection: { ...connection, database: 'postgres' } }, { name: 'test', max: 1 })
  t.after(() => sql.end())
  const problem = page.getByText('The database accepts no writes: it is read-only, or its disk is full.')
  await page.goto('/settings/server')
  await page.getByText('Reachable').waitFor()
  assert.equal(await problem.count(), 0)
  assert.deepEqual(await lookAtDatabase(), [true, true])

  await sql.unsafe(`alter database ${connection.database} set default_transaction_read_only = on`)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${connection.database}`
  await until('the server to notice', async () => {
    const [reachable, acceptsWrites] = await lookAtDatabase().catch(() => [false, true] as const)
    return reachable && !acceptsWrites
  })
  assert.equal(await readiness(), 503)
  await problem.waitFor({ timeout: 30_000 })
  await page.getByText('Reachable').waitFor()

  await sql.unsafe(`alter database ${connection.database} reset default_transaction_read_only`)
  await until('the server to recover', async () => (await readiness()) === 200)
  await until('the status to recover', async () => (await lookAtDatabase())[1])
  await problem.waitFor({ state: 'detached', timeout: 30_000 })
})
