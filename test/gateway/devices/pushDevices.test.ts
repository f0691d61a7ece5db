/** Devices that apps register over REST. A registration is created once, refreshed by clients that know its ID, and removed with its user. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { objectTypes, operations } from '../../../gateway/operations/operations.ts'
import { accountsOf, bearer, type Person } from '../../kit/program/gatewayAccounts.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { newDevice } from '../rest/cases/pushDeviceCases.ts'

let world: TestGateway
let ada: Person
const { call, signIn, newPerson } = accountsOf(() => world)

before(async () => {
  const limits = { deviceRegistrationsPerMinute: 100_000 }
  world = await startTestGateway({ settings: { limits }, options: { operations, objectTypes } })
  ada = await newPerson()
})
after(() => world.stop())

interface Registered {
  readonly id: string
  readonly created: boolean
  readonly status: string
  readonly lastRegisteredAt: string
  readonly error?: { readonly code: string; readonly message: string; readonly field?: string }
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${world.url}/api/ios/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Registered, headers: response.headers }
}
const register = (body: unknown, { token }: Pick<Person, 'token'>) => post('notification-devices', body, bearer(token))
const registerPublicly = (body: object) => post('apns-devices', { supportedPushTypes: ['alert'], ...body })
const deviceRow = async (id: string) => (await world.storage.views.find(id)) ?? assert.fail('no such device')
const statusOf = async (id: string) => (await deviceRow(id)).columns.status

const fields = 'id status displayName environment topic deviceModel locale reason lastRegisteredAt'
async function devicesOf({ token }: Pick<Person, 'token'>) {
  const { body } = await world.graphql(`{ notificationDevices { ${fields} } }`, {}, bearer(token))
  return (body.data as unknown as { notificationDevices: Record<string, unknown>[] }).notificationDevices
}
const remove = (deviceId: string, { token }: Pick<Person, 'token'>) =>
  world.graphql(
    'mutation ($input: RemoveNotificationDeviceInput!) { removeNotificationDevice(input: $input) { device { status } } }',
    { input: { deviceId } },
    bearer(token),
  )

for (const route of ['apns-devices', 'notification-devices']) {
  const send = (body: object) => (route === 'apns-devices' ? registerPublicly(body) : register(body, ada))

  test(`${route}: a device is created once, and the same environment, topic and registration refresh it`, async () => {
    const device = newDevice()
    const first = await send(device)
    assert.equal(first.status, 201)
    assert.deepEqual([first.body.created, first.body.status], [true, 'ACTIVE'])
    const again = await send({ ...device, token: 'CD'.repeat(20), displayName: 'Renamed' })
    assert.equal(again.status, 200)
    assert.deepEqual([again.body.id, again.body.created], [first.body.id, false])
    assert.ok(again.body.lastRegisteredAt >= first.body.lastRegisteredAt)
    for (const change of [{ environment: 'PRODUCTION' }, { topic: 'org.example.other' }, { clientRegistrationId: 'x' }])
      assert.notEqual((await send({ ...device, ...change })).body.id, first.body.id)
  })

  test(`${route}: of 20 concurrent first registrations one creates the device, and all get the same ID`, async () => {
    const device = newDevice()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(device)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(19).fill(200), 201])
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  })

  test(`${route}: a token is accepted in each encoding, and is stored and shown in none of them`, async () => {
    const bytes = Buffer.alloc(32, 250)
    const writings = [
      ['HEX', bytes.toString('hex')],
      ['HEX', bytes.toString('hex').toUpperCase()],
      ['BASE64', bytes.toString('base64')],
      ['BASE64', bytes.toString('base64url')],
    ] as const
    for (const [tokenEncoding, token] of writings) {
      const { status, body } = await send({ ...newDevice(), token, tokenEncoding })
      assert.equal(status, 201, `${tokenEncoding} ${token}`)
      const { id } = body
      const seen = await world.graphql(
        'query ($id: ID!) { actor(id: $id) { context init } actorHistory(id: $id, first: 9) { nodes { change payload } } }',
        { id },
        bearer(ada.token),
      )
      assert.equal(seen.body.errors, undefined)
      const everything = JSON.stringify([body, seen.body, await deviceRow(id)])
      for (const [, writing] of writings) assert.ok(!everything.includes(writing))
      assert.ok(!JSON.stringify([body, seen.body]).includes('sealed1.'))
    }
  })
}

test('each route has its own limit per address, and its response has the remaining number', async () => {
  const strict = await startTestGateway({ settings: { limits: { deviceRegistrationsPerMinute: 3 } } })
  const { token } = await strict.signIn()
  const send = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', ...bearer(token) }
    const answer = await fetch(`${strict.url}/api/ios/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { headers: given } = answer
    const rate = ['limit', 'remaining'].map((name) => given.get(`ratelimit-${name}`))
    return [answer.status, ...rate, given.get('retry-after') !== null]
  }
  const device = { ...newDevice(), supportedPushTypes: ['alert'] }
  try {
    assert.deepEqual(await send('apns-devices', device), [201, '3', '2', false])
    // Refused requests count too.
    await send('apns-devices', {})
    await send('apns-devices', device)
    assert.deepEqual(await send('apns-devices', device), [429, '3', '0', true])
    assert.deepEqual(await send('notification-devices', newDevice()), [201, '3', '2', false])
  } finally {
    await strict.stop()
  }
})

test('an unknown field is refused for notification devices, and ignored for public registrations', async () => {
  const device = { ...newDevice(), colour: 'red' }
  const { status, body } = await register(device, ada)
  assert.deepEqual([status, body.error?.code, body.error?.field], [400, 'BAD_USER_INPUT', 'colour'])
  assert.match(body.error?.message ?? '', /colour: is not a field of this request/)
  const { body: made } = await registerPublicly(device)
  assert.ok(!JSON.stringify(await deviceRow(made.id)).includes('colour'))
})

test('a public registration neither reads nor changes a notification device', async () => {
  const device = newDevice()
  const { body: mine } = await register(device, ada)
  const before = await deviceRow(mine.id)
  const { body: publicly, status } = await registerPublicly({ ...device, displayName: 'Somebody else’s' })
  assert.equal(status, 201)
  assert.notEqual(publicly.id, mine.id)
  assert.deepEqual(await deviceRow(mine.id), before)
  assert.ok((await devicesOf(ada)).every(({ id }) => id !== publicly.id))
})

test('a device belongs to the user whose session registered it last', async () => {
  const bob = await newPerson(ada)
  const device = newDevice()
  const { body } = await register(device, ada)
  assert.equal((await register(device, bob)).status, 200)
  assert.ok((await devicesOf(ada)).every(({ id }) => id !== body.id))
  assert.deepEqual(
    (await devicesOf(bob)).map(({ id }) => id),
    [body.id],
  )
})

test('users see and remove only their own devices', async () => {
  const [bob, eve] = [await newPerson(ada), await newPerson(ada)]
  const more = { deviceModel: 'iPhone17,3', locale: 'de-CH' }
  const { body } = await register({ ...newDevice(), ...more }, bob)
  const [seen] = await devicesOf(bob)
  const { lastRegisteredAt } = body
  assert.deepEqual(seen, {
    id: body.id,
    status: 'ACTIVE',
    displayName: 'Ada’s phone',
    environment: 'SANDBOX',
    topic: 'org.example.app',
    reason: null,
    lastRegisteredAt,
    ...more,
  })
  const stranger = await remove(body.id, eve)
  assert.equal(stranger.body.errors?.[0]?.extensions.code, 'NOT_FOUND')
  assert.equal((await remove(body.id, bob)).body.errors, undefined)
  assert.equal((await remove(body.id, bob)).body.errors, undefined, 'a repeat is answered as the first')
  assert.deepEqual(await devicesOf(bob), [])
})

test('a removed device is created again when its app registers it again', async () => {
  const device = newDevice()
  const first = await register(device, ada)
  await remove(first.body.id, ada)
  const again = await register(device, ada)
  assert.equal(again.status, 201)
  assert.notEqual(again.body.id, first.body.id)
})

const ends: Readonly<Record<string, (person: Person) => Promise<unknown>>> = {
  'signing out': ({ token }) => call('POST', '/sign-out', {}, bearer(token)),
  'ending all sessions': ({ token }) => call('POST', '/revoke-sessions', {}, bearer(token)),
  'the end of the session from another one': async ({ email, token }) => {
    const other = (await signIn(email)).body.token ?? ''
    const sessions = (await call('GET', '/list-sessions', undefined, bearer(token))).body as unknown as {
      id: string
      current: boolean
    }[]
    const id = sessions.find(({ current }) => current)?.id
    await call('POST', '/revoke-session', { id }, bearer(other))
  },
}

for (const [what, end] of Object.entries(ends)) {
  test(`after ${what} the device is inactive until it is registered again`, async () => {
    const person = await newPerson(ada)
    const device = newDevice()
    const { body } = await register(device, person)
    await end(person)
    assert.equal(await statusOf(body.id), 'INACTIVE')
    const again = (await signIn(person.email)).body.token ?? ''
    assert.equal((await register(device, { token: again })).status, 200)
    assert.equal(await statusOf(body.id), 'ACTIVE')
  })
}

test('the device of a session stays active when the other sessions of its user are ended', async () => {
  const person = await newPerson(ada)
  const other = (await signIn(person.email)).body.token ?? ''
  const { body: mine } = await register(newDevice(), person)
  const { body: theirs } = await register(newDevice(), { token: other })
  await call('POST', '/revoke-other-sessions', {}, bearer(person.token))
  assert.deepEqual([await statusOf(mine.id), await statusOf(theirs.id)], ['ACTIVE', 'INACTIVE'])
})

for (const path of ['ban-user', 'remove-user']) {
  test(`after ${path} the devices of the user are removed`, async () => {
    const person = await newPerson(ada)
    const { body } = await register(newDevice(), person)
    const answer = await call('POST', `/admin/${path}`, { userId: person.userId }, bearer(ada.token))
    assert.equal(answer.status, 200)
    assert.equal(await statusOf(body.id), 'REMOVED')
  })
}
