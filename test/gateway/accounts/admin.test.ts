/** Everybody's accounts over HTTP, by any signed-in user: listed, made, disabled, enabled and removed. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { registrationId } from '../../../spec/core/ids.ts'
import { accountsOf, bearer, type Person, password } from '../../kit/program/gatewayAccounts.ts'
import { asked, connect, subscribe } from '../../kit/program/socket.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
const { call, signIn, newPerson, live } = accountsOf(() => world)
let ada: Person
let bob: Person

beforeEach(async () => {
  world = await startTestGateway()
  ada = await newPerson()
  bob = await newPerson(ada)
})
afterEach(() => world.stop())

const admin = (by: Person, path: string, body: object) => call('POST', `/admin/${path}`, body, bearer(by.token))
const list = (query = '', by = ada) => call('GET', `/admin/list-users${query}`, undefined, bearer(by.token))
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

test('a page of the accounts has the total number, shows which are disabled, and has no password', async () => {
  const eve = await newPerson(ada)
  await admin(ada, 'ban-user', { userId: bob.userId })
  const { status, body } = await list()
  const users = body.users as { email: string; banned: boolean; role: string }[]
  assert.equal(status, 200)
  assert.deepEqual(
    users.map(({ email, banned, role }) => [email, banned, role]),
    [
      [ada.email, false, 'admin'],
      [bob.email, true, 'admin'],
      [eve.email, false, 'admin'],
    ],
  )
  assert.deepEqual([body.total, body.limit, body.offset], [3, 100, 0])
  assert.doesNotMatch(JSON.stringify(body), /hash/i)
  const emails = async (query: string) => ((await list(query)).body.users as { email: string }[]).map((u) => u.email)
  assert.deepEqual(await emails('?limit=2'), [ada.email, bob.email])
  assert.deepEqual(await emails('?limit=2&offset=1'), [bob.email, eve.email])
  assert.deepEqual(await emails('?limit=2&offset=2'), [eve.email])
  assert.deepEqual(await emails('?offset=3'), [])
  assert.deepEqual(await emails('?offset=4'), [])
})

test('a request for a page with a limit or offset out of bounds, a search or a sort order is refused', async () => {
  for (const query of ['limit=0', 'limit=101', 'limit=many', 'offset=-1', 'searchValue=ada', 'sortBy=email'])
    assert.deepEqual(codeOf(await list(`?${query}`)), [400, 'BAD_USER_INPUT'], query)
})

test('a signed-in user creates an account while registration is closed, and the new user signs in', async () => {
  const input = { email: 'New@Example.com', password, name: 'New' }
  const made = await admin(bob, 'create-user', input)
  assert.deepEqual([made.status, made.body.user?.email, made.body.user?.banned], [200, 'new@example.com', false])
  assert.equal((await signIn('new@example.com')).body.user?.id, made.body.user?.id)
  assert.deepEqual(codeOf(await admin(bob, 'create-user', input)), [409, 'CONFLICT'])
  for (const wrong of [{ password: 'short' }, { email: 'nobody' }, { name: '' }, { role: 'user' }, { data: {} }])
    assert.deepEqual(codeOf(await admin(bob, 'create-user', { ...input, ...wrong })), [400, 'BAD_USER_INPUT'])
})

test('two equal requests with one Idempotency-Key create one account, and a different one is refused', async () => {
  const make = (name: string) =>
    call(
      'POST',
      '/admin/create-user',
      { email: 'once@example.com', password, name },
      { ...bearer(ada.token), 'idempotency-key': 'k' },
    )
  const [first, second] = [await make('Once'), await make('Once')]
  assert.equal(first.status, 200)
  assert.deepEqual(second.body, first.body)
  assert.deepEqual(codeOf(await make('Other')), [409, 'CONFLICT'])
})

test('disabling an account ends its sessions, keys, sockets and subscriptions within a second, and prevents a sign-in', async () => {
  const key = (await world.apiKey(bob.userId)).token
  const credentials = [bearer(bob.token), { 'X-API-Key': key }]
  const sockets = credentials.map((params) => connect(world.wsUrl, params))
  for (const socket of sockets) await asked(socket, '{ health }')
  const following = sockets.map((socket) => subscribe(socket, 'subscription { logAdded(name: "quiet") { sequence } }'))
  const began = performance.now()
  const banned = await admin(ada, 'ban-user', { userId: bob.userId, banReason: 'left' })
  assert.deepEqual([banned.status, banned.body.user?.banned], [200, true])
  for (const socket of sockets) assert.equal((await socket.closed).code, 4401)
  for (const { done } of following) await assert.rejects(done)
  assert.ok(performance.now() - began < 1_000)
  for (const headers of credentials)
    assert.equal((await world.graphql('{ health }', {}, headers as Record<string, string>)).status, 401)
  const [no, wrong] = [await signIn(bob.email), await signIn(bob.email, 'wrong')]
  assert.deepEqual([codeOf(no), no.body.message], [[401, 'UNAUTHENTICATED'], wrong.body.message])
  assert.equal(await live(ada.token), true)
  for (const kind of ['authSession', 'apiKey'] as const) {
    const rows = await world.storage.views.list({ kind, where: { scopeId: bob.userId }, limit: 10 })
    assert.ok(rows.length > 0 && rows.every(({ columns }) => columns.status === 'REVOKED'), kind)
  }
})

test('a user whose account is enabled again signs in again, and the former session and key stay ended', async () => {
  const key = (await world.apiKey(bob.userId)).token
  await admin(ada, 'ban-user', { userId: bob.userId })
  assert.equal((await admin(ada, 'ban-user', { userId: bob.userId })).body.user?.banned, true, 'a repeat')
  const enabled = await admin(ada, 'unban-user', { userId: bob.userId })
  assert.deepEqual([enabled.status, enabled.body.user?.banned], [200, false])
  assert.equal(await live(bob.token), false)
  assert.equal((await world.graphql('{ health }', {}, { 'x-api-key': key })).status, 401)
  const again = (await signIn(bob.email)).body.token ?? ''
  assert.equal(await live(again), true)
  assert.equal((await admin(ada, 'unban-user', { userId: bob.userId })).status, 200)
  assert.equal(await live(again), true, 'to enable who is enabled ends nothing')
})

test('a session stays ended after enabling, also if the server stopped halfway through disabling the account', async () => {
  await world.ask({ kind: 'registration', id: registrationId }, { type: 'disableUser', userId: bob.userId })
  while (await live(bob.token)) await sleep(5)
  assert.equal((await admin(ada, 'unban-user', { userId: bob.userId })).status, 200)
  assert.equal(await live(bob.token), false)
})

test('a removed account is not listed, its credentials are invalid, and its email address is free', async () => {
  const key = (await world.apiKey(bob.userId)).token
  const socket = connect(world.wsUrl, bearer(bob.token))
  await asked(socket, '{ health }')
  assert.deepEqual((await admin(ada, 'remove-user', { userId: bob.userId })).body, { success: true })
  assert.equal((await socket.closed).code, 4401)
  assert.equal(await live(bob.token), false)
  assert.equal((await world.graphql('{ health }', {}, { 'x-api-key': key })).status, 401)
  assert.equal((await signIn(bob.email)).status, 401)
  assert.equal((await list()).body.total, 1)
  for (const path of ['ban-user', 'unban-user', 'remove-user', 'revoke-user-sessions'])
    assert.deepEqual(codeOf(await admin(ada, path, { userId: bob.userId })), [404, 'NOT_FOUND'], path)
  const made = await admin(ada, 'create-user', { email: bob.email, password, name: 'Bob' })
  assert.equal(made.status, 200)
  assert.notEqual(made.body.user?.id, bob.userId)
})

test('the last enabled account can be neither disabled nor removed, and keeps its sessions', async () => {
  const own = await admin(bob, 'ban-user', { userId: bob.userId })
  assert.deepEqual([own.status, await live(bob.token)], [200, false], 'one of two may disable itself')
  assert.match(own.headers.get('set-cookie') ?? '', /Max-Age=0/)
  for (const path of ['ban-user', 'remove-user'])
    assert.deepEqual(codeOf(await admin(ada, path, { userId: ada.userId })), [409, 'FAILED_PRECONDITION'], path)
  assert.equal(await live(ada.token), true)
  assert.equal((await admin(ada, 'remove-user', { userId: bob.userId })).status, 200, 'a disabled one is not the last')
})

test('if two users disable each other at the same time, one of them stays enabled', async () => {
  const both = await Promise.all([
    admin(ada, 'ban-user', { userId: bob.userId }),
    admin(bob, 'ban-user', { userId: ada.userId }),
  ])
  assert.equal(both.filter(({ status }) => status === 200).length, 1)
  assert.equal((await Promise.all([ada, bob].map(({ token }) => live(token)))).filter(Boolean).length, 1)
})

test('a user can end all sessions of another user', async () => {
  const other = (await signIn(bob.email)).body.token ?? ''
  const ended = await admin(ada, 'revoke-user-sessions', { userId: bob.userId })
  assert.deepEqual([ended.status, ended.body], [200, { success: true }])
  assert.deepEqual(await Promise.all([bob.token, other, ada.token].map(live)), [false, false, true])
  assert.equal((await signIn(bob.email)).status, 200)
})

test('invalid IDs, unknown users and options that are not supported are refused', async () => {
  const paths = ['ban-user', 'unban-user', 'remove-user', 'revoke-user-sessions']
  for (const path of paths) {
    for (const body of [{}, { userId: 'bob' }, { userId: world.newId('apiKey') }, { userId: 7 }])
      assert.deepEqual(codeOf(await admin(ada, path, body)), [400, 'BAD_USER_INPUT'], path)
    assert.deepEqual(codeOf(await admin(ada, path, { userId: world.newId('user') })), [404, 'NOT_FOUND'], path)
  }
  const forAnHour = await admin(ada, 'ban-user', { userId: bob.userId, banExpiresIn: 3600 })
  assert.deepEqual(codeOf(forAnHour), [400, 'BAD_USER_INPUT'])
  assert.equal(await live(bob.token), true)
})
