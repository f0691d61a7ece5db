/** Guessing passwords over HTTP: what is refused, for how long, and who is not. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { argon2id } from '../../../gateway/auth/argon2.ts'
import { accountsOf, type Person } from '../../kit/program/gatewayAccounts.ts'
import { ManualClock } from '../../kit/runtime/manualClock.ts'
import { startTestGateway, type TestGateway } from '../../kit/runtime/testGateway.ts'

const clock = new ManualClock(Date.now())
const proxies = new BlockList()
proxies.addSubnet('127.0.0.0', 8)
proxies.addAddress('::1', 'ipv6')
/** Passwords that are being checked at this moment, the most that were at once, how many were, and how long one takes. */
const under = { way: 0, most: 0, checked: 0, ms: 0 }
const passwords = {
  hash: async (password: string) => `hashed ${password}`,
  verify: async (hash: string, password: string) => {
    under.checked++
    under.most = Math.max(under.most, ++under.way)
    await sleep(under.ms)
    under.way--
    return hash === `hashed ${password}`
  },
}
let world: TestGateway
let ada: Person
let bob: Person
const { signIn, newPerson } = accountsOf(() => world)

before(async () => {
  world = await startTestGateway({ settings: { trustedProxies: proxies }, options: { clock, passwords } })
  ada = await newPerson()
  bob = await newPerson(ada)
})
after(() => world.stop())
beforeEach(() => clock.advance(5 * 60_000))

const from = (address: string) => ({ 'x-forwarded-for': address })
const guess = (email: string, address = '192.0.2.1') => signIn(email, 'guess', from(address))
const right = (email: string, address = '192.0.2.1') => signIn(email, undefined, from(address))
const nobody = 'nobody@example.com'

async function guesses(count: number, email: string, address?: string): Promise<number[]> {
  const statuses = []
  for (let n = 0; n < count; n++) statuses.push((await guess(email, address)).status)
  return statuses
}

for (const [whose, email] of [
  ['an account', () => ada.email],
  ['an unknown account', () => nobody],
] as const) {
  test(`after ten guesses at ${whose} the address must wait, and the response has the time`, async () => {
    assert.deepEqual(await guesses(10, email()), Array(10).fill(401))
    const limited = await guess(email())
    assert.deepEqual([limited.status, limited.body.code], [429, 'RATE_LIMITED'])
    assert.equal(limited.headers.get('retry-after'), '300')
    assert.equal((await right(email())).status, 429, 'what the address has spent is refused unseen')
    await clock.advance(5 * 60_000)
    assert.equal((await guess(email())).status, 401)
  })
}

test('the right password works however often others guess, and guesses from several addresses are counted together', async () => {
  await guesses(10, ada.email)
  assert.equal((await right(ada.email, '192.0.2.2')).status, 200)
  const other = await guess(ada.email, '192.0.2.3')
  assert.equal(other.status, 429)
  assert.ok(Number(other.headers.get('retry-after')) > 0)
  assert.equal((await right(ada.email, '192.0.2.3')).status, 200)
  assert.deepEqual([(await guess(bob.email)).status, (await right(bob.email)).status], [401, 200], 'nor other accounts')
})

test('an address that guesses at many accounts must wait a minute for all accounts; right passwords do not count', async () => {
  for (let n = 0; n < 40; n++) assert.equal((await right(bob.email)).status, 200)
  for (let n = 0; n < 30; n++) assert.equal((await guess(`n${n}@example.com`)).status, 401)
  const limited = await right(bob.email)
  assert.deepEqual([limited.status, limited.headers.get('retry-after')], [429, '60'])
  assert.equal((await right(bob.email, '192.0.2.9')).status, 200)
  await clock.advance(60_000)
  assert.equal((await right(bob.email)).status, 200)
})

test('the addresses of one IPv6 subscriber count as one', async () => {
  for (let n = 0; n < 10; n++) await guess(ada.email, `2001:db8::${n + 1}`)
  assert.equal((await right(ada.email, '2001:db8::ffff')).status, 429)
  assert.equal((await right(ada.email, '2001:db8:0:1::1')).status, 200)
})

test('of 60 concurrent guesses 50 are refused, and at most three more than the limit are checked', async () => {
  Object.assign(under, { most: 0, checked: 0, ms: 30 })
  const all = await Promise.all(Array.from({ length: 60 }, () => guess(ada.email)))
  assert.equal(all.filter(({ status }) => status === 429).length, 50)
  assert.ok(under.checked >= 10 && under.checked <= 13, `${under.checked} were checked`)
  assert.ok(under.most <= 4, `${under.most} at once`)
  under.ms = 0
})

test('a wrong password gets the same error in the same time for an existing, an unknown and a disabled account', async () => {
  const real = await startTestGateway({
    options: { passwords: argon2id },
    settings: { limits: { signInFailuresPerMinute: 1_000, signInFailuresPer5Minutes: 1_000 } },
  })
  try {
    const ours = accountsOf(() => real)
    const first = await ours.newPerson()
    const off = await ours.newPerson(first)
    await ours.call('POST', '/admin/ban-user', { userId: off.userId }, { authorization: `Bearer ${first.token}` })
    const answers = new Set<string>()
    const times = new Map([first.email, nobody, off.email].map((email) => [email, [] as number[]]))
    for (let n = 0; n < 9; n++) {
      for (const [email, taken] of times) {
        const began = performance.now()
        const { status, body } = await ours.signIn(email, 'wrong')
        taken.push(performance.now() - began)
        answers.add(`${status} ${body.code} ${body.message}`)
      }
    }
    assert.equal(answers.size, 1)
    const medians = [...times.values()].map((list) => list.sort((a, b) => a - b)[4] ?? 0)
    assert.ok(Math.min(...medians) > Math.max(...medians) / 2.5, `medians of ${medians} ms`)
  } finally {
    await real.stop()
  }
})
