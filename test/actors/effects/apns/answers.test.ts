/** One push to a service that answers as Apple's does, over TLS: what is sent, and what each answer is taken for. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Apns, type Push, type PushOutcome } from '../../../../actors/effects/apns/apns.ts'
import {
  type Answer,
  type Apple,
  newProviderKey,
  startApple,
  type Trouble,
} from '../../../kit/program/servers/apple.ts'
import { ManualClock } from '../../../kit/runtime/manualClock.ts'
import { cert, key } from './certificate.ts'

const { pem, publicKey } = newProviderKey()
const minute = 60_000
let apple: Apple
let clock: ManualClock
let apns: Apns
let problems: string[]

before(async () => {
  clock = new ManualClock()
  const now = () => clock.now()
  apple = await startApple({ key: publicKey, keyId: 'KEY', teamId: 'TEAM', tls: { cert, key }, now })
})
beforeEach(() => {
  problems = []
  apns?.close()
  apns = client()
  apple.decide = () => undefined
})
after(async () => {
  apns.close()
  await apple.down()
})

function client(more: Partial<ConstructorParameters<typeof Apns>[0]> = {}): Apns {
  return new Apns({
    key: pem,
    keyId: 'KEY',
    teamId: 'TEAM',
    host: apple.origin,
    clock,
    problem: (message) => problems.push(message),
    connection: { ca: cert, answerMs: 500, connectMs: 5_000 },
    ...more,
  })
}

const push = (more: Partial<Push> = {}): Push => ({
  id: '018cc251-f400-7000-8000-000000000001',
  environment: 'SANDBOX',
  token: 'ab'.repeat(32),
  topic: 'org.example.app',
  collapseId: 'run_01',
  expiresAt: 1_800_000_000_000,
  payload: '{"aps":{}}',
  ...more,
})

test('a push has the token of its device, and its ID, topic, type, collapse ID, expiration and priority as headers', async () => {
  assert.deepEqual(await apns.send(push()), { type: 'taken' })
  const { headers, token } = apple.heard.at(-1) ?? assert.fail('nothing came')
  assert.equal(token, 'ab'.repeat(32))
  const names = ['apns-id', 'apns-topic', 'apns-push-type', 'apns-collapse-id', 'apns-expiration', 'apns-priority']
  assert.deepEqual(
    names.map((name) => headers[name]),
    ['018cc251-f400-7000-8000-000000000001', 'org.example.app', 'alert', 'run_01', '1800000000', '10'],
  )
})

const refused = (reason: string, gone?: { since: number | undefined }): PushOutcome =>
  gone ? { type: 'refused', reason, gone } : { type: 'refused', reason }
const later = (reason: string, retryAfterMs: number | null = null): PushOutcome => ({
  type: 'later',
  reason,
  retryAfterMs,
})

/** Apple's table of answers, and the answers of proxies in front of Apple's service. */
const meanings: readonly (readonly [Answer, PushOutcome])[] = [
  [{ status: 200 }, { type: 'taken' }],
  [{ status: 400, reason: 'BadDeviceToken' }, refused('BadDeviceToken', { since: undefined })],
  [{ status: 400, reason: 'DeviceTokenNotForTopic' }, refused('DeviceTokenNotForTopic', { since: undefined })],
  [{ status: 400, reason: 'BadTopic' }, refused('BadTopic')],
  [{ status: 400, reason: 'PayloadEmpty' }, refused('PayloadEmpty')],
  [{ status: 400, reason: 'TopicDisallowed' }, refused('TopicDisallowed')],
  [{ status: 404, reason: 'BadPath' }, refused('BadPath')],
  [{ status: 405, reason: 'MethodNotAllowed' }, refused('MethodNotAllowed')],
  [{ status: 410, reason: 'Unregistered', timestamp: 77 }, refused('Unregistered', { since: 77 })],
  [{ status: 410, reason: 'ExpiredToken' }, refused('ExpiredToken', { since: undefined })],
  [{ status: 413, reason: 'PayloadTooLarge' }, refused('PayloadTooLarge')],
  [{ status: 429, reason: 'TooManyRequests' }, later('TooManyRequests')],
  [{ status: 429, reason: 'TooManyProviderTokenUpdates' }, later('TooManyProviderTokenUpdates')],
  [{ status: 429, reason: 'TooManyRequests', headers: { 'retry-after': '7' } }, later('TooManyRequests', 7_000)],
  [{ status: 500, reason: 'InternalServerError' }, later('InternalServerError')],
  [
    { status: 503, reason: 'ServiceUnavailable', headers: { 'retry-after': '90' } },
    later('ServiceUnavailable', 90_000),
  ],
  [{ status: 503, reason: 'Shutdown' }, later('Shutdown')],
  [{ status: 502 }, later('HTTP_502')],
  [{ status: 301 }, refused('HTTP_301')],
]

