/** A session is used by the sockets that it signed in: who works on one open console stays signed in. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asked, type Closed, connect, subscribe } from '../../kit/program/socket.ts'
import { ManualClock, settled } from '../../kit/runtime/manualClock.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const hour = 3_600_000
const day = 24 * hour
const follow = 'subscription { logAdded(name: "quiet") { sequence } }'

const clock = new ManualClock(Date.now())
let world: TestGateway
let person: { sessionId: string; token: string }
let params: Record<string, string>

before(async () => {
  world = await startTestGateway({ options: { clock } })
})
after(() => world.stop())
beforeEach(async () => {
  person = await world.signIn(clock.now())
  params = { authorization: `Bearer ${person.token}` }
})

/** The times at which the session received a message about its use. */
async function renewals(): Promise<number[]> {
  const steps = await world.storage.views.history({ id: person.sessionId, limit: 1_000 })
  return steps.filter(({ event }) => event === 'touch').map(({ at }) => at)
}

async function status(): Promise<string | undefined> {
  return (await world.storage.views.find(person.sessionId))?.columns.status
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

test('a user who sends a request over an open socket every few hours is signed in after 40 days', async () => {
  const client = connect(world.wsUrl, params)
  await days(40, async (n) => (n % 6 === 0 ? await asked(client, '{ health }') : undefined))
  assert.deepEqual([await status(), await closing(client)], ['ACTIVE', undefined])
  await client.dispose()
})

test('a user with a subscription on an open socket is signed in after 40 days', async () => {
  const client = connect(world.wsUrl, params)
  subscribe(client, follow)
  // Behind what is followed: it is by the time that this is answered.
  await asked(client, '{ health }')
  await days(40)
  assert.deepEqual([await status(), await closing(client)], ['ACTIVE', undefined])
  await client.dispose()
})

test('an open socket that is not used does not keep its user signed in', async () => {
  const client = connect(world.wsUrl, params)
  await asked(client, '{ health }')
  await days(31)
  assert.equal(await status(), 'EXPIRED')
  assert.equal((await client.closed).code, 4401)
})

test('an API key shows its last use by a request or a subscription, to the hour, and null before the first use', async () => {
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
  subscribe(client, follow)
  await asked(client, '{ health }')
  await days(1, async () => void (await world.graphql('{ health }', {}, params)))
  const steps = await world.storage.views.history({ id: keyId, limit: 100 })
  assert.equal(steps.filter(({ event }) => event === 'touch').length, 25)
  assert.equal(await lastRequest(), new Date(clock.now()).toISOString())
  await client.dispose()
})

test('a session is renewed once a day, however many sockets and requests it has', async () => {
  const clients = [1, 2, 3].map(() => connect(world.wsUrl, params))
  for (const client of clients) subscribe(client, follow)
  await days(5, async () => {
    for (const client of clients) await asked(client, '{ health }')
    await world.graphql('{ health }', {}, params)
  })
  const times = await renewals()
  assert.ok(times.length >= 4 && times.length <= 5, `renewed ${times.length} times in 5 days`)
  const newest = [...times].sort((a, b) => b - a)
  for (const [n, at] of newest.entries()) assert.ok(n === 0 || (newest[n - 1] ?? 0) - at >= day)
  for (const client of clients) await client.dispose()
})

/** Resolves when the session has processed the message about its use. The answer does not wait for that message. */
async function asks(): Promise<number> {
  const { status } = await world.graphql('{ health }', {}, params)
  await sleep(20)
  return status
}

test('a session that nothing uses ends after 30 days, to the minute', async () => {
  await clock.leap(30 * day - 60_000)
  assert.equal(await asks(), 200)
  await clock.leap(30 * day - 60_000)
  assert.equal(await asks(), 200, 'its use gave it 30 more')
  await clock.leap(30 * day + 60_000)
  assert.deepEqual([await asks(), await status()], [401, 'EXPIRED'])
})

test('a session that is used every few days does not end, and shows its new time of expiry', async () => {
  for (let n = 0; n < 30; n++) {
    await clock.leap(3 * day)
    assert.equal(await asks(), 200, `after ${3 * n} days`)
  }
  const answer = await fetch(`${world.url}/api/auth/get-session`, { headers: params })
  const { session } = (await answer.json()) as { session: { expiresAt: string } }
  assert.equal(session.expiresAt, new Date(clock.now() + 30 * day).toISOString())
})

describe('the session cookie', () => {
  const lines = async (path = '/api/auth/get-session', more: Record<string, string> = {}) => {
    const headers = { cookie: `signalbox=${person.token}`, ...more }
    const response = await fetch(world.url + path, { headers, redirect: 'manual' })
    await response.arrayBuffer()
    return response.headers.getSetCookie()
  }
  const renewed = () => [`signalbox=${person.token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax`]

  test('is renewed for 30 days by its use, at most once a day, however many requests there are at once', async () => {
    assert.deepEqual(await lines(), [])
    await clock.leap(day - 60_000)
    assert.deepEqual(await lines(), [])
    await clock.leap(60_000)
    const sent = await Promise.all(Array.from({ length: 10 }, () => lines()))
    assert.deepEqual(sent.flat(), renewed())
    await clock.leap(day - 60_000)
    assert.deepEqual(await lines(), [])
    await clock.leap(60_000)
    assert.deepEqual(await lines(), renewed())
  })

  for (const [surface, path] of Object.entries({
    'the account routes': '/api/auth/list-sessions',
    REST: '/api/codebases',
    'GraphQL over GET': '/api/graphql?query=%7Bhealth%7D',
  }))
    test(`is renewed by ${surface}`, async () => {
      await clock.leap(2 * day)
      assert.deepEqual(await lines(path), renewed())
    })

  test('is renewed by GraphQL over POST and by MCP', async () => {
    const body = { '/api/graphql': '{"query":"{ health }"}', '/api/mcp': '{"jsonrpc":"2.0","id":1,"method":"ping"}' }
    for (const [path, sent] of Object.entries(body)) {
      await clock.leap(2 * day)
      const headers = {
        cookie: `signalbox=${person.token}`,
        origin: world.url,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const response = await fetch(world.url + path, { method: 'POST', headers, body: sent })
      assert.equal(response.status, 200, await response.text())
      assert.deepEqual(response.headers.getSetCookie(), renewed(), path)
    }
  })

  test('is renewed even if a socket has already renewed the session', async () => {
    const client = connect(world.wsUrl, {}, { headers: { cookie: `signalbox=${person.token}`, origin: world.url } })
    subscribe(client, follow)
    await asked(client, '{ health }')
    await days(3)
    assert.deepEqual(await lines(), renewed())
    await client.dispose()
  })

  test('is not renewed for a caller with a bearer token, nor in the response that clears it', async () => {
    await clock.leap(2 * day)
    const bearer = await fetch(`${world.url}/api/auth/get-session`, { headers: params })
    assert.deepEqual(bearer.headers.getSetCookie(), [])
    const out = await fetch(`${world.url}/api/auth/sign-out`, {
      method: 'POST',
      headers: { cookie: `signalbox=${person.token}`, origin: world.url },
    })
    assert.match(out.headers.getSetCookie().join(), /^signalbox=; Path=\/; Max-Age=0/)
  })
})
