/** The migrations on the servers that `migrate.test.ts` leaves out. */
import { serverKinds } from '../../kit/runtime/postgres/postgres.ts'
import { migrateContract } from './migrateContract.ts'

for (const kind of serverKinds().slice(1)) migrateContract(kind)
