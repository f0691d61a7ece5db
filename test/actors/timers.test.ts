/** Timers: what sets and cancels one, which of several fires first, and what happens while no process runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMachine } from 'xstate'
import { nextCheck } from '../../actors/timers/timers.ts'
import { apiKey } from '../../machines/accounts/apiKey.ts'
import { define } from '../../machines/framework/define.ts'
import { begun, DecidedActor } from '../kit/runtime/decidedActor.ts'
import { offAfterMs } from '../kit/runtime/lampAndWall.ts'
import { openLamps } from '../kit/runtime/lampSystem.ts'

const press = { type: 'press' }

/** A lock with two timers that open it. A message can cancel the slower one. */
const lock = define({
  kind: 'wall',
  version: 1,
  effects: [],
  operable: true,
  machine: createMachine({
    id: 'lock',
    type: 'parallel',
    context: { ways: '' },
    states: {
      lifecycle: {
        initial: 'shut',
        states: { shut: { after: { 2000: { guard: () => false, target: 'open' } } }, open: {} },
      },
      alarm: { initial: 'quiet', states: { quiet: { after: { 1000: 'loud' } }, loud: {} } },
    },
  }),
})

test('the exit of a state cancels its timer, and the journal names the canceled timer', async () => {
  const world = openLamps()
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, press)
  const off = await world.send(lamp, press)
  assert.deepEqual(off.timers, [])
  const steps = await world.history(lamp)
  const id = steps[1]?.timers.set[0]?.id
  assert.deepEqual(steps[2]?.timers, { set: [], canceled: [id] })
  await world.clock.advance(offAfterMs * 2)
  assert.equal((await world.history(lamp)).length, 3)
})

test('a timer is due at exactly its millisecond', () => {
  const one = new DecidedActor(lock)
  assert.equal(one.wake(begun + 999), false)
  assert.equal(one.wake(begun + 1_000), true)
})

test('of several timers that are due the earliest fires first', () => {
  const one = new DecidedActor(lock)
  assert.equal(one.last?.write.nextDue, begun + 1_000)
  const fired: (string | undefined)[] = []
  while (one.wake(begun + 5_000) && fired.length < 5) fired.push(one.last?.entry.event)
  assert.deepEqual(fired, ['xstate.after.1000.lock.alarm.quiet', 'xstate.after.2000.lock.lifecycle.shut'])
})

test('a timer whose transition a guard forbids is used up, and does not fire again', () => {
  const one = new DecidedActor(lock)
  one.wake(begun + 1_000)
  assert.equal(one.wake(begun + 2_000), true)
  assert.deepEqual(
    [one.snapshot?.state.configuration.value, one.snapshot?.timers],
    [{ lifecycle: 'shut', alarm: 'loud' }, []],
  )
  assert.equal(one.wake(begun + 3_000), false)
})

const minute = 60_000

/** An hourglass: each `press` restarts its timer of ten minutes. */
const glass = define({
  kind: 'lamp',
  version: 1,
  effects: [],
  operable: true,
  machine: createMachine({
    id: 'glass',
    initial: 'running',
    states: {
      running: { after: { 600000: 'out' }, on: { press: { target: 'running', reenter: true } } },
      out: { tags: 'terminal' },
    },
  }),
})

test('a distant timer that is set repeatedly does not change the due time in storage, and still fires on time', async () => {
  const world = openLamps({ definitions: [glass] })
  world.system.start()
  const one = await world.newLamp()
  const stored = () => world.state.actors.get(one.id)?.nextDue
  const first = stored() ?? 0
  for (let minutes = 0; minutes < 8; minutes++) {
    await world.clock.advance(minute)
    await world.send(one, press)
    assert.equal(stored(), first, `after ${minutes + 1} minutes`)
  }
  await world.clock.advance(2 * minute + 1_000)
  assert.equal(
    stored(),
    first + 8 * minute,
    'no timer was due at the stored time, so the stored time becomes that of the timer',
  )
  await world.clock.advance(8 * minute)
  assert.deepEqual((await world.history(one)).map(({ event }) => event).slice(-2), [
    'press',
    'xstate.after.600000.glass.running',
  ])
  assert.equal(stored(), undefined)
})

const day = 86_400_000

