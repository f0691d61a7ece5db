/** A user's own sessions over HTTP: seen, and ended one by one or all. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accountsOf, bearer, type Person } from '../../kit/program/gatewayAccounts.ts'
import { connect } from '../../kit/program/socket.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
const { call, signIn, newPerson, live } = accountsOf(() => world)
let ada: Person

before(async () => {
  world = await startTestGateway()
  ada = await newPerson()
})
after(() => world.stop())

interface Listed {
  readonly id: string
  readonly current: boolean
  readonly userAgent: string | null
  readonly lastUsedAt: string
  readonly createdAt: string
  readonly expiresAt: string
}

async function listed(token: string): Promise<readonly Listed[]> {
  return (await call('GET', '/list-sessions', undefined, bearer(token))).body as unknown as Listed[]
}

async function again({ email }: Person, userAgent = 'test'): Promise<string> {
  return (await signIn(email, undefined, { 'user-agent': userAgent })).body.token ?? ''
}

test('the list has each active session, marks the current one, and has no token', async () => {
  const person = await newPerson(ada)
  const phone = await again(person, 'Phone/1')
  await call('POST', '/sign-out', {}, bearer(await again(person)))
  const sessions = await listed(phone)
  assert.deepEqual(
    sessions.map(({ userAgent, current }) => [userAgent, current]),
    [
      ['Phone/1', true],
      ['node', false],
    ],
  )
  const [own] = sessions
  assert.deepEqual(Object.keys(own ?? {}).sort(), [
    'createdAt',
    'current',
    'expiresAt',
    'id',
    'ipAddress',
    'lastUsedAt',
    'updatedAt',
    'userAgent',
    'userId',
  ])
  assert.ok(Date.parse(own?.expiresAt ?? '') > Date.parse(own?.lastUsedAt ?? ''))
  assert.equal(JSON.stringify(sessions).includes(phone), false)
})

test('a session can be ended by its ID, its ID as `token` or its token, and its socket is closed with 4401', async () => {
  const person = await newPerson(ada)
  for (const how of ['id', 'ID as token', 'token']) {
    const other = await again(person, how)
    const id = (await listed(person.token)).find(({ userAgent }) => userAgent === how)?.id
    const client = connect(world.wsUrl, bearer(other))
    await new Promise<void>((resolve) => client.on('connected', () => resolve()))
    const body = { id: { id }, 'ID as token': { token: id }, token: { token: other } }[how]
    assert.deepEqual((await call('POST', '/revoke-session', body, bearer(person.token))).body, { status: true })
    assert.equal((await client.closed).code, 4401)
    assert.equal(await live(other), false)
  }
  assert.equal(await live(person.token), true)
})

test('ending an ended session again succeeds; a session of another user or an unknown one is not found', async () => {
  const person = await newPerson(ada)
  const other = await again(person, 'other')
  const id = (await listed(person.token)).find(({ userAgent }) => userAgent === 'other')?.id
  const revoke = async (body: unknown, by = person) => {
    const { status, body: answer } = await call('POST', '/revoke-session', body, bearer(by.token))
    return [status, answer.code]
  }
  assert.deepEqual(await revoke({ id }, ada), [404, 'NOT_FOUND'])
  assert.deepEqual(await revoke({ token: other }, ada), [404, 'NOT_FOUND'])
  assert.equal(await live(other), true)
  assert.deepEqual(await revoke({ id }), [200, undefined])
  assert.deepEqual(await revoke({ id }), [200, undefined])
  assert.deepEqual(await revoke({ token: 'nothing' }), [404, 'NOT_FOUND'])
  assert.deepEqual(await revoke({ id: world.newId('authSession') }), [404, 'NOT_FOUND'])
  for (const body of [{}, { id: person.userId }, { id: '' }, { id, token: id }, { id: 1 }])
    assert.deepEqual(await revoke(body), [400, 'BAD_USER_INPUT'], JSON.stringify(body))
})

test('a user can end all sessions but the current one, or all sessions, which also clears the cookie', async () => {
  const person = await newPerson(ada)
  const others = [await again(person), await again(person)]
  const key = (await world.apiKey(person.userId)).token
  assert.deepEqual((await call('POST', '/revoke-other-sessions', {}, bearer(person.token))).body, { status: true })
  assert.deepEqual(await Promise.all([person.token, ...others].map(live)), [true, false, false])
  const another = await again(person)
  const all = await call('POST', '/revoke-sessions', undefined, bearer(person.token))
  assert.deepEqual(all.body, { status: true })
  assert.match(all.headers.get('set-cookie') ?? '', /signalbox=; Path=\/; Max-Age=0/)
  assert.deepEqual(await Promise.all([person.token, another].map(live)), [false, false])
  assert.equal((await world.graphql('{ health }', {}, { 'x-api-key': key })).status, 200, 'keys are not sessions')
  assert.equal(await live(ada.token), true, 'nor are the sessions of others')
})
