/** The follow-ups that a session queues while a turn is active. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { interruptedCode } from '../../../machines/runs/runActions.ts'
import type { SessionContext } from '../../../machines/work/session.ts'
import { turnMembers } from '../../../machines/work/turnKeys.ts'
import { unaskedMs } from '../../../machines/work/turns.ts'
import { followUpsMax } from '../../../spec/work/followUps.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'
import { runSaid } from './runSaid.ts'

const asked = (runId: string, prompt = 'Go on.') => ({
  type: 'turnAsked',
  runId,
  ended: [],
  mayQueue: true,
  newRun: {
    run: {
      kind: 'SESSION',
      title: prompt,
      createdAt: 1,
      spec: { prompt, continues: { conversation: null, required: true } },
    },
    grant: { presetIds: ['mtp_1'] },
  },
})
const session = () => new SampleActor<SessionContext>('session', 'ses_1', { runId: 'run_1', planId: null })
const ended = (runId: string, status = 'SUCCEEDED', code?: string) => ({
  ...runSaid(runId, status, 9),
  conversation: `of ${runId}`,
  problem: code === undefined ? null : { code, message: 'x' },
})

function queuedIn(one: SampleActor<SessionContext>): string[] {
  return [...one.context.members.range(turnMembers.queued.prefix)].map(([key]) => turnMembers.queued.toId(key))
}

function refusal(one: SampleActor<SessionContext>, event: Parameters<SampleActor['try']>[0]): string {
  const result = one.try(event)
  assert.equal(result.type, 'refused', JSON.stringify(result))
  return result.type === 'refused' ? result.code : ''
}

test('queued follow-ups start one after the other, each with its tools and the conversation of the turn before it', () => {
  const one = session().send(asked('run_2')).send(asked('run_3'))
  assert.deepEqual(queuedIn(one), ['run_2', 'run_3'])
  one.send(ended('run_1'))
  assert.deepEqual([one.state, ...one.sent], ['QUEUED', 'toolGrant.create', 'run.create'])
  const [, { to, create } = { to: undefined, create: undefined }] = one.messages
  assert.equal(to?.id, 'run_2')
  assert.deepEqual(create?.spec, { prompt: 'Go on.', continues: { conversation: 'of run_1', required: true } })
  assert.deepEqual(queuedIn(one), ['run_3'])
  one.send(runSaid('run_2', 'RUNNING', 3)).send(ended('run_2'))
  assert.equal(one.messages[1]?.to.id, 'run_3')
  assert.deepEqual([one.send(ended('run_3')).state, queuedIn(one)], ['IDLE', []])
})

test('the session turn of a queued follow-up does not expire, because the session creates its run itself', () => {
  const one = session().send(asked('run_2')).send(ended('run_1'))
  const deadline = { type: 'xstate.after.60000.session.QUEUED', at: at + 2 * unaskedMs }
  assert.equal(one.try(deadline).type, 'refused', 'nothing waits for the deadline')
  assert.equal(one.state, 'QUEUED')
})

test('a follow-up starts if the run of the turn before it never came', () => {
  const one = session().send(asked('run_2'))
  one.send({ type: 'xstate.after.60000.session.QUEUED', at: at + 2 * unaskedMs })
  assert.deepEqual([one.state, one.sent.includes('run.create')], ['QUEUED', true])
})

for (const status of ['FAILED', 'CANCELED', 'TIMED_OUT', 'LOST'])
  test(`a session turn that ends ${status} pauses the queue until it is resumed`, () => {
    const one = session().send(asked('run_2')).send(ended('run_1', status))
    assert.deepEqual([one.state, one.context.isQueuePaused, one.sent], ['IDLE', true, []])
    assert.deepEqual(queuedIn(one.send(asked('run_3'))), ['run_2', 'run_3'], 'a further one waits behind it')
    one.send({ type: 'followUpsResumed' })
    assert.deepEqual([one.state, one.messages[1]?.to.id, one.context.isQueuePaused], ['QUEUED', 'run_2', false])
    assert.equal(one.try({ type: 'followUpsResumed' }).type, 'repeated')
  })

test('the late report of an older run does not pause the queue', () => {
  const one = session()
    .send({ ...asked('run_2'), ended: ['run_1'] })
    .send(asked('run_3'))
  one.send(ended('run_1', 'FAILED'))
  assert.equal(one.context.isQueuePaused, false)
  one.send(ended('run_2'))
  assert.equal(one.messages[1]?.to.id, 'run_3')
})

test('an interrupted turn does not pause the queue', () => {
  const one = session()
    .send(asked('run_2'))
    .send(ended('run_1', 'CANCELED', interruptedCode))
  assert.deepEqual([one.state, one.messages[1]?.to.id], ['QUEUED', 'run_2'])
})

test('when the last follow-up of a paused queue is withdrawn, later ones start again', () => {
  const one = session().send(asked('run_2')).send(ended('run_1', 'FAILED'))
  one.send(asked('run_3')).send({ type: 'followUpWithdrawn', runId: 'run_2' })
  assert.equal(one.context.isQueuePaused, true, 'another one waits')
  one.send({ type: 'followUpWithdrawn', runId: 'run_3' })
  assert.equal(one.context.isQueuePaused, false)
  one.send(asked('run_4')).send(asked('run_5')).send(ended('run_4'))
  assert.equal(one.messages[1]?.to.id, 'run_5')
})

test('a session turn that fails with an empty queue pauses nothing', () => {
  const one = session().send(ended('run_1', 'FAILED'))
  assert.equal(one.context.isQueuePaused, false)
  one.send(asked('run_2'))
  assert.deepEqual([one.state, queuedIn(one)], ['QUEUED', []], 'the next turn starts at once')
})

test('a follow-up is edited and withdrawn until it starts', () => {
  const one = session().send(asked('run_2')).send(asked('run_3'))
  const edit = { type: 'followUpEdited', runId: 'run_2', prompt: 'Stop.', title: 'Stop.' }
  one.send({ ...edit, expectedRevision: 1 })
  assert.equal(refusal(one, { ...edit, expectedRevision: 1 }), 'CONFLICT')
  one.send({ type: 'followUpWithdrawn', runId: 'run_3' })
  assert.equal(refusal(one, { type: 'followUpWithdrawn', runId: 'run_3' }), 'FAILED_PRECONDITION')
  one.send(ended('run_1'))
  assert.deepEqual(one.messages[1]?.create?.spec, {
    prompt: 'Stop.',
    continues: { conversation: 'of run_1', required: true },
  })
  assert.equal(refusal(one, edit), 'FAILED_PRECONDITION')
  assert.equal(one.send(ended('run_2')).state, 'IDLE')
})

test(`a session holds ${followUpsMax} follow-ups and refuses the next`, () => {
  const one = session()
  for (let count = 0; count < followUpsMax; count++) one.send(asked(`run_${1_000 + count}`))
  assert.equal(refusal(one, asked('run_9')), 'FAILED_PRECONDITION')
  assert.equal(queuedIn(one).length, followUpsMax)
})

test('the end of a session withdraws its follow-ups', () => {
  const one = session().send(asked('run_2')).send(ended('run_1', 'FAILED')).send({ type: 'finish' })
  assert.deepEqual([one.state, queuedIn(one)], ['FINISHED', []])
  assert.ok(one.context.members.has(turnMembers.withdrawn.toKey('run_2')))
})

test('the plan that a session carries out waits for the queued follow-ups', () => {
  const one = new SampleActor<SessionContext>('session', 'ses_1', { runId: 'run_1', planId: 'pln_1' })
  one.send(asked('run_2')).send(ended('run_1'))
  assert.ok(!one.sent.includes('plan.sessionOver'))
  assert.ok(one.send(ended('run_2')).sent.includes('plan.sessionOver'))
})
