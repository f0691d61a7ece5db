/** Which passwords may be chosen, wherever one is: at registration, for another, and in place of the present one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { accountRoutes } from '../../../spec/accounts/accountRoutes.ts'
import { adminRoutes } from '../../../spec/accounts/adminRoutes.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'
import { bearer, call } from '../rest/cases/call.ts'

const person = { name: 'Grace Hopper', email: 'ghopper@navy.example' }
const common = /one of the most common passwords/
const own = /your name, your email address, “signalbox” or “password”/

const refused: readonly (readonly [password: string, problem: RegExp])[] = [
  ['short12', /at least 8 characters/],
  ['x'.repeat(129), /at most 128 characters/],
  ['password', common],
  ['PassWord1', common],
  ['12345678', common],
  ['qwertyuiop', common],
  ['trustno1', common],
  ['signalbox', own],
  ['Signalbox2026', own],
  ['hopper1906', own],
  ['GraceHopper', own],
  ['hopper@navy', own],
  ['password-1234', own],
]
const taken = [
  'correct horse',
  'jp7#Lw2q',
  'x'.repeat(128),
  '        ok not to trim me      ',
  'grace-and-seven-other-sailors',
  'пароль мой длинный',
  'ひらがなのあいことば',
  'signalbox runs my trains',
]

let world: TestGateway
let token: string
let userId: string

const sent = (body: unknown) => ({ body, headers: bearer(token) })
const problemOf = (body: unknown) => (body as { error?: { field: string; problem: string } }).error

before(async () => {
  world = await startTestGateway({ settings: { limits: { signUpsPerMinute: 1_000 } } })
  const { body } = await call(world.url, accountRoutes.signUp, { body: { ...person, password: 'first of all' } })
  ;({ token } = body as { token: string })
  const made = await call(
    world.url,
    adminRoutes.createUser,
    sent({ ...person, email: 'hopper@navy.example', password: 'another one' }),
  )
  ;({ id: userId } = (made.body as { user: { id: string } }).user)
})
after(() => world.stop())

for (const [password, problem] of refused) {
  test(`the password ${password.slice(0, 30)} is refused, and the error has the reason`, async () => {
    const ways = {
      password: [
        await call(world.url, accountRoutes.signUp, sent({ ...person, email: 'new@navy.example', password })),
        await call(world.url, adminRoutes.createUser, sent({ ...person, email: 'new@navy.example', password })),
      ],
      newPassword: [
        await call(
          world.url,
          accountRoutes.changePassword,
          sent({ currentPassword: 'first of all', newPassword: password }),
        ),
        await call(world.url, adminRoutes.setUserPassword, sent({ userId, newPassword: password })),
      ],
    }
    for (const [field, answers] of Object.entries(ways))
      for (const { status, body } of answers) {
        assert.deepEqual([status, problemOf(body)?.field], [400, field], JSON.stringify(body))
        assert.match(problemOf(body)?.problem ?? '', problem)
      }
  })
}

for (const [n, password] of taken.entries()) {
  test(`the password "${password.slice(0, 30)}" is accepted, and is compared exactly as it was given`, async () => {
    const email = `taken${n}@navy.example`
    const made = await call(world.url, accountRoutes.signUp, sent({ ...person, email, password }))
    assert.equal(made.status, 200, JSON.stringify(made.body))
    const signIn = async (tried: string) =>
      (await call(world.url, accountRoutes.signIn, { body: { email, password: tried } })).status
    assert.equal(await signIn(password), 200)
    for (const other of [password.trim(), password.toUpperCase(), password.slice(0, -1)])
      if (other !== password) assert.equal(await signIn(other), 401, other)
  })
}

test('a new sign-in ends the session whose cookie came with the request', async () => {
  const { email } = person
  const again = { email, password: 'first of all' }
  const first = await call(world.url, accountRoutes.signIn, { body: again })
  const old = (first.body as { token: string }).token
  for (const headers of [bearer(old), { cookie: `signalbox=${old}`, origin: world.url }]) {
    const failed = await call(world.url, accountRoutes.signIn, { body: { email, password: 'not this one' }, headers })
    assert.equal(failed.status, 401)
    assert.notEqual((await call(world.url, accountRoutes.getSession, { headers: bearer(old) })).body, null)
  }
  const second = await call(world.url, accountRoutes.signIn, {
    body: again,
    headers: { cookie: `signalbox=${old}`, origin: world.url },
  })
  assert.equal(second.status, 200)
  assert.equal((await call(world.url, accountRoutes.getSession, { headers: bearer(old) })).status, 401)
  const { token: fresh } = second.body as { token: string }
  assert.notEqual((await call(world.url, accountRoutes.getSession, { headers: bearer(fresh) })).body, null)
})
