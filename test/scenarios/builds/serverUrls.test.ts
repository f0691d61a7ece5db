/** Server URLs and streams of telemetry on two servers that share one database: a change on one reaches the clients of the other. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ada, rest, withCookie } from '../../kit/program/accounts.ts'
import { closeReaders, messagesOf, readEvents } from '../../kit/program/eventStream.ts'
import { graphql } from '../../kit/program/graphql.ts'
import { connect, subscribe } from '../../kit/program/socket.ts'
import { type TwoServers, twoServers } from '../../kit/program/twoServers.ts'
import { until } from '../../kit/program/until.ts'

let servers: TwoServers
let cookie: string | undefined
const credential = () => ({ cookie: cookie ?? '' })

before(async () => {
  servers = await twoServers()
  cookie = (await rest(servers.here.url, 'POST', '/api/auth/sign-up/email', { body: ada })).cookie
})
after(async () => {
  closeReaders()
  await servers?.end()
})

const save = (url: string, input: object) =>
  graphql<{ saveServerUrlSettings: { serverUrlSettings: { revision: number } } }>(
    url,
    credential(),
    'mutation ($input: SaveServerUrlSettingsInput!) { saveServerUrlSettings(input: $input) { serverUrlSettings { revision } } }',
    { input },
  )

test('a change of the server URLs reaches the subscribers of both servers within a second', async () => {
  const { here, there } = servers
  const clients = [here, there].map(({ url }) => connect(url, {}, { headers: { ...credential(), origin: url } }))
  const query = 'subscription { serverUrlSettingsChanged { revision } }'
  const subscriptions = clients.map((client) => subscribe<{ revision: number }>(client, query))
  // A subscription has no first item, so its beginning is known by a change that arrives.
  let tries = 0
  await until('both subscriptions', async () => {
    await save(here.url, { localUrlOverride: `http://try-${tries++}.example` })
    return subscriptions.every(({ items }) => items.length > 0) || undefined
  })
  for (const [index, from] of [there, here, there].entries()) {
    const begun = performance.now()
    const { saveServerUrlSettings } = await save(from.url, { remoteUrlOverride: `https://remote-${index}.example` })
    const { revision } = saveServerUrlSettings.serverUrlSettings
    for (const subscription of subscriptions)
      await subscription.first('the revision', (item) => item.revision === revision)
    const ms = performance.now() - begun
    assert.ok(ms < 1_000, `it took ${ms} ms`)
    for (const { url } of [here, there]) {
      const { serverUrlSettings } = await graphql<{ serverUrlSettings: { effective: { remoteUrl: string } } }>(
        url,
        credential(),
        '{ serverUrlSettings { effective { remoteUrl } } }',
      )
      assert.equal(serverUrlSettings.effective.remoteUrl, `https://remote-${index}.example`)
    }
  }
  for (const client of clients) await client.dispose()
})

test('a stream of telemetry has the records of both servers, each once, and continues on the other server', async () => {
  const { here, there } = servers
  const path = '/api/telemetry/console-logs/stream'
  const { headers } = withCookie(cookie)
  const reader = readEvents(here.url + path, headers)
  await until('the first event', async () => reader.events[0])
  let count = 0
  const store = async (url: string) => {
    const items = Array.from({ length: 5 }, () => ({ body: `record ${count++}` }))
    assert.equal((await rest(url, 'POST', '/api/telemetry/console-logs', { body: { items } })).status, 201)
  }
  const bodies = (of: typeof reader) => messagesOf<{ body: string }>(of).map(({ body }) => body)
  for (let round = 0; round < 20; round++) await Promise.all([store(here.url), store(there.url)])
  await until('all records', async () => bodies(reader).length >= count || undefined)
  assert.equal(new Set(bodies(reader)).size, count)
  reader.close()

  const middle = reader.events.filter(({ type }) => type === 'message')[77]
  const continued = readEvents(`${there.url}${path}?lastEventId=${middle?.id}`, headers)
  await until('the rest', async () => bodies(continued).length >= count - 78 || undefined)
  assert.deepEqual(bodies(continued), bodies(reader).slice(78))
  const begun = performance.now()
  await store(here.url)
  await until('the new records', async () => bodies(continued).length >= count - 78 || undefined)
  assert.ok(performance.now() - begun < 1_500, 'records of another server follow within a second')
  continued.close()
})
