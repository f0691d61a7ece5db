/** An integration's two secrets, and the delivery that is handed to it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IntegrationContext } from '../../../machines/hosts/integration.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'

const day = 86_400_000
const integration = () => new SampleActor<IntegrationContext>('integration', 'int_1')
const set = (secret: string, when?: number) => ({ type: 'setSecret', secret, ...(when && { at: when }) })
const secrets = ({ context: { secret, previousSecret } }: SampleActor<IntegrationContext>) => [secret, previousSecret]
const delivered = { type: 'delivered', deliveryId: 'whd_1', receivedAt: at }

const outcome = (one: SampleActor<never>, event: Parameters<SampleActor['try']>[0]): string => {
  const result = one.try(event)
  return result.type === 'refused' ? result.code : result.type
}

test('an integration waits for its first secret, and accepts no delivery before', () => {
  const one = integration()
  assert.equal(one.state, 'WAITING_FOR_SECRET')
  assert.equal(outcome(one as never, delivered), 'FAILED_PRECONDITION')
  one.send(set('s1'))
  assert.equal(one.state, 'ACTIVE')
  assert.deepEqual([secrets(one), one.context.rotatedAt], [['s1', null], null])
})

test('the previous secret is valid for a day, and a third secret starts another day', () => {
  const one = integration()
    .send(set('s1', at))
    .send(set('s2', at + 1_000))
  assert.deepEqual([secrets(one), one.context.previousUntil], [['s2', 's1'], at + 1_000 + day])
  one.send({ ...delivered, secretSetAt: at + 1_000 }).send(set('s3', at + 5_000))
  assert.deepEqual([secrets(one), one.context.previousUntil], [['s3', 's2'], at + 5_000 + day])
  one.send({ type: 'xstate.after.overlap.integration.secrets.TWO', at: at + 5_000 + day })
  assert.deepEqual([secrets(one), one.context.previousUntil], [['s3', null], null])
})

test('a secret that no delivery used is replaced by a rotation, and the one that the provider uses stays valid', () => {
  const one = integration()
    .send(set('s1', at))
    .send({ ...delivered, secretSetAt: null })
    .send(set('lost', at + 1_000))
    .send({ ...delivered, deliveryId: 'whd_2' })
    .send({ ...delivered, deliveryId: 'whd_3', secretSetAt: null })
    .send(set('s2', at + 2_000))
  assert.deepEqual([secrets(one), one.context.previousUntil], [['s2', 's1'], at + 2_000 + day])
  one.send({ ...delivered, deliveryId: 'whd_4', secretSetAt: at + 2_000 }).send(set('s3', at + 3_000))
  assert.deepEqual(secrets(one), ['s3', 's2'])
})

test('a first secret that no delivery used is the previous one after a rotation', () => {
  assert.deepEqual(secrets(integration().send(set('s1')).send(set('s2'))), ['s2', 's1'])
})

test('a rotation can be finished before its day is over, and a second finish is a repeat', () => {
  const one = integration().send(set('s1'))
  assert.equal(outcome(one as never, { type: 'finishRotation' }), 'FAILED_PRECONDITION', 'there was no rotation')
  one.send(set('s2')).send({ type: 'finishRotation' })
  assert.deepEqual(secrets(one), ['s2', null])
  assert.equal(outcome(one as never, { type: 'finishRotation' }), 'repeated')
})

test('a re-encrypted secret replaces only the text from which it was encrypted', () => {
  const one = integration().send(set('s1')).send(set('s2'))
  one.send({ type: 'reseal', from: 's1', to: 's1 sealed again' })
  assert.deepEqual(secrets(one), ['s2', 's1 sealed again'])
  one.send({ type: 'reseal', from: 's2', to: 's2 anew' })
  assert.deepEqual(secrets(one), ['s2 anew', 's1 sealed again'])
  assert.equal(outcome(one as never, { type: 'reseal', from: 's2', to: 'too late' }), 'repeated')
})

test('the deletion of an integration removes both secrets, and a deleted integration accepts nothing', () => {
  const one = integration().send(set('s1')).send(set('s2')).send({ type: 'delete' })
  assert.deepEqual(secrets(one), [null, null])
  assert.equal(outcome(one as never, { type: 'delete' }), 'repeated')
  for (const event of [set('s3'), delivered]) assert.equal(outcome(one as never, event), 'FAILED_PRECONDITION')
})

test('a delivery is sent to its integration, requests its builds when it is recorded, and expires after its retention', () => {
  const delivery = new SampleActor('webhookDelivery', 'whd_1')
  assert.deepEqual(delivery.sent, ['integration.delivered'])
  const one = integration().send(set('s1')).send(delivered)
  assert.deepEqual(
    [one.sent, one.context.deliveries, one.context.lastDeliveryAt],
    [['webhookDelivery.recorded'], 1, at],
  )
  assert.equal(delivery.send({ type: 'recorded' }).state, 'RECORDED')
  assert.deepEqual(delivery.sent, ['pushBuild.create'])
  assert.equal(outcome(delivery as never, { type: 'recorded' }), 'repeated')
  delivery.send({ type: 'xstate.after.remembered.webhookDelivery.RECORDED' })
  assert.equal(delivery.state, 'EXPIRED')
})

test('a delivery that arrives late does not move the time of the last delivery back', () => {
  const one = integration().send(set('s1'))
  one.send({ ...delivered, receivedAt: at + 9 }).send({ ...delivered, receivedAt: at })
  assert.deepEqual([one.context.deliveries, one.context.lastDeliveryAt], [2, at + 9])
})

test('a delivery whose integration was deleted meanwhile ends REFUSED', () => {
  const refused = { type: 'refused', effect: 'tell', sent: 'delivered', code: 'FAILED_PRECONDITION', message: 'no' }
  assert.equal(
    new SampleActor('webhookDelivery', 'whd_1').send({ ...refused, by: { kind: 'integration', id: 'i' } }).state,
    'REFUSED',
  )
})
