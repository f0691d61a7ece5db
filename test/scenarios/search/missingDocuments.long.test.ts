/**
 * A database without search documents, as if its kinds could be searched since this version: two servers start on it at once, and
 * everything in it is found.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from '../../../storage/sql/sql.ts'
import { firstKey, graphql } from '../../kit/program/graphql.ts'
import { type Shared, sharedDatabase } from '../../kit/program/twoServers.ts'

let shared: Shared
after(() => shared?.end())

test('objects without a search document are found on every server as soon as it is ready', async () => {
  shared = await sharedDatabase()
  const first = await shared.start('here')
  const key = await firstKey(first.url)
  const ask = <T>(url: string, query: string) => graphql<T>(url, { 'X-API-Key': key }, query)
  const ids = []
  for (let number = 0; number < 12; number++) {
    const made = await ask<{ createIntegration: { integration: { id: string } } }>(
      first.url,
      `mutation { createIntegration(input: { name: "hooks of zebra${number}", provider: GITHUB }) { integration { id } } }`,
    )
    ids.push(made.createIntegration.integration.id)
  }
  await ask(
    first.url,
    `mutation { deleteIntegration(input: { integrationId: "${ids.shift()}" }) { integration { id } } }`,
  )
  await first.stop()
  const sql = connect(shared.target, { name: 'test', max: 1 })
  await sql`delete from search_document`
  await sql`delete from search_filled`
  await sql.end()
  const servers = await Promise.all([shared.start('here'), shared.start('there')])
  for (const server of servers) {
    const { globalSearch } = await ask<{ globalSearch: { hits: { id: string }[] } }>(
      server.url,
      '{ globalSearch(text: "zebra", first: 50) { hits { id } } }',
    )
    assert.deepEqual(
      globalSearch.hits.map(({ id }) => id),
      [...ids].reverse(),
    )
  }
  assert.ok(servers.some((server) => server.output().includes('search documents of existing actors were created')))
})