/** A reminder after a day. `press` is refused once it is sent. */
const reminder = define({
  kind: 'lamp',
  version: 1,
  effects: [],
  operable: true,
  machine: createMachine({
    id: 'reminder',
    initial: 'waiting',
    states: { waiting: { after: { [day]: 'sent' }, on: { press: { target: 'waiting', reenter: true } } }, sent: {} },
  }),
})
const dayIsOver = `xstate.after.${day}.reminder.waiting`

test('a timer of a day fires once if no process ran for two days and then two processes start', async () => {
  const former = openLamps({ definitions: [reminder] })
  former.system.start()
  const one = await former.newLamp()
  await former.system.stop()
  await former.clock.advance(2 * day)
  const next = ['next', 'other'].map((owner) =>
    openLamps({ definitions: [reminder], beside: former, owner, shared: true }),
  )
  for (const { system } of next) system.start()
  await former.clock.advance(5_000)
  assert.deepEqual((await former.history(one)).map(({ event }) => event).slice(1), [dayIsOver])
})

test('a timer that became due while no process ran fires before a message to its actor is decided', async () => {
  const former = openLamps({ definitions: [reminder] })
  const one = await former.newLamp()
  await former.system.stop()
  await former.clock.advance(2 * day)
  const next = openLamps({ definitions: [reminder], beside: former, owner: 'next' })
  await assert.rejects(next.send(one, press))
  assert.deepEqual((await next.history(one)).map(({ event }) => event).slice(1), [dayIsOver])
})

const looks = [
  ['without a deadline', undefined, undefined, undefined],
  ['with its first deadline', undefined, 5_000, 5_000],
  ['with an earlier deadline', 90_000, 5_000, 5_000],
  ['with a later deadline', 90_000, 100_000, 90_000],
  ['without its former deadline', 90_000, undefined, 90_000],
  ['with a later deadline than one that is near', 60_000, 100_000, 100_000],
  ['without a deadline after one that is near', 60_000, undefined, undefined],
  ['with a deadline after one that has passed', -1, 100_000, 100_000],
] as const

for (const [what, standing, due, expected] of looks) {
  test(`the due time in storage of an actor ${what} is ${expected === undefined ? 'none' : `${expected} ms`}`, () => {
    const from = (ms: number | undefined) => (ms === undefined ? undefined : begun + ms)
    assert.equal(nextCheck(from(standing), from(due), begun), from(expected))
  })
}

test('a terminal actor has no timer, although one of its regions is not final', () => {
  const one = new DecidedActor(apiKey, {
    userId: 'usr_1',
    name: 'k',
    tokenHash: 'h',
    createdAt: begun,
    expiresAt: begun + 1_000,
  })
  const [lifetime] = one.snapshot?.timers ?? []
  assert.equal(one.last?.write.nextDue, begun + 1_000)
  one.send({ type: 'delete' }, begun + 1)
  // Storage finds what is due by this: those that are over would come first for ever, and the living never.
  assert.deepEqual([one.last?.write.nextDue, one.snapshot?.timers], [undefined, []])
  assert.deepEqual(one.last?.entry.timers.canceled, [lifetime?.id])
})

/** A bell whose timer gives it a unique name. */
const bell = define({
  kind: 'lamp',
  version: 1,
  effects: [],
  operable: true,
  columns: ({ value }) => ({ uniqueKey: value === 'named' ? 'the bell' : undefined }),
  machine: createMachine({ id: 'bell', initial: 'new', states: { new: { after: { 1000: 'named' } }, named: {} } }),
})

test('a timer whose transition cannot be written is reported once a minute and retried with growing pauses', async () => {
  let tried = 0
  let over = false
  const world = openLamps({
    definitions: [bell],
    failures: {
      away: () => over,
      commit: () => {
        tried++
        return 'carriedOut'
      },
    },
  })
  await Promise.all([world.newLamp(), world.newLamp()])
  world.system.start()
  await world.clock.advance(1_000)
  tried = 0
  await world.clock.advance(20_000)
  over = true
  assert.ok(tried >= 3 && tried <= 10, `${tried} tries in 20 s`)
  assert.match(String(world.problems[0]), /has this name already/)
  assert.equal(world.problems.length, 1)
})
