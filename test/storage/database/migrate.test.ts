import { serverKinds } from '../../kit/runtime/postgres/postgres.ts'
import { migrateContract } from './migrateContract.ts'

const [kind = 'embedded'] = serverKinds()
migrateContract(kind)
