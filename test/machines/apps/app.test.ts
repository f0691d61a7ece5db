/** An app that only crash reports without a credential have named is unclaimed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'

const newApp = (init: object = {}) => new SampleActor('app', 'app_1', { ...inits.app, ...init })
const claim = (name?: string) => ({ type: 'claim', at, ...(name === undefined ? {} : { name }) })

test('an app that a person creates is active', () => {
  assert.equal(newApp().state, 'ACTIVE')
})

test('an unclaimed app is claimed once, with the name that the caller gives or its own', () => {
  const named = newApp({ unclaimed: true, name: 'org.example.shop' })
  assert.equal(named.state, 'UNCLAIMED')
  named.send(claim('Shop'))
  assert.deepEqual([named.state, named.context.name], ['ACTIVE', 'Shop'])
  const unnamed = newApp({ unclaimed: true, name: 'org.example.shop' }).send(claim())
  assert.deepEqual([unnamed.state, unnamed.context.name], ['ACTIVE', 'org.example.shop'])
})

test('a second claim is a repeat if it has no name, and is refused if it has another name', () => {
  const one = newApp({ unclaimed: true }).send(claim('Shop'))
  assert.equal(one.try(claim()).type, 'repeated')
  assert.equal(one.try(claim('Market')).type, 'refused')
})
