import { after } from 'node:test'
import { serverKinds, stopServers } from '../support/postgres/postgres.ts'
import { contracts } from './contracts.ts'
import { postgresWorld } from './world.ts'

after(stopServers)

const [kind = 'embedded'] = serverKinds()
for (const contract of contracts) contract(`${kind} PostgreSQL`, postgresWorld(kind))
