/** The input of operator actions, made from actions that the server lists. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toActionInput, toTargets } from '../../../clients/console/app/operators/operatorActionInput.ts'

const none = { event: null, state: null, effectId: null }
const effect = (id: string, type: string) => ({ id, type })

test('each type of action has its own input', () => {
  assert.deepEqual(toActionInput({ ...none, type: 'SEND_EVENT', event: 'releaseSlot' }, { runId: 'run_1' }), {
    sendEvent: { event: 'releaseSlot', ids: [{ name: 'runId', id: 'run_1' }] },
  })
  assert.deepEqual(toActionInput({ ...none, type: 'FORCE_TRANSITION', state: 'FAILED' }), {
    forceTransition: { state: 'FAILED' },
  })
  assert.deepEqual(toActionInput({ ...none, type: 'RETRY_EFFECT', effectId: 'a:1:0' }), {
    retryEffect: { effectId: 'a:1:0' },
  })
  assert.deepEqual(toActionInput({ ...none, type: 'GIVE_UP_EFFECT', effectId: 'a:1:0' }), {
    giveUpEffect: { effectId: 'a:1:0' },
  })
})

test('for several actors, each retries its own failed effect of the same type, and actors without one are left out', () => {
  const actors = [
    { actor: { id: 'a' }, effects: [effect('a:1:0', 'endStream')] },
    { actor: { id: 'b' }, effects: [effect('b:4:0', 'push'), effect('b:4:1', 'endStream')] },
    { actor: { id: 'c' }, effects: [effect('c:2:0', 'push')] },
    { actor: { id: 'd' }, effects: [] },
  ]
  assert.deepEqual(toTargets({ ...none, type: 'RETRY_EFFECT', effectId: 'a:1:0' }, actors), [
    { id: 'a', action: { retryEffect: { effectId: 'a:1:0' } } },
    { id: 'b', action: { retryEffect: { effectId: 'b:4:1' } } },
  ])
  assert.deepEqual(
    toTargets({ ...none, type: 'FORCE_TRANSITION', state: 'FAILED' }, actors).map(({ id }) => id),
    ['a', 'b', 'c', 'd'],
  )
})
