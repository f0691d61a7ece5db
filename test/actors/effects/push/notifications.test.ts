/** The devices that receive news, the number of notifications, and the outcome of each. The test defines Apple's answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PushOutcome } from '../../../../actors/effects/apns/apns.ts'
import { notify } from '../../../../actors/effects/notify.ts'
import { pushAttempts } from '../../../../machines/devices/notification.ts'
import { uuidOf } from '../../../../spec/core/ids.ts'
import type { News } from '../../../../spec/devices/news.ts'
import { settled } from '../../../kit/runtime/manualClock.ts'
import { type PushSystem, startPushes, tokenOf } from './pushSystem.ts'

const minute = 60_000
const day = 86_400_000

async function oneDevice(world: PushSystem) {
  const ada = await world.newPerson()
  return { ada, device: await world.newDevice(ada, { n: 1 }) }
}

const only = async (world: PushSystem) => {
  const [row, ...others] = await world.all('notification')
  assert.ok(row && others.length === 0, `${others.length} others`)
  return row
}

test('the end of a run is sent once to each device of each user', async () => {
  const world = startPushes()
  const [ada, bob] = [await world.newPerson(), await world.newPerson()]
  for (const person of [ada, ada, bob]) await world.newDevice(person)
  const run = await world.endRun()
  assert.deepEqual(await world.statuses('notification'), ['SENT', 'SENT', 'SENT'])
  assert.deepEqual(world.pushes.map(({ token }) => token).sort(), [1, 2, 3].map(tokenOf))
  assert.ok(world.pushes.every(({ collapseId, topic }) => collapseId === run.id && topic === 'org.example.app'))
  await world.clock.advance(2 * minute)
  assert.equal(world.pushes.length, 3)
})

test('a push has the object that the app opens, and a text in the language of its device', async () => {
  const world = startPushes()
  const { ada } = await oneDevice(world)
  await world.newDevice(ada, { locale: 'de-CH', n: 2 })
  const run = await world.endRun()
  const sentTo = (token: string) => JSON.parse(world.pushes.find((one) => one.token === token)?.payload ?? '')
  const [english, german] = [sentTo(tokenOf(1)), sentTo(tokenOf(2))]
  const { notificationId, newsId, ...payload } = english
  assert.match(notificationId, /^ntf_/)
  assert.deepEqual(
    (await world.all('news')).map(({ id }) => id),
    [newsId],
  )
  assert.deepEqual(payload, {
    aps: {
      alert: { title: 'Session run 1 failed', body: 'Fix login' },
      sound: 'default',
      category: 'RUN_ENDED',
      'thread-id': run.id,
    },
    actorId: run.id,
    kind: 'run',
    reason: 'RUN_ENDED',
    status: 'FAILED',
  })
  assert.equal(german.aps.alert.title, 'Sitzungslauf 1 ist fehlgeschlagen')
})

test('news that two processes send at once, one of them twice, creates one notification for each device', async () => {
  const world = startPushes()
  const other = startPushes({ beside: world })
  const { ada } = await oneDevice(world)
  await world.newDevice(ada)
  const news: News = { reason: 'RUN_ENDED', at: world.clock.now(), name: 'n', status: 'FAILED' }
  const request = { id: 'run_1:7:1', actor: { kind: 'run', id: 'run_1' }, params: news, interruptions: 0 } as const
  await Promise.all([world, other, world].map(({ ports }) => notify(ports)(request)))
  await settled()
  assert.equal((await world.all('notification')).length, 2)
  assert.equal(world.pushes.length + other.pushes.length, 2)
})

test('a repeat after an interruption creates only the missing notifications', async () => {
  let away = false
  const world = startPushes({ failures: { away: () => away } })
  const { ada } = await oneDevice(world)
  for (let n = 0; n < 9; n++) await world.newDevice(ada)
  let made = 0
  const news: News = { reason: 'RUN_ENDED', at: world.clock.now(), name: 'n', status: 'FAILED' }
  const request = { id: 'run_1:7:1', actor: { kind: 'run', id: 'run_1' }, params: news, interruptions: 0 } as const
  const ask: typeof world.ports.ask = async (...given) => {
    if (++made === 5) throw new Error('the process died')
    return await world.ports.ask(...given)
  }
  await assert.rejects(notify({ ...world.ports, ask })(request), /died/)
  await notify(world.ports)(request)
  await settled()
  away = false
  assert.equal((await world.all('notification')).length, 10)
  assert.equal(world.pushes.length, 10)
})

test('news older than a day is published, and not sent to devices', async () => {
  const world = startPushes()
  await oneDevice(world)
  const news: News = { reason: 'RUN_ENDED', at: world.clock.now() - day - 1, name: 'n' }
  await notify(world.ports)({ id: 'run_1:7:1', actor: { kind: 'run', id: 'run_1' }, params: news, interruptions: 0 })
  assert.deepEqual([await world.all('notification'), (await world.all('news')).length], [[], 1])
})

test('news that two processes publish at once is published once', async () => {
  const world = startPushes({ push: 'off' })
  const other = startPushes({ push: 'off', beside: world })
  const news: News = { reason: 'RUN_ENDED', at: world.clock.now(), name: 'n', status: 'FAILED' }
  const request = { id: 'run_1:7:1', actor: { kind: 'run', id: 'run_1' }, params: news, interruptions: 0 } as const
  await Promise.all([world, other, world].map(({ ports }) => notify(ports)(request)))
  world.clock.leap(minute)
  await notify(other.ports)(request)
  await notify(world.ports)({ ...request, id: 'run_1:8:1' })
  assert.deepEqual((await world.all('news')).map(({ init }) => init.cause).sort(), ['run_1:7:1', 'run_1:8:1'])
})

const ends: Readonly<
  Record<string, (world: PushSystem, of: { userId: string; sessionId: string }) => Promise<unknown>>
> = {
  'the account of its user is disabled': (world, { userId }) =>
    world.ask({ kind: 'user', id: userId }, { type: 'disable', revision: 1 }),
  'the account of its user is removed': (world, { userId }) =>
    world.ask({ kind: 'user', id: userId }, { type: 'remove' }),
  'its user signs out': (world, { sessionId }) =>
    world.ask({ kind: 'authSession', id: sessionId }, { type: 'signOut' }),
  'the session of its user expires': (world) => world.clock.leap(31 * day),
}

for (const [what, end] of Object.entries(ends)) {
  test(`a device receives no notification from the moment that ${what}`, async () => {
    const world = startPushes()
    const { ada } = await oneDevice(world)
    await end(world, ada)
    await world.endRun()
    assert.deepEqual([await world.all('notification'), world.pushes], [[], []])
    assert.deepEqual(await world.statuses('notificationDevice'), ['INACTIVE'], 'its app must register it again')
  })

  if (what === 'the session of its user expires') continue
  test(`a notification that waits for a retry fails when ${what}`, async () => {
    const world = startPushes()
    const { ada } = await oneDevice(world)
    world.answer = () => ({ type: 'later', reason: 'ServiceUnavailable', retryAfterMs: null })
    await world.endRun()
    await end(world, ada)
    await world.clock.advance(minute)
    const { columns, context } = await only(world)
    assert.deepEqual([columns.status, context.reason], ['FAILED', 'DEVICE_NOT_REACHED'])
    assert.equal(world.pushes.length, 1)
  })
}

interface Case {
  readonly outcome: PushOutcome
  readonly status: string
  readonly device: string
}

const hours = 3_600_000
const cases: Readonly<Record<string, (now: number) => Case>> = {
  'Apple accepts the push': () => ({ outcome: { type: 'taken' }, status: 'SENT', device: 'ACTIVE' }),
  'Apple refuses the push': () => ({
    outcome: { type: 'refused', reason: 'BadTopic' },
    status: 'FAILED',
    device: 'ACTIVE',
  }),
  'Apple does not recognize the token': () => ({
    outcome: { type: 'refused', reason: 'BadDeviceToken', gone: { since: undefined } },
    status: 'FAILED',
    device: 'INACTIVE',
  }),
  'Apple unregistered the token after its registration here': (now) => ({
    outcome: { type: 'refused', reason: 'Unregistered', gone: { since: now + hours } },
    status: 'FAILED',
    device: 'INACTIVE',
  }),
  'Apple unregistered the token before its registration here': (now) => ({
    outcome: { type: 'refused', reason: 'Unregistered', gone: { since: now - hours } },
    status: 'FAILED',
    device: 'ACTIVE',
  }),
}

for (const [what, caseOf] of Object.entries(cases)) {
  test(`the statuses of the notification and of its device show that ${what}`, async () => {
    const world = startPushes()
    await oneDevice(world)
    const { outcome, status, device } = caseOf(world.clock.now())
    world.answer = () => outcome
    await world.endRun()
    await settled()
    assert.deepEqual(await world.statuses('notification'), [status])
    assert.deepEqual(await world.statuses('notificationDevice'), [device])
  })
}

test('a device whose token was unregistered receives notifications again once its app has registered it', async () => {
  const world = startPushes()
  const { ada, device } = await oneDevice(world)
  world.answer = () => ({ type: 'refused', reason: 'Unregistered', gone: { since: undefined } })
  await world.endRun()
  await settled()
  await world.endRun()
  assert.equal(world.pushes.length, 1, 'nothing is sent to an unregistered token')
  world.answer = () => ({ type: 'taken' })
  await world.register(device, ada, 7)
  await world.endRun()
  assert.equal(world.pushes.at(-1)?.token, tokenOf(7))
})

test('a report that a token is gone does not end a registration that arrived meanwhile', async () => {
  const world = startPushes()
  const { ada, device } = await oneDevice(world)
  world.answer = async () => {
    await world.register(device, ada, 2)
    return { type: 'refused', reason: 'BadDeviceToken', gone: { since: undefined } }
  }
  await world.endRun()
  await settled()
  assert.deepEqual(await world.statuses('notificationDevice'), ['ACTIVE'])
})

test('while Apple is unavailable a push is retried under the same ID, no earlier than Apple asks, until Apple accepts it', async () => {
  const world = startPushes()
  await oneDevice(world)
  world.answer = () => ({ type: 'later', reason: 'ServiceUnavailable', retryAfterMs: 5 * minute })
  await world.endRun()
  await world.clock.advance(5 * minute - 10)
  assert.equal(world.pushes.length, 1)
  await world.clock.advance(2_000)
  assert.equal(world.pushes.length, 2)
  world.answer = () => ({ type: 'later', reason: 'ECONNREFUSED', retryAfterMs: null })
  await world.clock.advance(5 * minute + 2_000)
  world.answer = () => ({ type: 'taken' })
  await world.clock.advance(10 * minute)
  const row = await only(world)
  assert.equal(row.columns.status, 'SENT')
  assert.deepEqual([...new Set(world.pushes.map(({ id }) => id))], [uuidOf(row.id)])
  assert.equal(uuidOf(row.id)[14], '7', 'a UUID of version 7')
})

test('a notification is DEAD after an hour of attempts, and does not count as stuck', async () => {
  const world = startPushes()
  await oneDevice(world)
  world.answer = () => ({ type: 'later', reason: 'InternalServerError', retryAfterMs: null })
  await world.endRun()
  await world.clock.advance(90 * minute)
  assert.deepEqual(await world.statuses('notification'), ['DEAD'])
  assert.equal(world.pushes.length, pushAttempts)
  assert.deepEqual(
    (await world.storage.views.stuck({ now: world.clock.now(), kind: 'notification', limit: 9 })).length,
    0,
  )
})

test('if push is off, the news is published for users, and no device receives a notification', async () => {
  const quiet = startPushes({ push: 'off' })
  await oneDevice(quiet)
  const run = await quiet.endRun()
  const [published, ...others] = await quiet.all('news')
  assert.deepEqual([published?.init.subject, others], [run, []])
  assert.deepEqual(await quiet.all('notification'), [])
  const create = { deviceId: 'ntd_1', subject: { kind: 'run', id: run.id }, agent: null, createdAt: 1 }
  const news = { reason: 'RUN_ENDED', at: quiet.clock.now(), name: 'n' }
  const to = { kind: 'notification', id: 'ntf_00000000000000000000000001' } as const
  await quiet.ask(to, { type: 'create' }, { ...create, news })
  await settled()
  const { columns, context } = await only(quiet)
  assert.deepEqual([columns.status, context.reason], ['FAILED', 'PUSH_IS_OFF'])
})

test('a token is stored nowhere in plain text: not in rows, not in histories and not in waiting effects', async () => {
  const world = startPushes()
  const { ada, device } = await oneDevice(world)
  await world.register(device, ada, 2)
  world.answer = () => ({ type: 'later', reason: 'ServiceUnavailable', retryAfterMs: null })
  await world.endRun()
  const kept = JSON.stringify([
    ...world.state.actors.values(),
    ...world.state.journal.values(),
    ...world.state.outbox.values(),
  ])
  for (const n of [1, 2]) assert.ok(!kept.includes(tokenOf(n)))
  const history = await world.storage.views.history({ id: device.id, limit: 9 })
  assert.ok(!JSON.stringify(history).includes('sealed1.'), 'the history does not have the encrypted token either')
})
