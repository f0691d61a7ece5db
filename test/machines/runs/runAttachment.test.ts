/** A file for a run: its deadlines, and messages that arrive in any order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RunAttachmentContext } from '../../../machines/runs/runAttachment.ts'
import type { SessionContext } from '../../../machines/work/session.ts'
import { attachmentBlob } from '../../../spec/runs/attachments.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at } from '../../kit/runtime/samples/samples.ts'
import { runSaid } from '../work/runSaid.ts'

const hourMs = 3_600_000
const received = () => new SampleActor<RunAttachmentContext>('runAttachment', 'att_1')
const stored = () => received().send({ type: 'stored', size: 3, sha256: 'h' })
const attach = (runId: string) => ({ type: 'attach', runId })
const deadline = (state: string, delay: string, hours: number) => ({
  type: `xstate.after.${delay}.runAttachment.${state}`,
  at: at + hours * hourMs,
})
const release = (runId: string) => ({ type: 'release', runId })

for (const [name, one, event, state] of [
  ['an upload that was cut off expires', received(), deadline('RECEIVING', 'receiving', 2), 'EXPIRED'],
  ['a failed upload is removed', received(), { type: 'abandon' }, 'REMOVED'],
  ['a file that no run gets expires', stored(), deadline('UNATTACHED', 'unattached', 25), 'EXPIRED'],
  ['a person removes an unattached file', stored(), { type: 'remove' }, 'REMOVED'],
  ['a person removes a file of a run', stored().send(attach('run_1')), { type: 'remove' }, 'REMOVED'],
] as const)
  test(`${name}, and its bytes are deleted`, () => {
    const result = one.try(event)
    assert.ok(result.type === 'accepted', JSON.stringify(result))
    assert.equal(one.state, state)
    assert.deepEqual(
      result.actions.filter(({ type }) => type === 'removeBlob').map(({ params }) => params),
      [{ name: attachmentBlob('att_1') }],
    )
  })

test('an attached file has no deadline, and a repeat changes nothing', () => {
  const one = stored().send(attach('run_1'))
  assert.deepEqual([one.state, one.context.runId, one.context.expiresAt], ['ATTACHED', 'run_1', null])
  for (const event of [attach('run_1'), attach('run_2'), release('run_2')])
    assert.equal(one.try(event).type, 'repeated')
  assert.equal(one.context.runId, 'run_1')
})

test('a released file can be attached to another run, and expires 24 hours after its release', () => {
  const one = stored().send(attach('run_1')).send(release('run_1'))
  assert.deepEqual([one.state, one.context.runId], ['UNATTACHED', null])
  assert.equal(one.try(attach('run_1')).type, 'repeated', 'it does not go back to the run that will not exist')
  assert.equal(one.send(attach('run_2')).state, 'ATTACHED')
})

test('a release that arrives before the attachment counts', () => {
  const one = stored().send(release('run_1'))
  assert.equal(one.try(attach('run_1')).type, 'repeated')
  assert.equal(one.state, 'UNATTACHED')
})

test('a session attaches the files of a queued follow-up, and releases them when it is withdrawn or the session ends', () => {
  const asked = (runId: string, ids: readonly string[]) => ({
    type: 'turnAsked',
    runId,
    ended: [],
    mayQueue: true,
    newRun: {
      run: { kind: 'SESSION', title: 't', createdAt: 1, spec: { prompt: 'p', attachmentIds: ids } },
      grant: null,
    },
  })
  const one = new SampleActor<SessionContext>('session', 'ses_1', { runId: 'run_1', planId: null })
  const said = () => one.messages.map(({ to, event }) => `${to.id} ${event.type} ${event.runId}`)
  one.send(asked('run_2', ['att_1', 'att_2']))
  assert.deepEqual(said(), ['att_1 attach run_2', 'att_2 attach run_2'])
  one.send({ type: 'followUpWithdrawn', runId: 'run_2' })
  assert.deepEqual(said(), ['att_1 release run_2', 'att_2 release run_2'])
  one.send(asked('run_3', ['att_3'])).send(runSaid('run_1', 'CANCELED', 9))
  one.send({ type: 'delete' })
  assert.deepEqual(said(), ['att_3 release run_3'])
})
