/** The turns of a plan or session run one at a time. The first request for the next turn gets it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unaskedMs } from '../../../machines/work/turns.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'
import { askedTurn } from './askedTurn.ts'
import { runSaid } from './runSaid.ts'

for (const kind of ['session', 'plan'] as const) {
  const fresh = () => new SampleActor(kind, 'x_1', { runId: 'run_1' })
  const refused = (one: SampleActor, event: ReturnType<typeof askedTurn>) => {
    const result = one.try(event)
    assert.equal(result.type, 'refused', JSON.stringify(result))
  }

  test(`${kind}: the first turn is active from the creation`, () => {
    refused(fresh(), askedTurn('run_2'))
  })

  test(`${kind}: of two requests that name the last turn as ended, one gets the next turn`, () => {
    const one = fresh().send(askedTurn('run_2', ['run_1']))
    refused(one, askedTurn('run_3', ['run_1']))
    one.send(runSaid('run_1', 'SUCCEEDED', 9))
    refused(one, askedTurn('run_3', ['run_1']))
  })

  test(`${kind}: the request for the next turn creates its run, so that turn does not expire`, () => {
    const one = fresh().send(askedTurn('run_2', ['run_1']))
    assert.deepEqual(one.sent, ['run.create'])
    assert.deepEqual(one.messages[0]?.create, inits.run)
    const later = at + 2 * unaskedMs
    refused(one, { ...askedTurn('run_3', ['run_1']), at: later } as never)
  })

  test(`${kind}: the first turn expires if its run never comes, and not if its run came`, () => {
    const later = at + unaskedMs + 10_000
    fresh().send({ ...askedTurn('run_2'), at: later })
    refused(fresh().send(runSaid('run_1', 'QUEUED', 1)), { ...askedTurn('run_2'), at: later } as never)
  })
}

test('a session whose first run never comes becomes IDLE, and one that creates the run itself stays QUEUED', () => {
  const deadline = { type: 'xstate.after.60000.session.QUEUED' }
  const first = new SampleActor('session', 'ses_1', { runId: 'run_1' })
  assert.equal(first.state, 'QUEUED')
  assert.equal(first.send({ ...deadline, at: at + unaskedMs }).state, 'IDLE')

  const second = new SampleActor('session', 'ses_2', { runId: 'run_1' })
    .send(runSaid('run_1', 'QUEUED', 1))
    .send({ ...askedTurn('run_2', ['run_1']), at: at + 30_000 })
    .send(runSaid('run_1', 'CANCELED', 2))
  assert.equal(second.state, 'QUEUED')
  assert.equal(
    second.try({ ...deadline, at: at + 2 * unaskedMs }).type,
    'refused',
    'the session itself creates the run',
  )
})
