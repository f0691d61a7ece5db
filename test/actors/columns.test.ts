/** The columns that the stuck detector and the lists read, derived from an actor's state. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assign, createMachine } from 'xstate'
import { define } from '../../machines/framework/define.ts'
import { begun, DecidedActor } from '../kit/runtime/decidedActor.ts'

/** A parcel. Its states wait with and without a named party, and with and without a deadline. */
const parcel = define({
  kind: 'wall',
  version: 1,
  effects: [],
  operable: true,
  machine: createMachine({
    id: 'parcel',
    type: 'parallel',
    context: { incidents: 0, shakes: 0 },
    on: {
      shake: { actions: assign({ shakes: ({ context }) => Number(context.shakes) + 1 }) },
      break: { actions: assign({ incidents: 1 }) },
    },
    states: {
      lifecycle: {
        initial: 'atSender',
        states: {
          atSender: { meta: { label: 'At its sender' }, on: { post: 'inFlight' } },
          inFlight: {
            meta: { label: 'Under way', expected: 60_000 },
            on: { arrive: 'atTheDoor', hold: 'atCustoms' },
          },
          atCustoms: { meta: { label: 'At customs', unbounded: 'an officer' }, on: { arrive: 'atTheDoor' } },
          atTheDoor: { meta: { label: 'At the door' }, after: { 5000: 'back' }, on: { sign: 'handedOver' } },
          back: { meta: { label: 'Back', lease: 'its sender' } },
          handedOver: { meta: { label: 'Handed over' }, tags: ['terminal'] },
        },
      },
      insurance: {
        initial: 'none',
        states: { none: { meta: { label: 'None' }, on: { insure: 'full' } }, full: { meta: { label: 'Full' } } },
      },
    },
  }),
})

function after(...events: readonly (readonly [event: string, ms: number])[]): DecidedActor {
  const one = new DecidedActor(parcel)
  for (const [type, ms] of events) one.send({ type }, begun + ms)
  return one
}

const columnsOf = (one: DecidedActor) => one.snapshot?.columns

test('the status is the top state of the lifecycle, in upper snake case', () => {
  assert.equal(columnsOf(after())?.status, 'AT_SENDER')
  assert.equal(columnsOf(after(['post', 1], ['arrive', 2]))?.status, 'AT_THE_DOOR')
})

test('the status is INCIDENT while an actor has an incident, and shows the terminal state once the actor has ended', () => {
  assert.equal(columnsOf(after(['break', 1]))?.status, 'INCIDENT')
  const over = columnsOf(after(['break', 1], ['post', 1], ['arrive', 2], ['sign', 3]))
  assert.deepEqual([over?.status, over?.incidents, over?.terminal], ['HANDED_OVER', 1, true])
})

test('a state is unwatched if it is not terminal and has no deadline, no lease and no named party that it waits for', () => {
  const unwatched = [
    after(),
    after(['post', 1]),
    after(['post', 1], ['hold', 2]),
    after(['post', 1], ['arrive', 2]),
    after(['post', 1], ['arrive', 2], ['sign', 3]),
  ].map((one) => columnsOf(one)?.unwatched)
  assert.deepEqual(unwatched, [true, true, false, false, false])
  const back = after(['post', 1], ['arrive', 2])
  back.wake(begun + 5_002)
  assert.deepEqual([columnsOf(back)?.status, columnsOf(back)?.unwatched], ['BACK', false])
})

test('a state counts as stuck once its expected time has passed since its entry', () => {
  assert.equal(columnsOf(after(['post', 1_000]))?.stuckAt, begun + 61_000)
  // A transition within a state, or in a parallel region, does not restart the state.
  assert.equal(columnsOf(after(['post', 1_000], ['shake', 30_000]))?.stuckAt, begun + 61_000)
  assert.equal(columnsOf(after(['post', 1_000], ['insure', 30_000]))?.stuckAt, begun + 61_000)
  assert.equal(columnsOf(after(['post', 1_000], ['hold', 2_000]))?.stuckAt, undefined)
})

test('a state that its deadline has not ended within 10 s counts as stuck, and a terminal state never does', () => {
  assert.equal(columnsOf(after(['post', 1], ['arrive', 2]))?.stuckAt, begun + 2 + 5_000 + 10_000)
  assert.equal(columnsOf(after(['post', 1], ['arrive', 2], ['sign', 3]))?.stuckAt, undefined)
})
