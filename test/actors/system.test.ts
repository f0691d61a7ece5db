/** The effects of a message on an actor, as seen from outside the runtime. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../spec/core/failure.ts'
import { offAfterMs } from '../kit/runtime/lampAndWall.ts'
import { openLamps } from '../kit/runtime/lampSystem.ts'
import { settled } from '../kit/runtime/manualClock.ts'
import { refusal } from '../kit/runtime/testSystem.ts'

const press = { type: 'press' }

test('a message is answered with the state that it led to, and the journal has its transition', async () => {
  const world = openLamps()
  const lamp = await world.newLamp({ colour: 'red' })
  const row = await world.send(lamp, press)
  assert.equal(row.columns.status, 'ON')
  assert.deepEqual(row.init, { colour: 'red' })
  const steps = await world.history(lamp)
  assert.deepEqual(
    steps.map(({ seq, event, from, to, change }) => ({ seq, event, from, to, change })),
    [
      { seq: 1, event: 'created', from: null, to: 'off', change: { presses: 0, refusal: null, incidents: 0 } },
      { seq: 2, event: 'press', from: 'off', to: 'on', change: { presses: 1 } },
    ],
  )
  assert.deepEqual(steps[1]?.cause, { type: 'request' })
  assert.equal(steps[1]?.requestId, 'r1')
})

test('an event that the state does not accept is refused with the events that it would accept, and nothing is written', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  const failure = await refusal(world.send(lamp, { type: 'hold' }))
  assert.equal(failure.code, 'FAILED_PRECONDITION')
  assert.equal(failure.details?.state, 'OFF')
  assert.match(String(failure.details?.acceptedEvents), /press/)
  assert.equal(
    failure.message,
    'The lamp is OFF, and this request is not possible in that state. Read it again, and repeat the request when its state allows it.',
  )
  assert.equal((await world.history(lamp)).length, 1)
})

test('a refusal of the machine is returned with its own message', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  for (let presses = 0; presses < 199; presses++) await world.send(lamp, press)
  assert.equal((await refusal(world.send(lamp, press))).message, 'The lamp is worn out.')
})

test('a message to an actor that does not exist is NOT_FOUND, and no second actor is created with the same ID', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  const absent = { kind: 'lamp', id: `${lamp.id.slice(0, -1)}${lamp.id.endsWith('z') ? 'y' : 'z'}` } as const
  assert.equal((await refusal(world.send(absent, press))).code, 'NOT_FOUND')
  const again = world.system.ask({ to: lamp, event: { type: 'created' }, create: {} }, origin(world.clock.now()))
  assert.equal((await refusal(again)).code, 'CONFLICT')
})

test('no actor leaves a terminal state, and a repeat of the message that led there is answered as a repeat', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  await world.send(lamp, { type: 'smash' })
  const repeated = await world.system.ask({ to: lamp, event: { type: 'smash' } }, origin(world.clock.now()))
  assert.deepEqual([repeated.repeated, repeated.row.columns.status], [true, 'SMASHED'])
  assert.equal((await refusal(world.send(lamp, press))).code, 'FAILED_PRECONDITION')
  // Its chart would still take this one.
  const failure = await refusal(world.send(lamp, { type: 'note', key: 'a', value: 'b' }))
  assert.deepEqual(failure.details?.acceptedEvents, [])
  assert.equal(failure.message, 'The lamp is SMASHED and does not change any more, so this request is not possible.')
  assert.equal((await world.history(lamp)).length, 2)
})

test('a defect of a machine is answered INTERNAL and reported, and the actor processes the next message', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  assert.equal((await refusal(world.send(lamp, { type: 'explode' }))).code, 'INTERNAL')
  assert.match(String(world.problems[0]), /a defect of the machine/)
  assert.equal((await world.send(lamp, press)).columns.status, 'ON')
})

test('messages of one actor are carried out in the order of their arrival', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  const rows = await Promise.all(Array.from({ length: 50 }, () => world.send(lamp, press)))
  assert.deepEqual(
    rows.map((row) => row.seq),
    Array.from({ length: 50 }, (_, index) => index + 2),
  )
})

test('a collection is written member by member and is complete again after the actor left memory', async () => {
  const world = openLamps({ idleMs: 1_000 })
  world.system.start()
  const lamp = await world.newLamp()
  for (const key of ['a', 'b', 'c']) await world.send(lamp, { type: 'note', key, value: `${key}!` })
  await world.send(lamp, { type: 'note', key: 'b', value: null })
  await world.clock.advance(3_000)
  assert.equal(world.system.load.actors, 0)
  await world.send(lamp, { type: 'note', key: 'd', value: 'd!' })
  assert.deepEqual(await world.storage.views.members(lamp.id, '', 10), [
    { key: 'a', value: 'a!' },
    { key: 'c', value: 'c!' },
    { key: 'd', value: 'd!' },
  ])
})

test('a message to a full queue is refused as UNAVAILABLE with the time after which to retry', async () => {
  const world = openLamps({ messagesPerActor: 3 })
  const lamp = await world.newLamp()
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => world.send(lamp, press)))
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Failure] : []))
  assert.equal(refused.length, 2)
  assert.deepEqual(
    refused.map((failure) => [failure.code, failure.retryable, failure.retryAfterMs]),
    [
      ['UNAVAILABLE', true, 500],
      ['UNAVAILABLE', true, 500],
    ],
  )
})

test('a queue that is full of messages still accepts the tells of other actors, which are neither refused nor deferred', async () => {
  let held = false
  const world = openLamps({ messagesPerActor: 3, messagesWaiting: 6, failures: { delay: () => (held ? 20 : 0) } })
  const [lamp, wall] = [await world.newLamp(), await world.newWall()]
  held = true
  const tells = Array.from({ length: 3 }, (_, n) => world.send(lamp, { type: 'tell', to: wall.id, word: `told ${n}` }))
  const asks = Array.from({ length: 3 }, () => world.send(wall, { type: 'say', word: 'asked' }))
  await Promise.all([...tells, ...asks])
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.equal((await world.system.peek(wall))?.context.words, 6)
  assert.equal(world.state.outbox.size, 0)
})

test('the tells of other actors do not fill the queue for asks', async () => {
  const world = openLamps({ messagesPerActor: 3, failures: { delay: () => 5 } })
  const [lamp, wall] = [await world.newLamp(), await world.newWall()]
  for (let round = 0; round < 4; round++) {
    await Promise.all(Array.from({ length: 3 }, () => world.send(lamp, { type: 'tell', to: wall.id, word: 'told' })))
  }
  assert.ok((await world.send(wall, { type: 'say', word: 'asked' })).seq > 1)
})

test('while as many effects are in flight as messages may wait, messages are refused and nothing is lost', async () => {
  const gate = Promise.withResolvers<undefined>()
  const world = openLamps({ messagesWaiting: 2, ring: () => gate.promise })
  world.system.start()
  const lamp = await world.newLamp()
  for (let n = 0; n < 2; n++) await world.send(lamp, { type: 'ring' })
  await settled()
  assert.equal(world.system.load.effects, 2)
  assert.equal((await refusal(world.send(lamp, press))).code, 'UNAVAILABLE')
  gate.resolve(undefined)
  await settled()
  await world.send(lamp, press)
  await world.clock.advance(2_000)
  assert.equal(world.state.outbox.size, 0)
})

test('a unique name is given once, and only the transition that would give it again fails', async () => {
  const world = openLamps()
  const lamps = await Promise.all([world.newLamp(), world.newLamp(), world.newLamp()])
  const outcomes = await Promise.allSettled(
    lamps.map((lamp, index) => world.send(lamp, { type: 'rename', name: index < 2 ? 'desk' : 'bed' })),
  )
  assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'fulfilled', 'rejected'])
  const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as Failure).code] : []))
  assert.deepEqual(codes, ['CONFLICT'])
})

test('a message that expects an earlier sequence is refused as CONFLICT', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  await world.send(lamp, press)
  const asked = world.system.ask({ to: lamp, event: press, expectedSequence: 1 }, origin(world.clock.now()))
  const failure = await refusal(asked)
  assert.deepEqual([failure.code, failure.details?.sequence], ['CONFLICT', 2])
})

test('a deadline causes a transition by itself', async () => {
  const world = openLamps()
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, press)
  await world.clock.advance(offAfterMs - 1)
  assert.equal((await world.system.peek(lamp))?.columns.status, 'ON')
  await world.clock.advance(1_500)
  assert.equal((await world.system.peek(lamp))?.columns.status, 'OFF')
  assert.equal((await world.history(lamp)).at(-1)?.cause.type, 'timer')
})

test('a message that was received after a deadline is decided after its timer, even if the timer has not fired by itself', async () => {
  const world = openLamps() // not started: no timer fires by itself
  const lamp = await world.newLamp()
  await world.send(lamp, press)
  await world.clock.advance(offAfterMs + 500)
  const row = await world.send(lamp, press)
  assert.deepEqual([row.columns.status, row.seq], ['ON', 4])
})

test('a message that was received before a deadline is decided before its timer, even if the deadline has passed since', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  const { changedAt } = await world.send(lamp, press)
  await world.clock.advance(offAfterMs + 500)
  assert.equal((await world.send(lamp, { type: 'hold' }, changedAt + offAfterMs - 1)).columns.status, 'ON')
})

test('the timer of an earlier entry into a state does not fire for a later entry', async () => {
  const world = openLamps()
  world.system.start()
  const lamp = await world.newLamp()
  await world.send(lamp, press)
  await world.clock.advance(offAfterMs - 1_000)
  await world.send(lamp, press)
  await world.send(lamp, press)
  await world.clock.advance(30_000)
  assert.equal((await world.system.peek(lamp))?.columns.status, 'ON')
  await world.clock.advance(31_000)
  assert.equal((await world.system.peek(lamp))?.columns.status, 'OFF')
})

test('timers survive the process', async () => {
  const first = openLamps()
  const lamp = await first.newLamp()
  await first.send(lamp, press)
  const second = openLamps({ beside: first, owner: 'two' })
  second.system.start()
  await second.clock.advance(offAfterMs + 1_500)
  assert.equal((await second.system.peek(lamp))?.columns.status, 'OFF')
})

test('the same idempotency key creates one actor, and another input under it is a CONFLICT', async () => {
  const world = openLamps()
  const ask = (id: string, inputHash: string) =>
    world.system.ask({ to: { kind: 'lamp', id }, event: { type: 'created' }, create: {} }, origin(world.clock.now()), {
      idempotency: { key: 'usr_test|create|k', inputHash },
    })
  const ids = ['lmp_01arz3ndektsv4rrffq69g5fa0', 'lmp_01arz3ndektsv4rrffq69g5fa1', 'lmp_01arz3ndektsv4rrffq69g5fa2']
  const replies = await Promise.all(ids.map((id) => ask(id, 'h1')))
  assert.equal(new Set(replies.map((reply) => reply.row.id)).size, 1)
  assert.equal(replies.filter((reply) => !reply.repeated).length, 1)
  const failure = await refusal(ask('lmp_01arz3ndektsv4rrffq69g5fa3', 'h2'))
  assert.equal(failure.code, 'CONFLICT')
  assert.ok(failure instanceof Failure)
})

test('of many simultaneous creations under one key and one ID, one creates the actor and all others are answered as repeats', async () => {
  const world = openLamps()
  const to = { kind: 'lamp', id: 'lmp_01arz3ndektsv4rrffq69g5fa0' } as const
  const ask = () =>
    world.system.ask({ to, event: { type: 'created' }, create: {} }, origin(world.clock.now()), {
      idempotency: { key: 'usr_test|create|k', inputHash: 'h' },
    })
  const replies = await Promise.all(Array.from({ length: 10 }, ask))
  assert.deepEqual(replies.map(({ repeated }) => repeated).sort(), [false, ...Array(9).fill(true)])
})

test('a message that would be refused after itself is answered as a repeat if it is sent several times at once under one key', async () => {
  const world = openLamps()
  const wall = { kind: 'wall', id: 'wal_01arz3ndektsv4rrffq69g5fa0' } as const
  const at = origin(world.clock.now())
  await world.system.ask({ to: wall, event: { type: 'create' }, create: {} }, at)
  const fall = (key: string) =>
    world.system.ask({ to: wall, event: { type: 'fall' } }, at, { idempotency: { key, inputHash: 'h' } })
  const replies = await Promise.all(['k', 'k', 'k'].map(fall))
  assert.deepEqual(replies.map(({ repeated, row }) => [repeated, row.seq]).sort(), [
    [false, 2],
    [true, 2],
    [true, 2],
  ])
  assert.equal((await refusal(fall('other'))).details?.state, 'FALLEN')
})

test('two processes on one storage never decide on a state that the other has left', async () => {
  const one = openLamps({ shared: true })
  const two = openLamps({ shared: true, beside: one, owner: 'two' })
  const lamp = await one.newLamp()
  const rows = await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? one : two).send(lamp, press)))
  assert.deepEqual(
    rows.map((row) => row.seq).sort((a, b) => a - b),
    Array.from({ length: 40 }, (_, index) => index + 2),
  )
  await two.send(lamp, { type: 'smash' })
  // Process `one` has an outdated activation. It must refuse because of the state `smashed`.
  const failure = await refusal(one.send(lamp, { type: 'hold' }))
  assert.equal(failure.details?.state, 'SMASHED')
})

test('when the system stops, accepted messages are committed and answered, and later messages are refused', async () => {
  const world = openLamps()
  const lamp = await world.newLamp()
  const asked = Array.from({ length: 20 }, () => world.send(lamp, press))
  await settled()
  const stopped = world.system.stop()
  assert.equal((await refusal(world.send(lamp, press))).code, 'UNAVAILABLE')
  await stopped
  assert.equal((await Promise.all(asked)).at(-1)?.seq, 21)
})

function origin(receivedAt: number) {
  return { cause: 'request', principal: 'usr_test', requestId: 'r1', receivedAt } as const
}

test('a request that reads an actor which is not in memory is refused while the database is unavailable', async () => {
  const before = openLamps()
  const lamp = await before.newLamp()
  const world = openLamps({ beside: before, failures: { away: () => true } })
  const unavailable = /The storage is unavailable/
  await assert.rejects(world.system.peek(lamp), unavailable)
  await assert.rejects(world.system.readAcceptedActions(lamp), unavailable)
  await assert.rejects(world.system.previewMessage({ to: lamp, event: press }, world.clock.now()), unavailable)
})
