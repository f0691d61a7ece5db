/** Workflow runs whose steps start runs on each other's worktrees. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StepContext } from '../../../machines/work/steps/stepContext.ts'
import { stepIdOf } from '../../../machines/work/steps/stepKeys.ts'
import type { ActorRow } from '../../../spec/core/actor.ts'
import { startWorkflowProcess, type WorkflowProcess } from '../../kit/runtime/workflows/workflowProcess.ts'

const checkMs = 10_000

function open(t: TestContext): WorkflowProcess {
  const world = startWorkflowProcess()
  t.after(() => world.stop())
  return world
}

async function newWorktrees(world: WorkflowProcess, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await world.newWorktree()).worktree.id)
  return ids
}

async function until(world: WorkflowProcess, what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < 300; round++) {
    if (await holds()) return
    await world.clock.leap(1)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail(`waited in vain for: ${what}`)
}

const status = async (world: WorkflowProcess, runId: string) =>
  (await world.storage.views.get('run', runId))?.columns.status
const step = async (world: WorkflowProcess, runId: string, index: number) =>
  (await world.storage.views.get('workflowStep', stepIdOf(runId, index))) as ActorRow & { context: StepContext }
const queuedOf = async (world: WorkflowProcess, workflowId: string) =>
  (await world.runsOf(workflowId)).filter(({ columns }) => columns.status === 'QUEUED')

/** Starts a run of the workflow, and waits until it holds its slot. */
async function start(world: WorkflowProcess, workflowId: string, worktreeId: string): Promise<string> {
  const { run } = await world.execute<{ run: { id: string } }>('startWorkflow', { workflowId, worktreeId })
  await until(world, 'the run to start', async () => (await status(world, run.id)) === 'RUNNING')
  return run.id
}

/** A workflow that starts another one on another worktree when a person approves it. */
async function newCaller(
  world: WorkflowProcess,
  inner: string,
  worktreeId: string,
  more: { readonly exclusiveWorktree?: boolean; readonly maxAttempts?: number } = {},
): Promise<string> {
  const { exclusiveWorktree = true, maxAttempts = 1 } = more
  const begin = { name: 'begin', action: { approval: { message: 'Begin?' } } }
  const call = { name: 'call', needs: ['begin'], retry: { maxAttempts } }
  const steps = [begin, { ...call, action: { workflow: { workflowId: inner, worktreeId } } }]
  return await world.newWorkflow({ name: 'caller', exclusiveWorktree, steps })
}

/** The run starts its run on the other worktree, which must wait there. */
async function call(world: WorkflowProcess, runId: string, inner: string): Promise<void> {
  const before = (await queuedOf(world, inner)).length
  await until(
    world,
    'the question',
    async () => (await step(world, runId, 0))?.columns.status === 'WAITING_FOR_APPROVAL',
  )
  await world.execute('decideApproval', { stepId: stepIdOf(runId, 0), decision: 'APPROVED' })
  await until(world, 'its run to wait', async () => (await queuedOf(world, inner)).length === before + 1)
}

/** Each of the runs has reserved a worktree, and its step waits for the next one. */
async function startCircle(world: WorkflowProcess, count: number, maxAttempts = 1) {
  const worktrees = await newWorktrees(world, count)
  const inner = await world.newWorkflow({ name: 'inner', overlapPolicy: 'ALLOW_ALL' })
  const runs: string[] = []
  for (const [index, worktreeId] of worktrees.entries()) {
    const next = worktrees[(index + 1) % count] ?? ''
    runs.push(await start(world, await newCaller(world, inner, next, { maxAttempts }), worktreeId))
  }
  for (const runId of runs) await call(world, runId, inner)
  return { runs, inner }
}

for (const count of [2, 3])
  test(`if ${count} runs wait for each other, the last one fails, and the others continue`, async (t) => {
    const world = open(t)
    const { runs, inner } = await startCircle(world, count)
    await world.clock.leap(checkMs)
    const [last = '', ...others] = runs.toReversed()
    await until(world, 'the last one to end', async () => (await status(world, last)) === 'FAILED')
    const { columns, context } = await step(world, last, 1)
    assert.deepEqual([columns.status, context.problem?.code], ['FAILED', 'DEADLOCK'])
    assert.match(context.problem?.message ?? '', /wait for each other's slots.*run_/)
    // Its worktree is free now, so the run that waited for it starts.
    await until(world, 'the next one to start', async () => (await queuedOf(world, inner)).length === count - 2)
    await world.clock.leap(300_000)
    for (const run of others) assert.equal(await status(world, run), 'RUNNING')
  })

test('a step with another attempt is retried after a deadlock', async (t) => {
  const world = open(t)
  const { runs } = await startCircle(world, 2, 2)
  await world.clock.leap(checkMs)
  const last = runs.at(-1) ?? ''
  const waits = async () => (await step(world, last, 1)).columns.status === 'WAITING_TO_RETRY'
  await until(world, 'the pause before the next attempt', waits)
  assert.equal(await status(world, last), 'RUNNING')
})

test('a run that waits for a run that can end continues to wait', async (t) => {
  const world = open(t)
  const [here = '', there = ''] = await newWorktrees(world, 2)
  const busy = await start(world, await world.newWorkflow({ name: 'busy', exclusiveWorktree: true }), there)
  const inner = await world.newWorkflow({ name: 'inner' })
  const caller = await start(world, await newCaller(world, inner, there), here)
  await call(world, caller, inner)
  await world.clock.leap(checkMs)
  await world.clock.leap(300_000)
  assert.deepEqual([await status(world, busy), await status(world, caller)], ['RUNNING', 'RUNNING'])
  assert.equal((await queuedOf(world, inner)).length, 1)
})

test('runs that wait in a circle continue to wait if another run can free one of the slots', async (t) => {
  const world = open(t)
  const [here = '', there = ''] = await newWorktrees(world, 2)
  const inner = await world.newWorkflow({ name: 'inner', overlapPolicy: 'ALLOW_ALL', worktreeConcurrencyLimit: 2 })
  const busy = await start(world, await world.newWorkflow({ name: 'busy' }), there)
  const shared = await start(world, await newCaller(world, inner, here, { exclusiveWorktree: false }), there)
  const caller = await start(world, await newCaller(world, inner, there), here)
  await call(world, caller, inner)
  await call(world, shared, inner)
  await world.clock.leap(checkMs)
  await world.clock.leap(300_000)
  for (const run of [busy, shared, caller]) assert.equal(await status(world, run), 'RUNNING')
  assert.equal((await queuedOf(world, inner)).length, 2)
})
