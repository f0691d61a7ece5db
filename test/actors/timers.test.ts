/** Deadlines as the snapshot holds them: what sets one, what takes it away, and which comes first. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMachine } from 'xstate'
import { apiKey } from '../../machines/apiKey.ts'
import { define } from '../../machines/define.ts'
import { begun, One } from './support/one.ts'
import { offAfterMs } from './support/toys.ts'
import { openWorld } from './support/world.ts'

const press = { type: 'press' }

/** A lock that opens by itself in two ways, the slower of which somebody may hold shut. */
const lock = define({
  kind: 'session',
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

test('whoever leaves a state takes its deadline along, and the journal says so', async () => {
  const world = openWorld()
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

test('a deadline is due at its very millisecond', () => {
  const one = new One(lock)
  assert.equal(one.wake(begun + 999), false)
  assert.equal(one.wake(begun + 1_000), true)
})

test('of several deadlines that have passed the earliest is stepped through first', () => {
  const one = new One(lock)
  assert.equal(one.last?.write.nextDue, begun + 1_000)
  const fired: (string | undefined)[] = []
  while (one.wake(begun + 5_000) && fired.length < 5) fired.push(one.last?.step.event)
  assert.deepEqual(fired, ['xstate.after.1000.lock.alarm.quiet', 'xstate.after.2000.lock.lifecycle.shut'])
})

test('a deadline that a guard holds back is spent, and does not come again', () => {
  const one = new One(lock)
  one.wake(begun + 1_000)
  assert.equal(one.wake(begun + 2_000), true)
  assert.deepEqual([one.live?.state.configuration.value, one.live?.timers], [{ lifecycle: 'shut', alarm: 'loud' }, []])
  assert.equal(one.wake(begun + 3_000), false)
})

test('an actor that is over waits for no deadline, also of a region that goes on', () => {
  const one = new One(apiKey, {
    userId: 'usr_1',
    name: 'k',
    tokenHash: 'h',
    createdAt: begun,
    expiresAt: begun + 1_000,
  })
  const [lifetime] = one.live?.timers ?? []
  assert.equal(one.last?.write.nextDue, begun + 1_000)
  one.send({ type: 'delete' }, begun + 1)
  // Storage finds what is due by this: those that are over would come first for ever, and the living never.
  assert.deepEqual([one.last?.write.nextDue, one.live?.timers], [undefined, []])
  assert.deepEqual(one.last?.step.timers.canceled, [lifetime?.id])
})

/** A bell that takes its name when its time has come. */
const bell = define({
  kind: 'plan',
  version: 1,
  effects: [],
  operable: true,
  columns: ({ value }) => ({ uniqueKey: value === 'named' ? 'the bell' : undefined }),
  machine: createMachine({ id: 'bell', initial: 'new', states: { new: { after: { 1000: 'named' } }, named: {} } }),
})

test('a deadline whose step can not be written is reported and tried again with the next look, not in a loop', async () => {
  let tried = 0
  let over = false
  const world = openWorld({
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
  await world.clock.advance(10_000)
  over = true
  assert.ok(tried >= 5 && tried <= 20, `${tried} tries in 10 s`)
  assert.match(String(world.problems[0]), /has this name already/)
})
