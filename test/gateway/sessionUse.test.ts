/** A session is used by the sockets that it signed in: who works on one open console stays signed in. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ManualClock, settled } from '../support/manualClock.ts'
import { asked, type Closed, connect, followed } from './support/client.ts'
import { startWorld, type World } from './support/world.ts'

const hour = 3_600_000
const follow = 'subscription { logAdded(name: "quiet") { sequence } }'

const clock = new ManualClock(Date.now())
let world: World
let person: { sessionId: string; token: string }
let params: Record<string, string>

before(async () => {
  world = await startWorld({ options: { clock } })
})
after(() => world.stop())
beforeEach(async () => {
  person = await world.signIn(clock.now())
  params = { authorization: `Bearer ${person.token}` }
})

/** The times at which the session was told that it is in use, in whole hours from now. */
async function hoursOfUse(since: number): Promise<number[]> {
  const steps = await world.storage.views.history({ id: person.sessionId, limit: 1_000 })
  return steps.filter(({ event }) => event === 'touch').map(({ at }) => Math.floor((at - since) / hour))
}

async function status(): Promise<string | undefined> {
  return (await world.storage.views.get(person.sessionId))?.columns.status
}

async function days(count: number, eachHour: (n: number) => Promise<unknown> = async () => {}): Promise<void> {
  for (let n = 0; n < count * 24; n++) {
    await clock.leap(hour)
    await eachHour(n)
    await settled()
  }
  await sleep(20)
}

/** How it was closed, if it was. */
async function closing(client: { readonly closed: Promise<Closed> }): Promise<Closed | undefined> {
  return await Promise.race([client.closed, sleep(50, undefined)])
}

test('who asks something of an open console every few hours is signed in after 10 days', async () => {
  const client = connect(world.wsUrl, params)
  await days(10, async (n) => (n % 6 === 0 ? await asked(client, '{ health }') : undefined))
  assert.deepEqual([await status(), await closing(client)], ['ACTIVE', undefined])
  await client.dispose()
})

test('who watches something on an open console is signed in after 10 days', async () => {
  const client = connect(world.wsUrl, params)
  followed(client, follow)
  // Behind what is followed: it is by the time that this is answered.
  await asked(client, '{ health }')
  await days(10)
  assert.deepEqual([await status(), await closing(client)], ['ACTIVE', undefined])
  await client.dispose()
})

test('a socket that is open and is used for nothing does not keep anybody signed in', async () => {
  const client = connect(world.wsUrl, params)
  await asked(client, '{ health }')
  await days(8)
  assert.equal(await status(), 'EXPIRED')
  assert.equal((await client.closed).code, 4401)
})

test('a key shows when it was last used, to the hour, by requests and by what is followed; before that, nothing', async () => {
  const { userId, token } = await world.signIn(clock.now())
  const { keyId, token: key } = await world.apiKey(userId)
  const params = { 'x-api-key': key }
  const lastRequest = async (): Promise<string | null> => {
    const answer = await fetch(`${world.url}/api/auth/api-key/list`, { headers: { authorization: `Bearer ${token}` } })
    const keys = (await answer.json()) as readonly { readonly id: string; readonly lastRequest: string | null }[]
    return keys.find(({ id }) => id === keyId)?.lastRequest ?? null
  }
  assert.equal(await lastRequest(), null)
  const first = clock.now()
  await world.graphql('{ health }', {}, params)
  await settled()
  assert.equal(await lastRequest(), new Date(first).toISOString())
  const client = connect(world.wsUrl, params)
  followed(client, follow)
  await asked(client, '{ health }')
  await days(1, async () => void (await world.graphql('{ health }', {}, params)))
  const steps = await world.storage.views.history({ id: keyId, limit: 100 })
  assert.equal(steps.filter(({ event }) => event === 'touch').length, 25)
  assert.equal(await lastRequest(), new Date(clock.now()).toISOString())
  await client.dispose()
})

test('however many sockets and requests a session has, it is told of its use once in an hour', async () => {
  const since = clock.now()
  const clients = [1, 2, 3].map(() => connect(world.wsUrl, params))
  for (const client of clients) followed(client, follow)
  await days(1, async () => {
    for (const client of clients) await asked(client, '{ health }')
    await world.graphql('{ health }', {}, params)
  })
  const hours = await hoursOfUse(since)
  assert.equal(new Set(hours).size, hours.length, `told at ${hours}`)
  assert.ok(hours.length >= 23, `told ${hours.length} times in a day`)
  for (const client of clients) await client.dispose()
})

/** The session is told of its use beside the answer: it has heard of it when this resolves. */
async function asks(): Promise<number> {
  const { status } = await world.graphql('{ health }', {}, params)
  await sleep(20)
  return status
}

test('a session that nothing uses ends after 7 days, to the minute', async () => {
  await clock.leap(7 * 24 * hour - 60_000)
  assert.equal(await asks(), 200)
  await clock.leap(7 * 24 * hour - 60_000)
  assert.equal(await asks(), 200, 'its use gave it 7 more')
  await clock.leap(7 * 24 * hour + 60_000)
  assert.deepEqual([await asks(), await status()], [401, 'EXPIRED'])
})

test('a session that is used every day ends after 30 days, with its sockets, and signs in nobody', async () => {
  const client = connect(world.wsUrl, params)
  followed(client, follow)
  await days(30, async (n) => (n % 12 === 0 ? assert.equal(await asks(), 200, `after ${n} hours`) : undefined))
  assert.deepEqual([await asks(), await status(), (await client.closed).code], [401, 'EXPIRED', 4401])
  const session = await fetch(`${world.url}/api/auth/get-session`, { headers: params })
  assert.equal(session.status, 401)
})
