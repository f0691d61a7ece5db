/** A device and its enrollments, whose words may come late and in any order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceContext } from '../../../machines/devices/device.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at, events } from '../../kit/runtime/samples/samples.ts'

const enrolled = (order: number, more: Record<string, unknown> = {}) => ({
  ...events.device.enrolled,
  type: 'enrolled',
  enrollment: { id: `den_${order}`, at: at + order, by: 'usr_1' },
  ...more,
})
const device = () => new SampleActor<DeviceContext>('device', 'dev_1')

test('a message about an earlier enrollment that arrives later is ignored', () => {
  const one = device().send(enrolled(2, { ownName: 'new' }))
  assert.equal(one.try(enrolled(1, { ownName: 'old' })).type, 'repeated')
  assert.deepEqual([one.context.enrollment?.id, one.context.displayName], ['den_2', 'new'])
})

test('a message about an enrollment before the removal does not restore a removed device', () => {
  const one = device()
    .send(enrolled(1))
    .send({ type: 'remove', at: at + 10 })
  assert.equal(one.try(enrolled(9)).type, 'repeated')
  assert.equal(one.state, 'REMOVED')
  assert.equal(one.send(enrolled(11)).state, 'ENROLLED')
})

test('the removal of a device deletes its identifiers, model, name and enrollment', () => {
  const { context } = device().send(enrolled(1)).send({ type: 'remove' })
  const { identifiers, model, displayName, enrollment } = context
  assert.deepEqual([identifiers, model, displayName, enrollment], [null, null, null, null])
})

test('the name of a device is the one given at the enrollment, else its former name, else its own name, else its model', () => {
  const one = device().send(enrolled(1, { ownName: null }))
  assert.equal(one.context.displayName, 'iPhone15,2')
  assert.equal(device().send(enrolled(1, { ownName: 'own' })).context.displayName, 'own')
  assert.equal(one.send(enrolled(2, { ownName: 'own' })).context.displayName, 'iPhone15,2')
  assert.equal(one.send(enrolled(3, { displayName: 'given', ownName: 'own' })).context.displayName, 'given')
})
