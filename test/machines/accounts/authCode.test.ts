/** The code of the native sign-in: once, for a minute, and a second use ends what the first one got. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'

const code = () => new SampleActor('authCode', 'cod_1')
const redeem = (challenge: string, sessionId: string) => ({ type: 'redeem', challenge, sessionId })
const made = { type: 'sessionMade', sessionId: 'ase_1' }
const outcome = (one: SampleActor, event: Parameters<SampleActor['try']>[0]): string => {
  const result = one.try(event)
  return result.type === 'refused' ? result.code : result.type
}

test('the first use with the right verifier names the session', () => {
  const one = code().send(redeem('c', 'ase_1'))
  assert.deepEqual([one.state, one.context.sessionId], ['CONSUMED', 'ase_1'])
  assert.deepEqual(one.send(made).told, [])
})

test('a wrong verifier makes it worthless, for the right one too', () => {
  const one = code().send(redeem('x', 'ase_1'))
  assert.equal(one.state, 'REJECTED')
  assert.equal(outcome(one, redeem('c', 'ase_2')), 'FAILED_PRECONDITION')
  assert.equal(outcome(one, redeem('x', 'ase_2')), 'repeated')
})

test('a second use with the right verifier ends the session, and a third changes nothing', () => {
  const one = code().send(redeem('c', 'ase_1')).send(made)
  assert.deepEqual(one.send(redeem('c', 'ase_2')).told, ['authSession.revoke'])
  assert.deepEqual(one.said[0]?.to.id, 'ase_1')
  assert.equal(one.context.sessionId, 'ase_1')
  assert.equal(outcome(one, redeem('c', 'ase_3')), 'repeated')
})

test('a second use that comes before the session is there ends it when it is', () => {
  const one = code().send(redeem('c', 'ase_1'))
  assert.deepEqual(one.send(redeem('c', 'ase_2')).told, [])
  assert.deepEqual(one.send(made).told, ['authSession.revoke'])
  assert.equal(outcome(one, made), 'repeated')
})

test('a wrong verifier on a used one is refused and ends nothing', () => {
  const one = code().send(redeem('c', 'ase_1')).send(made)
  assert.equal(outcome(one, redeem('x', 'ase_2')), 'INVALID_AUTHORIZATION_CODE')
  assert.deepEqual([one.state, one.context.usedAgain], ['CONSUMED', false])
})

test('no other session can be said to be the one of the code', () => {
  const one = code().send(redeem('c', 'ase_1'))
  assert.equal(outcome(one, { type: 'sessionMade', sessionId: 'ase_2' }), 'FAILED_PRECONDITION')
})

for (const [state, steps, ms] of [
  ['ISSUED', [], 60_000],
  ['CONSUMED', [redeem('c', 'ase_1')], 86_400_000],
] as const) {
  test(`it is ${state} for ${ms} ms`, () => {
    const one = code()
    for (const step of steps) one.send(step)
    assert.equal(one.state, state)
    assert.equal(
      one.send({
        type: `xstate.after.${state === 'ISSUED' ? 'lifetime' : 'remembered'}.authCode.${state}`,
        at: at + ms,
      }).state,
      'EXPIRED',
    )
  })
}
