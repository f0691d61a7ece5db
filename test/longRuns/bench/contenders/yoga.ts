/**
 * graphql-yoga on node:http. The schema, the objects and the database query are Signalbox's own. The key is looked up once and
 * cached. It has no log, metrics or limits.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'
import { sha256Hex } from '../../../../gateway/auth/tokens.ts'
import { printCatalog } from '../../../../gateway/graphql/schema/print.ts'
import { agentType } from '../../../../gateway/operations/agents/agents.ts'
import { requireKind } from '../../../../gateway/operations/core/replies.ts'
import { objectTypes, operations } from '../../../../gateway/operations/operations.ts'
import { connect } from '../../../../storage/sql/sql.ts'
import { listActors } from '../../../../storage/views/list.ts'
import { PostgresViews } from '../../../../storage/views/views.ts'
import { contenderOptions, serve } from '../support/contender.ts'

export interface YogaOptions {
  readonly connection: {
    readonly host: string
    readonly port: number
    readonly database: string
    readonly username: string
  }
  /** Milliseconds since 1970, by agent: the times of the last heartbeats in Signalbox. */
  readonly lastSeen: Readonly<Record<string, number>>
  /** Whether it reads through Signalbox's views, for which an unchanged list is a short query. Otherwise each request reads all rows. */
  readonly throughViews: boolean
}

const { connection, lastSeen, throughViews } = contenderOptions<YogaOptions>()
const sql = connect({ connection }, { name: 'yoga', max: 8 })
const views = new PostgresViews(sql)
const presence = {
  lastSeen: (id: string) => lastSeen[id],
  epoch: () => undefined,
  loose: () => undefined,
  status: () => undefined,
}
const keys = new Map<string, Promise<boolean>>()

const schema = buildSchema(printCatalog({ operations, objectTypes }))
const agents = schema.getQueryType()?.getFields().agents
if (agents === undefined) throw new Error('the schema has no agents')
agents.resolve = async () => {
  const query = { kind: 'agent', descending: true, limit: 1_000 } as const
  const rows = throughViews ? await views.list(query) : await listActors(sql, query)
  const context = { presence, now: Date.now(), baseUrl: '' }
  return rows.map((row) => agentType.fromRow(requireKind('agent', row), context))
}

function allowed(key: string): Promise<boolean> {
  const hash = sha256Hex(key)
  let known = keys.get(hash)
  if (known === undefined) {
    known = views.findByKey('apiKey', hash).then((row) => row?.columns.status === 'ACTIVE')
    keys.set(hash, known)
  }
  return known
}

const yoga = createYoga({
  schema,
  logging: false,
  graphiql: false,
  landingPage: false,
  graphqlEndpoint: '/api/graphql',
})
const server = createServer((req, res) => {
  void allowed(String(req.headers['x-api-key'])).then((yes) => {
    if (yes) void yoga(req, res)
    else res.writeHead(401).end()
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
serve({ port: (server.address() as AddressInfo).port, stop: () => sql.end({ timeout: 1 }) })
