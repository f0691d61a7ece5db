/** The revisions of a plan, and its archive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlanContext } from '../../../machines/work/plan.ts'
import { type PlanRevision, planMembers } from '../../../machines/work/planKeys.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { askedTurn } from './askedTurn.ts'
import { runSaid } from './runSaid.ts'

const plan = () => new SampleActor<PlanContext>('plan', 'pln_1', { runId: 'run_1' })
const answered = (runId: string, step = 9) => ({ ...runSaid(runId, 'SUCCEEDED', step), isAnswered: true })
const edit = (text: string, more: object = {}) => ({ type: 'edit', text, author: 'usr_1', base: null, ...more })
const play = { type: 'play', sessionId: 'ses_1', session: inits.session }

function revisionsOf(one: SampleActor<PlanContext>): (string | null)[] {
  return [...one.context.members.range(planMembers.revisions)].map(([, value]) => {
    const { text, runId } = value as PlanRevision
    return text ?? runId
  })
}

test('each answer of a run and each edit adds a revision, and the plan is READY', () => {
  const one = plan()
    .send(answered('run_1'))
    .send(edit('By hand.', { expectedRevision: 1 }))
  assert.deepEqual([one.state, one.context.revision, revisionsOf(one)], ['READY', 2, ['run_1', 'By hand.']])
  const stale = one.try(edit('Too late.', { expectedRevision: 1 }))
  assert.ok(stale.type === 'refused' && stale.code === 'CONFLICT')
  one.send(askedTurn('run_2', ['run_1'])).send(answered('run_2'))
  assert.deepEqual(revisionsOf(one), ['run_1', 'By hand.', 'run_2'])
})

test('a run that succeeds without an answer adds none, and the plan does not become ready', () => {
  const one = plan().send({ ...runSaid('run_1', 'SUCCEEDED', 9), isAnswered: false })
  assert.deepEqual([one.state, one.context.revision], ['DRAFT', 0])
  assert.equal(one.try(play).type, 'refused')
  one.send(askedTurn('run_2', ['run_1'])).send(answered('run_2'))
  assert.deepEqual([one.state, revisionsOf(one)], ['READY', ['run_2']])
})

test('a person can write the text of a draft', () => {
  assert.equal(plan().send(edit('By hand.')).state, 'READY')
})

test('the text of a plan of an earlier version becomes its revision 1 at its first edit', () => {
  const one = plan().send(edit('By hand.', { base: { runId: 'run_1', at: 7 } }))
  assert.deepEqual([one.context.revision, revisionsOf(one)], [2, ['run_1', 'By hand.']])
})

test('a plan is not edited while a session carries it out', () => {
  const one = plan().send(answered('run_1')).send(play)
  assert.equal(one.try(edit('Meanwhile.')).type, 'refused')
})

test('an archived plan returns to the state that it had', () => {
  const archived = (one: SampleActor<PlanContext>) => one.send({ type: 'archive' }).send({ type: 'unarchive' }).state
  assert.equal(archived(plan()), 'DRAFT')
  assert.equal(archived(plan().send(answered('run_1'))), 'READY')
  assert.equal(archived(plan().send(answered('run_1')).send(play)), 'RUNNING')
  const over = (succeeded: boolean) =>
    plan().send(answered('run_1')).send(play).send({ type: 'sessionOver', sessionId: 'ses_1', succeeded })
  assert.equal(archived(over(true)), 'COMPLETED')
  assert.equal(archived(over(false)), 'FAILED')
})

test('work that was active when a plan was archived decides the state to which the plan returns', () => {
  const drafted = plan().send({ type: 'archive' }).send(answered('run_1')).send({ type: 'unarchive' })
  assert.deepEqual([drafted.state, revisionsOf(drafted)], ['READY', ['run_1']])
  const played = plan().send(answered('run_1')).send(play).send({ type: 'archive' })
  played.send({ type: 'sessionOver', sessionId: 'ses_1', succeeded: true }).send({ type: 'unarchive' })
  assert.equal(played.state, 'COMPLETED')
})

test('an archived plan accepts no edit and no run, and a repeated archive or unarchive changes nothing', () => {
  const one = plan().send(answered('run_1')).send({ type: 'archive' })
  for (const event of [edit('No.'), play, askedTurn('run_2', ['run_1'])])
    assert.equal(one.try(event).type, 'refused', event.type)
  assert.equal(one.try({ type: 'archive' }).type, 'repeated')
  assert.equal(one.send({ type: 'unarchive' }).try({ type: 'unarchive' }).type, 'repeated')
})
