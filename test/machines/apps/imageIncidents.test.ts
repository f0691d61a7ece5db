/** A failed effect of a binary image is an incident, which an operator ends. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { binaryImage } from '../../../machines/apps/binaryImage.ts'
import { Members } from '../../../machines/framework/members.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const image = { kind: 'binaryImage', id: 'img_1' } as const
const failed = { effectId: 'img_1:3:0', effect: 'symbolicateWaiting', problem: 'It is broken.' }

let one: UnorderedActors
const send = (type: string, fields: object = {}) => one.send(image, { type, ...fields })
const state = () => {
  const value = one.actors.get(image.id)?.snapshot.state.configuration.value
  return (value as { readonly symbolication: string }).symbolication
}
const status = () => one.actors.get(image.id)?.snapshot.columns.status
const settle = () => {
  for (const { timer } of one.timers()) one.fire(image.id, timer)
}

beforeEach(() => {
  one = new UnorderedActors()
  one.create(image, inits.binaryImage)
  send('symbolsAdded', { dsymId: 'dsy_1' })
  settle()
})

test('a failed symbolication of its reports is an incident, and a retry goes on', () => {
  send('effectFailed', failed)
  assert.equal(status(), 'INCIDENT')
  assert.equal(state(), 'FAILED')
  send('effectRecovered', { effectId: failed.effectId })
  assert.equal(status(), 'KNOWN')
  send('announced', { revision: 1, downTo: null, isEnd: true })
  assert.equal(state(), 'DONE')
})

test('an effect that an operator gives up ends the symbolication', () => {
  send('effectFailed', failed)
  send('effectGivenUp', { effectId: failed.effectId })
  assert.equal(status(), 'KNOWN')
  assert.equal(state(), 'DONE')
})

test('giving up an effect for earlier symbols does not end the present symbolication', () => {
  send('effectFailed', failed)
  send('symbolsRemoved', { dsymId: 'dsy_1' })
  settle()
  send('effectGivenUp', { effectId: failed.effectId })
  assert.equal(state(), 'UNDER_WAY')
  const later = { ...failed, effectId: 'img_1:7:0' }
  send('effectFailed', later)
  send('effectFailed', { ...failed, effectId: 'img_1:7:1', effect: 'tell' })
  send('effectGivenUp', { effectId: 'img_1:7:1' })
  assert.equal(state(), 'FAILED')
  send('effectGivenUp', { effectId: later.effectId })
  assert.equal(state(), 'DONE')
})

test('an image of version 2 has no incident', () => {
  const value = { lifecycle: 'KNOWN', symbolication: 'UNDER_WAY' }
  const context = { init: inits.binaryImage, members: Members.empty, id: image.id, dsyms: 1, table: null }
  const migrated = binaryImage.migrations?.[2]?.({ value, context } as never)
  assert.deepEqual(migrated, { value: { ...value, incident: 'CLEAR' }, context: { ...context, incidents: 0 } })
})
