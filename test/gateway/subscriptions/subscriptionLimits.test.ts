/** How many subscriptions a socket may have: 1,000 where an agent follows its jobs, 100 for everybody else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from 'graphql-ws'
import { asked, connect, subscribe } from '../../kit/program/socket.ts'
import { type GraphqlBody, startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
before(async () => {
  world = await startTestGateway()
  await world.append('limited', 0, ['one'])
})
after(() => world.stop())

type Errors = NonNullable<GraphqlBody['errors']>
const follow = 'subscription { logAdded(name: "limited") { sequence } }'

async function errorsOf(client: Client): Promise<Errors> {
  const refused = await subscribe(client, follow).done.then(
    () => undefined,
    (error: { errors: Errors }) => error.errors,
  )
  return refused ?? assert.fail('it was not refused')
}

/** So many are live at once; one more is refused, and the others and the socket go on. */
async function holdsTo(most: number, url: string, params: Record<string, string>): Promise<void> {
  const client = connect(url, params)
  const live = Array.from({ length: most }, () => subscribe<{ sequence: number }>(client, follow))
  await Promise.all(live.map((one) => one.reached(1)))
  const [error, ...others] = await errorsOf(client)
  assert.deepEqual(others, [])
  assert.match(error?.message ?? '', new RegExp(`At most ${most} subscriptions on a socket`))
  assert.deepEqual(
    { code: error?.extensions.code, retryable: error?.extensions.retryable },
    { code: 'RATE_LIMITED', retryable: true },
  )
  // A place that was given back is another's.
  live.pop()?.stop()
  await asked(client, '{ health }').catch(() => {})
  live.push(subscribe(client, follow))
  await live.at(-1)?.reached(1)
  await errorsOf(client)
  const { next } = await world.storage.streams.head('limited')
  await world.append('limited', next, ['more'])
  await Promise.all(live.map((one) => one.reached(next + 1)))
  assert.equal(await Promise.race([client.closed, Promise.resolve('open')]), 'open')
  await client.dispose()
}

test('a user can have 100 subscriptions on a socket, on either listener', async () => {
  const params = { authorization: `Bearer ${(await world.signIn()).token}` }
  await holdsTo(100, world.wsUrl, params)
  await holdsTo(100, world.agentWsUrl, params)
})

test('an API key can have 100 subscriptions on a socket', async () => {
  const { userId } = await world.signIn()
  await holdsTo(100, world.wsUrl, { 'X-API-Key': (await world.apiKey(userId)).token })
})

test('an agent can have 1,000 subscriptions on a socket', async () => {
  await holdsTo(1_000, world.agentWsUrl, { authorization: `Bearer ${(await world.agent()).token}` })
})

test('queries in flight do not count as subscriptions, and have a limit of their own', async () => {
  const client = connect(world.wsUrl, { authorization: `Bearer ${(await world.signIn()).token}` })
  const waiting = Array.from({ length: 64 }, () => asked(client, '{ waits(ms: 3000) }'))
  const refused = asked(client, '{ waits(ms: 0) }').then(
    () => assert.fail('it was not refused'),
    ([error]: Errors) => error,
  )
  const live = Array.from({ length: 100 }, () => subscribe<{ sequence: number }>(client, follow))
  // A refused one rejects.
  await Promise.all(live.map((one) => Promise.race([one.reached(1), one.done])))
  const error = await refused
  assert.match(error?.message ?? '', /At most 64 queries and mutations in flight on a socket/)
  assert.deepEqual([error?.extensions.code, error?.extensions.details], ['RATE_LIMITED', { limit: 64 }])
  for (const answer of await Promise.all(waiting)) assert.equal((answer as GraphqlBody).errors, undefined)
  await client.dispose()
})
