/** A workflow whose later start ends the earlier ones, where starts come at once and their runs are made in any order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fanOut } from '../../../machines/framework/act.ts'
import type { WorkflowContext } from '../../../machines/work/workflow.ts'
import { siblingId } from '../../../spec/core/ids.ts'
import { SampleActor } from '../../kit/runtime/sampleActor.ts'
import { at, inits } from '../../kit/runtime/samples/samples.ts'
import { UnorderedActors } from '../../kit/runtime/unorderedActors.ts'

const suffix = (n: number): string => String(n).padStart(26, '0')
const runId = (n: number): string => `run_${suffix(n)}`
const worktreeId = `wt_${suffix(1)}`
const policies = { CANCEL_OTHER: 'cancel', TERMINATE_OTHER: 'terminate' } as const

const newWorkflow = (overlapPolicy: string) =>
  new SampleActor<WorkflowContext>('workflow', 'wfl_1', { rules: { overlapPolicy, overlapScope: 'WORKTREE' } }).send({
    type: 'publish',
  })
const start = (id: string, above: readonly string[] = []) => ({
  type: 'start',
  runId: id,
  newRun: { run: inits.run, grant: null },
  worktreeId,
  above,
  version: 1,
})
const asks = (id: string) => ({ type: 'overlapAsked', runId: id })
const over = (id: string) => ({
  type: 'runChanged',
  runId: id,
  number: 1,
  status: 'CANCELED',
  step: 2,
  changedAt: at,
  problem: null,
  conversation: null,
})
const told = (workflow: SampleActor<WorkflowContext>) =>
  workflow.messages.filter(({ create }) => create === undefined).map(({ to, event }) => `${event.type} ${to.id}`)

for (const [policy, how] of Object.entries(policies)) {
  test(`${policy}: the order of the starts decides which run is later, not the order of the IDs`, () => {
    const workflow = newWorkflow(policy).send(start('run_b')).send(asks('run_b')).send(start('run_a'))
    assert.deepEqual(told(workflow), [`${how} run_b`])
    workflow.send(start('run_c')).send(start('run_d'))
    assert.deepEqual(told(workflow), [`${how} run_b`], 'the two runs between have not asked yet')
  })

  test(`${policy}: a run that a later start ended before the run existed is ended when the run asks about overlaps`, () => {
    const workflow = newWorkflow(policy).send(start('run_b')).send(start('run_a'))
    assert.deepEqual(told(workflow), [])
    workflow.send(asks('run_b'))
    assert.deepEqual(told(workflow), [`${how} run_b`])
    workflow.send(over('run_b'))
    const ready = told(workflow)
    workflow.send(asks('run_a'))
    assert.deepEqual([...ready, ...told(workflow)], ['overlapReady run_a'])
  })

  test(`${policy}: of two simultaneous starts the earlier run is canceled, and the later one is admitted and its job offered`, () => {
    const world = new UnorderedActors()
    const agent = { kind: 'agent', id: `agt_${suffix(1)}` } as const
    const queue = { kind: 'worktreeQueue', id: siblingId('worktreeQueue', worktreeId) } as const
    const workflow = { kind: 'workflow', id: `wfl_${suffix(1)}` } as const
    const deliverAll = () => {
      while (world.mail.length > 0) world.deliver(0)
    }
    world.create(agent, inits.agent)
    world.create(queue, { worktreeId, codebaseId: 'c', agentId: agent.id, createdAt: at })
    world.create(workflow, { ...inits.workflow, rules: { overlapPolicy: policy, overlapScope: 'WORKTREE' } })
    world.send(workflow, { type: 'publish' })
    world.send(agent, { type: 'connect', facts: inits.agent.facts, clis: [], forgot: [], gone: [] })
    const more = { kind: 'WORKFLOW', worktreeId, agentId: agent.id, ownerId: workflow.id, limit: 0 }
    const newRun = { run: { ...inits.run, ...more }, grant: null }
    for (const n of [2, 1]) world.send(workflow, { ...start(runId(n)), newRun })
    deliverAll()
    assert.deepEqual([world.state(runId(2)), world.state(runId(1))], ['CANCELED', 'ADMITTED'])
    assert.equal(world.state(siblingId('job', runId(1))), 'OFFERED')
  })
}

test('a run that is to be force-ended is force-ended, even if a later start only cancels', () => {
  const workflow = newWorkflow('TERMINATE_OTHER').send(start('run_a')).send(start('run_b'))
  const rules = { overlapPolicy: 'CANCEL_OTHER', overlapScope: 'WORKTREE' }
  workflow.send({ type: 'saveDraft', definition: { name: 'w', steps: [] }, rules }).send({ type: 'publish' })
  workflow.send({ ...start('run_c'), version: 2 }).send(asks('run_a'))
  assert.deepEqual(told(workflow), ['terminate run_a'])
})

test('more runs than one transition can notify are ended in slices, and a run that began meanwhile is not left out', () => {
  const workflow = newWorkflow('CANCEL_OTHER')
  const count = fanOut + 50
  // The run that was started last has the smallest ID. The first is active, and the others wait.
  for (let n = count; n > 0; n--) workflow.send(start(runId(n))).send(asks(runId(n)))
  workflow.send(start('run_last'))
  const ended = new Set<string>()
  const slice = () => {
    for (const { to, event } of workflow.messages) if (event.type === 'cancel') ended.add(to.id)
    return workflow.messages.find(({ to }) => to.kind === 'workflow')?.event
  }
  const more = slice()
  assert.equal(ended.size, fanOut)
  assert.ok(more)
  // The first slice did not reach the active run, which ends by itself. Then the first waiting run begins.
  workflow.send(over(runId(count)))
  assert.equal(workflow.send(more).messages.filter(({ to }) => to.kind === 'workflow').length, 0)
  slice()
  assert.equal(ended.size, count - 1)
})

test('a run that started the later run is not ended, even if the later run has ended before the last slice', () => {
  const workflow = newWorkflow('CANCEL_OTHER').send(start('run_z')).send(asks('run_z'))
  for (let n = fanOut + 1; n > 0; n--) workflow.send(start(runId(n), ['run_z']))
  workflow.send(start('run_last', ['run_z']))
  const more = workflow.messages.find(({ to }) => to.kind === 'workflow')?.event
  assert.ok(more)
  workflow.send(over('run_last')).send(more)
  assert.deepEqual(told(workflow), [])
  workflow.send(asks(runId(fanOut + 1)))
  assert.deepEqual(told(workflow), [`cancel ${runId(fanOut + 1)}`])
})