for (const [answer, meaning] of meanings) {
  test(`the outcome of ${answer.status} ${answer.reason ?? 'without a reason'}${answer.headers ? ' with Retry-After' : ''}`, async () => {
    apple.decide = () => answer
    assert.deepEqual(await apns.send(push()), meaning)
    assert.deepEqual(problems, [])
  })
}

test('a push with a wrong key is refused permanently, and the reported problem names the settings to check', async () => {
  const stranger = client({ key: newProviderKey().pem })
  assert.deepEqual(await stranger.send(push()), refused('InvalidProviderToken'))
  assert.match(problems.join(), /check APNS_KEY, APNS_KEY_ID and APNS_TEAM_ID/)
  stranger.close()
})

const tokensHeard = () => [...new Set(apple.heard.map(({ headers }) => headers.authorization))].length

test('a provider token is used for 50 minutes and then replaced', async () => {
  const before = tokensHeard()
  await apns.send(push())
  await clock.advance(49 * minute)
  await apns.send(push())
  assert.equal(tokensHeard(), before + 1)
  await clock.advance(2 * minute)
  assert.deepEqual(await apns.send(push()), { type: 'taken' })
  assert.equal(tokensHeard(), before + 2)
})

test('if Apple reports the provider token as expired, a new one is created and the push is sent', async () => {
  await apns.send(push())
  const old = apple.heard.at(-1)?.headers.authorization
  await clock.advance(30 * minute)
  apple.decide = ({ headers }) =>
    headers.authorization === old ? { status: 403, reason: 'ExpiredProviderToken' } : undefined
  assert.deepEqual(await apns.send(push()), { type: 'taken' })
  assert.deepEqual(problems, [])
})

test('if Apple reports a token younger than 20 minutes as expired, no other is created, and the clock is reported as wrong', async () => {
  await apns.send(push())
  await clock.advance(5 * minute)
  apple.decide = () => ({ status: 403, reason: 'ExpiredProviderToken' })
  const before = tokensHeard()
  assert.deepEqual(await apns.send(push()), later('ExpiredProviderToken', 15 * minute))
  assert.equal(tokensHeard(), before)
  assert.match(problems.join(), /clock of this server is wrong/)
})

test('pushes share one connection until the server sends GOAWAY; a push in flight ends, and the next one opens a new connection', async () => {
  await Promise.all([push(), push(), push()].map((one) => apns.send(one)))
  const first = apple.heard.at(-1)?.connection ?? 0
  assert.ok(apple.heard.slice(-3).every(({ connection }) => connection === first))
  apple.decide = () => 'GOAWAY'
  assert.deepEqual(await apns.send(push()), { type: 'taken' })
  apple.decide = () => undefined
  assert.deepEqual(await apns.send(push()), { type: 'taken' })
  assert.deepEqual(
    apple.heard.slice(-2).map(({ connection }) => connection),
    [first, first + 1],
  )
})

for (const trouble of ['silence', 'cut', 'reset'] satisfies Trouble[]) {
  test(`a ${trouble} instead of an answer defers the push, and its repeat has the same apns-id`, async () => {
    apple.decide = () => trouble
    assert.equal((await apns.send(push({ id: '018cc251-f400-7000-8000-00000000000a' }))).type, 'later')
    apple.decide = () => undefined
    assert.deepEqual(await apns.send(push({ id: '018cc251-f400-7000-8000-00000000000a' })), { type: 'taken' })
    const ids = apple.heard.slice(-2).map(({ headers }) => headers['apns-id'])
    assert.equal(ids[0], ids[1])
  })
}

test('a push is deferred while no server listens, and is sent once a server does', async () => {
  await apple.down()
  assert.equal((await apns.send(push())).type, 'later')
  await apple.up()
  assert.deepEqual(await apns.send(push()), { type: 'taken' })
})

test('a server with an untrusted certificate receives no push, and the push is deferred', async () => {
  const heard = apple.heard.length
  const careful = client({ connection: { answerMs: 500 } })
  assert.equal((await careful.send(push())).type, 'later')
  assert.equal(apple.heard.length, heard)
  careful.close()
})
