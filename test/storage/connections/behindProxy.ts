import type { TestContext } from 'node:test'
import { openStorage } from '../../../storage/open.ts'
import { connect, type Sql } from '../../../storage/sql/sql.ts'
import type { Storage } from '../../../storage/storage.ts'
import { CuttingProxy } from '../../kit/runtime/postgres/cuttingProxy.ts'
import { type TestDatabase, testDatabase } from '../../kit/runtime/postgres/postgres.ts'

export interface BehindProxy {
  /** All its connections go through the proxy. */
  readonly storage: Storage
  readonly proxy: CuttingProxy
  /** A connection past the proxy. */
  readonly direct: Sql
  readonly database: TestDatabase
}

/** A whole storage behind a proxy, on a database of its own; it ends with the test. */
export async function storageBehindProxy(t: TestContext): Promise<BehindProxy> {
  const database = await testDatabase()
  const proxy = await CuttingProxy.start(database.target)
  const direct = connect(database.target, { name: 'direct', max: 1 })
  const storage = await openStorage({ ...proxy.target, owner: 'one', log: () => {} })
  t.after(async () => {
    await storage.close()
    await direct.end({ timeout: 1 })
    await proxy.close()
    await database.drop()
  })
  return { storage, proxy, direct, database }
}
