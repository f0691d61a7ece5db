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
  assert.deepEqual(one.send(made).sent, [])
})

test('a wrong verifier rejects the code, so that the right verifier is refused too', () => {
  const one = code().send(redeem('x', 'ase_1'))
  assert.equal(one.state, 'REJECTED')
  assert.equal(outcome(one, redeem('c', 'ase_2')), 'FAILED_PRECONDITION')
  assert.equal(outcome(one, redeem('x', 'ase_2')), 'repeated')
})

test('a second use with the right verifier revokes the session, and a third one changes nothing', () => {
  const one = code().send(redeem('c', 'ase_1')).send(made)
  assert.deepEqual(one.send(redeem('c', 'ase_2')).sent, ['authSession.revoke'])
  assert.deepEqual(one.messages[0]?.to.id, 'ase_1')
  assert.equal(one.context.sessionId, 'ase_1')
  assert.equal(outcome(one, redeem('c', 'ase_3')), 'repeated')
})

test('a second use before the session exists revokes the session once it exists', () => {
  const one = code().send(redeem('c', 'ase_1'))
  assert.deepEqual(one.send(redeem('c', 'ase_2')).sent, [])
  assert.deepEqual(one.send(made).sent, ['authSession.revoke'])
  assert.equal(outcome(one, made), 'repeated')
})

test('a wrong verifier for a used code is refused and revokes no session', () => {
  const one = code().send(redeem('c', 'ase_1')).send(made)
  assert.equal(outcome(one, redeem('x', 'ase_2')), 'INVALID_AUTHORIZATION_CODE')
  assert.deepEqual([one.state, one.context.usedAgain], ['CONSUMED', false])
})

test('a code refuses the report of a session that is not its own', () => {
  const one = code().send(redeem('c', 'ase_1'))
  assert.equal(outcome(one, { type: 'sessionMade', sessionId: 'ase_2' }), 'FAILED_PRECONDITION')
})

for (const [state, steps, ms] of [
  ['ISSUED', [], 60_000],
  ['CONSUMED', [redeem('c', 'ase_1')], 86_400_000],
] as const) {
  test(`a code is ${state} for ${ms} ms`, () => {
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
