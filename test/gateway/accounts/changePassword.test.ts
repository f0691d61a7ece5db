/** Changing a password over HTTP, one's own and another user's. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { argon2id } from '../../../gateway/auth/argon2.ts'
import { withRowTypes } from '../../../gateway/operations/typedViews.ts'
import { accountsOf, bearer, type Person, password } from '../../kit/program/gatewayAccounts.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

let world: TestGateway
const { call, signIn, newPerson, live } = accountsOf(() => world)
let ada: Person

before(async () => {
  world = await startTestGateway({ options: { passwords: argon2id } })
  ada = await newPerson()
})
after(() => world.stop())

const fresh = 'staple battery'
const change = (person: Person, body: object) => call('POST', '/change-password', body, bearer(person.token))
const right = { currentPassword: password, newPassword: fresh }

test('the new password signs in and the old one does not; sessions stay', async () => {
  const person = await newPerson(ada)
  const other = (await signIn(person.email)).body.token ?? ''
  const changed = await change(person, right)
  assert.deepEqual([changed.status, changed.body.token, changed.body.user?.id], [200, null, person.userId])
  assert.deepEqual([(await signIn(person.email)).status, (await signIn(person.email, fresh)).status], [401, 200])
  assert.deepEqual(await Promise.all([person.token, other].map(live)), [true, true])
  const row = await world.storage.views.find(person.userId)
  assert.match(String(row?.context.passwordHash), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('with revokeOtherSessions all sessions end, and the caller is given a new one', async () => {
  const person = await newPerson(ada)
  const other = (await signIn(person.email)).body.token ?? ''
  const changed = await change(person, { ...right, revokeOtherSessions: true })
  const token = changed.body.token ?? ''
  assert.equal(changed.headers.get('set-auth-token'), token)
  assert.match(changed.headers.get('set-cookie') ?? '', new RegExp(`^signalbox=${token};`))
  assert.deepEqual(await Promise.all([token, person.token, other].map(live)), [true, false, false])
})

test('a wrong current password and a new one that is too short or too long are refused, and nothing changes', async () => {
  const person = await newPerson(ada)
  const wrong = await change(person, { ...right, currentPassword: 'wrong horse', revokeOtherSessions: true })
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'BAD_USER_INPUT'])
  assert.equal((wrong.body.error as { field?: string }).field, 'currentPassword')
  for (const newPassword of ['short 7', 'x'.repeat(129)]) {
    const { status, body } = await change(person, { ...right, newPassword })
    assert.deepEqual([status, body.code], [400, 'BAD_USER_INPUT'])
    assert.match(body.message ?? '', /^newPassword: must have at (least 8|most 128) characters$/)
  }
  assert.equal(await live(person.token), true)
  assert.equal((await signIn(person.email)).status, 200)
  assert.equal((await change(person, { ...right, newPassword: 'x'.repeat(128) })).status, 200)
})

test('guessing the current password with a stolen session is limited like guessing it at sign-in', async () => {
  const person = await newPerson(ada)
  const guess = () => change(person, { ...right, currentPassword: 'guess' })
  for (let n = 0; n < 10; n++) assert.equal((await guess()).status, 400)
  const limited = await guess()
  assert.deepEqual([limited.status, limited.body.code], [429, 'RATE_LIMITED'])
  assert.ok(Number(limited.headers.get('retry-after')) > 0)
})

test('another user can set a forgotten password, which ends the sessions; a user cannot set their own this way', async () => {
  const person = await newPerson(ada)
  const set = (body: object, by = ada) => call('POST', '/admin/set-user-password', body, bearer(by.token))
  const { userId } = person
  const short = await set({ userId, newPassword: 'short' })
  assert.deepEqual([short.status, short.body.code], [400, 'BAD_USER_INPUT'])
  const own = await set({ userId, newPassword: fresh }, person)
  assert.deepEqual([own.status, own.body.code], [409, 'FAILED_PRECONDITION'])
  assert.equal(await live(person.token), true)
  assert.deepEqual((await set({ userId, newPassword: fresh })).body, { status: true })
  assert.equal(await live(person.token), false)
  assert.equal((await signIn(person.email, fresh)).status, 200)
  const nobody = await set({ userId: world.newId('user'), newPassword: fresh })
  assert.deepEqual([nobody.status, nobody.body.code], [404, 'NOT_FOUND'])
})

test('an account without a password cannot get one', async () => {
  const { userId, token } = await world.signIn()
  const own = await change({ userId, email: '', token }, right)
  const set = await call('POST', '/admin/set-user-password', { userId, newPassword: fresh }, bearer(ada.token))
  for (const { status, body } of [own, set]) assert.deepEqual([status, body.code], [409, 'FAILED_PRECONDITION'])
})

test('a sign-in that was checked against the former password creates no session after the change', async () => {
  const person = await newPerson(ada)
  const slow = Promise.withResolvers<void>()
  const checked = Promise.withResolvers<void>()
  const passwords = {
    ...argon2id,
    verify: async (hash: string, given: string) => {
      const is = await argon2id.verify(hash, given)
      checked.resolve()
      await slow.promise
      return is
    },
  }
  const second = await startTestGateway({
    options: { passwords, views: withRowTypes(world.storage.views), system: world.system },
  })
  try {
    const late = fetch(`${second.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password }),
    })
    await checked.promise
    assert.equal((await change(person, { ...right, revokeOtherSessions: true })).status, 200)
    slow.resolve()
    assert.equal((await late).status, 401)
    const sessions = await world.storage.views.list({
      kind: 'authSession',
      where: { scopeId: person.userId },
      terminal: false,
      limit: 10,
    })
    assert.equal(sessions.length, 1, 'the new one of the change')
  } finally {
    await second.stop()
  }
})
