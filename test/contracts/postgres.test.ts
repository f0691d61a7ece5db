import { after } from 'node:test'
import { serverKinds, stopServers } from '../kit/runtime/postgres/postgres.ts'
import { contracts } from './contracts.ts'
import { postgresDatabase } from './storages.ts'

after(stopServers)

const [kind = 'embedded'] = serverKinds()
for (const contract of contracts) contract(`${kind} PostgreSQL`, postgresDatabase(kind))
