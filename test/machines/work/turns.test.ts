/** The turns of a plan or session run one at a time. The first request for the next turn gets it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unaskedMs } from '../../../machines/work/turns.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'
import { runSaid } from './runSaid.ts'

const asked = (runId: string, ended: readonly string[] = []) => ({ type: 'turnAsked', runId, ended }) as const

for (const kind of ['session', 'plan'] as const) {
  const fresh = () => new SampleActor(kind, 'x_1', { runId: 'run_1' })
  const refused = (one: SampleActor, event: ReturnType<typeof asked>) => {
    const result = one.try(event)
    assert.equal(result.type, 'refused', JSON.stringify(result))
  }

  test(`${kind}: the turn that it is made with is under way from the start`, () => {
    refused(fresh(), asked('run_2'))
  })

  test(`${kind}: of two who have seen the last turn end, one gets the next`, () => {
    const one = fresh().send(asked('run_2', ['run_1']))
    refused(one, asked('run_3', ['run_1']))
    one.send(runSaid('run_1', 'SUCCEEDED', 9))
    refused(one, asked('run_3', ['run_1']))
  })

  test(`${kind}: a turn whose run never comes is forgotten, and one whose run came is not`, () => {
    const later = at + unaskedMs + 10_000
    fresh().send({ ...asked('run_2'), at: later })
    refused(fresh().send(runSaid('run_1', 'QUEUED', 1)), { ...asked('run_2'), at: later } as never)
  })
}

test('a session shows no turn whose run never came', () => {
  const deadline = { type: 'xstate.after.60000.session.QUEUED' }
  const first = new SampleActor('session', 'ses_1', { runId: 'run_1' })
  assert.equal(first.state, 'QUEUED')
  assert.equal(first.send({ ...deadline, at: at + unaskedMs }).state, 'IDLE')

  const second = new SampleActor('session', 'ses_2', { runId: 'run_1' })
    .send(runSaid('run_1', 'QUEUED', 1))
    .send({ ...asked('run_2', ['run_1']), at: at + 30_000 })
    .send(runSaid('run_1', 'CANCELED', 2))
  assert.equal(second.state, 'QUEUED')
  assert.equal(second.send({ ...deadline, at: at + unaskedMs }).state, 'QUEUED', 'the other one is younger')
  assert.equal(second.send({ ...deadline, at: at + 2 * unaskedMs }).state, 'IDLE')
})
