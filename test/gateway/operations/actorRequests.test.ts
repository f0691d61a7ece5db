/** Operations that actors request by themselves: executed exactly once, with the checks of a tool, as runs of their own. */

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { requestOperation } from '../../../actors/effects/requestOperation.ts'
import type { Json } from '../../../spec/core/actor.ts'
import type { Principal } from '../../../spec/core/principal.ts'
import { commandStep } from '../../kit/program/commandStep.ts'
import { inits } from '../../kit/runtime/samples/samples.ts'
import { refusal } from '../../kit/runtime/testSystem.ts'
import { startWorkflowProcess, type WorkflowProcess } from '../../kit/runtime/workflows/workflowProcess.ts'

function open(t: TestContext): WorkflowProcess {
  const world = startWorkflowProcess()
  t.after(() => world.stop())
  return world
}

const day = 86_400_000
const scheduler = { kind: 'workflow', id: 'wfl_01h455vb4pex5vsknk084sn02q' } as const

type Outcome = {
  readonly type: string
  readonly code?: string
  readonly message?: string
  readonly answer?: { readonly run: { readonly id: string; readonly requestedById: string; readonly status: string } }
}

/** Executes the effect of an actor as the dispatcher does, as often as it is called. */
function effect(world: WorkflowProcess, operation: string, input: Readonly<Record<string, Json>>, key = '7:0') {
  const params = { operation, input, request: null, at: world.clock.now() }
  return async (actor: { readonly kind: 'workflow' | 'run'; readonly id: string } = scheduler) =>
    (await requestOperation(world)({ id: `${actor.id}:${key}`, actor, params, interruptions: 0 })) as Outcome
}

/** As if the idempotency keys of everything before had expired. */
async function afterTwoDays(world: WorkflowProcess): Promise<void> {
  await world.clock.leap(2 * day)
  await world.storage.housekeeping(world.clock.now(), { telemetryDays: 30, toolCallDays: 30 } as never)
}

async function start(world: WorkflowProcess) {
  const [workflowId, { worktree, agent }] = [await world.newWorkflow(), await world.newWorktree()]
  return {
    workflowId,
    worktree,
    agent,
    request: effect(world, 'startWorkflow', { workflowId, worktreeId: worktree.id }),
  }
}

test('an actor starts a workflow as its own principal', async (t) => {
  const world = open(t)
  const { request, workflowId } = await start(world)
  const { type, answer } = await request()
  const [run, ...more] = await world.runsOf(workflowId)
  assert.deepEqual([type, answer?.run.id, more.length], ['requestAnswered', run?.id, 0])
  assert.deepEqual([run?.init.requestedBy, run?.init.parentRunId], [scheduler.id, null])
  const requestId = `effect:${scheduler.id}:7:0`
  const started = (await world.history({ id: workflowId })).find(({ event }) => event === 'start')
  assert.deepEqual([started?.cause.type, started?.principal, started?.requestId], ['effect', scheduler.id, requestId])
  const [first] = await world.history({ id: run?.id ?? '' })
  assert.deepEqual([first?.cause.type, first?.principal, first?.requestId], ['actor', workflowId, requestId])
})

test('a repeat creates nothing, also after its key has expired and the workflow would refuse a new start', async (t) => {
  const world = open(t)
  const { request, workflowId } = await start(world)
  const first = await request()
  const atOnce = await Promise.all([request(), request()])
  await world.ask({ kind: 'run', id: first.answer?.run.id ?? '' }, { type: 'cancel' })
  await afterTwoDays(world)
  await world.ask({ kind: 'workflow', id: workflowId }, { type: 'archive' })
  const late = await request()
  assert.deepEqual(
    [...atOnce, late].map(({ answer }) => answer?.run.id),
    Array(3).fill(first.answer?.run.id),
  )
  assert.equal(late.answer?.run.status, 'CANCELED')
  assert.equal((await world.runsOf(workflowId)).length, 1)
})

test('another effect of the same actor starts another run', async (t) => {
  const world = open(t)
  const { workflowId, worktree } = await start(world)
  const input = { workflowId, worktreeId: worktree.id }
  for (const key of ['7:0', '7:1', '8:0']) await effect(world, 'startWorkflow', input, key)()
  assert.equal((await world.runsOf(workflowId)).length, 3)
})

test('a request for an agent run that was interrupted before its run exists is continued days later', async (t) => {
  let isDying = true
  const world = open(t)
  const { worktree } = await world.newWorktree()
  const input = { worktreeId: worktree.id, kind: 'SESSION', task: { prompt: 'Do it.' } }
  const request = effect(world, 'createAgentRun', input)
  const ask = world.system.ask.bind(world.system)
  world.system.ask = async (envelope, ...rest) => {
    if (isDying && envelope.to.kind === 'run') throw new Error('the process died')
    return await ask(envelope, ...rest)
  }
  await assert.rejects(request(), /died/)
  isDying = false
  await afterTwoDays(world)
  const { answer } = await request()
  const all = async (kind: 'session' | 'run') =>
    (await world.storage.views.list({ kind, limit: 9 })).map(({ id }) => id)
  assert.deepEqual(await all('run'), [answer?.run.id])
  assert.equal((await all('session')).length, 1)
})

test('a build is started once for its step, also days later, and belongs to the run', async (t) => {
  const world = open(t)
  const { worktree } = await world.newWorktree()
  const repository = await world.make('repository', inits.repository)
  const codebaseId = (await world.storage.views.get('worktree', worktree.id))?.init.codebaseId as string
  const reported = { state: {}, repositoryId: repository.id, branches: [] }
  await world.ask({ kind: 'codebase', id: codebaseId }, { type: 'reported', ...reported })
  const { buildConfiguration } = await world.execute<{ buildConfiguration: { id: string } }>(
    'createBuildConfiguration',
    { repositoryId: repository.id, name: 'release', steps: [{ name: 'build', command: 'true' }] },
  )
  const place = { worktreeId: worktree.id }
  const { run } = await world.execute<{ run: { id: string } }>('startWorkflow', {
    workflowId: await world.newWorkflow(),
    ...place,
  })
  const request = effect(world, 'startBuild', { buildConfigurationId: buildConfiguration.id, ...place })
  await request({ kind: 'run', id: run.id })
  await request({ kind: 'run', id: run.id })
  await afterTwoDays(world)
  await world.execute('archiveBuildConfiguration', { buildConfigurationId: buildConfiguration.id })
  const late = await request({ kind: 'run', id: run.id })
  assert.equal(late.type, 'requestAnswered', JSON.stringify(late))
  const builds = await world.storage.views.list({ kind: 'build', limit: 9 })
  assert.deepEqual(
    builds.map(({ init }) => [init.trigger, init.requestedBy]),
    [['WORKFLOW', run.id]],
  )
})

test('the input is checked, and its refusal is returned to the actor', async (t) => {
  const world = open(t)
  const { workflowId, worktree } = await start(world)
  const wrong = await effect(world, 'startWorkflow', { workflowId })()
  assert.deepEqual([wrong.type, wrong.code], ['requestRefused', 'BAD_USER_INPUT'])
  const unknown = await effect(world, 'startWorkflow', { workflowId, worktreeId: worktree.id, more: 1 })()
  assert.match(`${unknown.code} ${unknown.message}`, /BAD_USER_INPUT more: /)
})

test('a request for a missing worktree is refused permanently', async (t) => {
  const world = open(t)
  const { request, worktree } = await start(world)
  await world.ask(worktree, { type: 'reported', available: false, branch: null, headSha: null })
  const refused = await request()
  assert.deepEqual([refused.type, refused.code], ['requestRefused', 'FAILED_PRECONDITION'], JSON.stringify(refused))
})

test('a workflow that is published meanwhile is started in its new version', async (t) => {
  const world = open(t)
  const { request, workflowId } = await start(world)
  const ask = world.system.ask.bind(world.system)
  let isFirst = true
  world.system.ask = async (envelope, ...rest) => {
    if (isFirst && envelope.event.type === 'start') {
      isFirst = false
      await world.execute('publishWorkflow', { workflowId })
    }
    return await ask(envelope, ...rest)
  }
  assert.equal((await request()).type, 'requestAnswered')
  assert.equal((await world.runsOf(workflowId)).length, 1)
})

test('actors may request a closed list of operations, and no other surface accepts an actor as caller', async (t) => {
  const world = open(t)
  const other = await effect(world, 'createWorkflow', { name: 'w', steps: [commandStep('s', 'true')] })()
  assert.match(
    `${other.code} ${other.message}`,
    /FORBIDDEN .*createWorkflow.*startWorkflow, createAgentRun and startBuild/,
  )
  const asActor = world.execute('workflows', {}, { kind: 'actor', id: scheduler.id, actorId: scheduler.id })
  assert.equal((await refusal(asActor)).code, 'FORBIDDEN')
})

test('a run that requests an operation by itself is the parent of the run that it starts', async (t) => {
  const world = open(t)
  const { workflowId, worktree, request } = await start(world)
  const parentId = (await request()).answer?.run.id ?? ''
  const input = { worktreeId: worktree.id, kind: 'SESSION', task: { command: 'true' } }
  const child = await effect(world, 'createAgentRun', input)({ kind: 'run', id: parentId })
  const row = await world.storage.views.get('run', child.answer?.run.id ?? '')
  assert.deepEqual([row?.init.parentRunId, row?.init.above, row?.init.requestedBy], [parentId, [parentId], parentId])
  assert.equal((await world.runsOf(workflowId)).length, 1)
})

test('a workflow run has no more authority than the AI run that started it', async (t) => {
  const world = open(t)
  const { workflowId, worktree } = await start(world)
  const other = await world.newWorkflow({ overlapPolicy: 'TERMINATE_OTHER' })
  const place = { worktreeId: worktree.id }
  const { run: foreign } = await world.execute<{ run: { id: string } }>('startWorkflow', {
    workflowId: other,
    ...place,
  })
  const agentRun = { ...place, kind: 'SESSION', task: { prompt: 'Do it.' } }
  const { run: ai } = await world.execute<{ run: { id: string } }>('createAgentRun', agentRun)
  const asAi = { kind: 'run', runId: ai.id, agentId: 'agt_1' } as const
  const startOther = { workflowId: other, ...place }
  const idOfNew = async (input: Readonly<Record<string, Json>>, id: string, key?: string) =>
    await effect(world, 'startWorkflow', input, key)({ kind: 'run', id })
  const byAi = (await idOfNew({ workflowId, ...place }, asAi.runId)).answer?.run.id ?? ''
  const refused = await idOfNew(startOther, byAi)
  assert.match(`${refused.code} ${refused.message}`, /FORBIDDEN .*have started/)
  const { run: byPerson } = await world.execute<{ run: { id: string } }>('startWorkflow', { workflowId, ...place })
  assert.equal((await idOfNew(startOther, byPerson.id)).type, 'requestAnswered')
  assert.notEqual(foreign.id, '')
})

test('a schedule that an AI run has created starts with the authority of that run, until a user edits it', async (t) => {
  const world = open(t)
  const { workflowId, worktree } = await start(world)
  const place = { worktreeId: worktree.id }
  const agentRun = { ...place, kind: 'SESSION', task: { prompt: 'Do it.' } }
  const { run: ai } = await world.execute<{ run: { id: string } }>('createAgentRun', agentRun)
  const asAi = { kind: 'run', runId: ai.id, agentId: 'agt_1' } as const
  const content = { ...place, name: 'nightly', cron: '@yearly', timeZone: 'UTC' }
  const byAi = await newSchedule(world, { workflowId, ...content }, asAi)
  const byPerson = await newSchedule(world, { workflowId, ...content })

  const run = await triggered(world, byAi, workflowId)
  assert.deepEqual([run.init.restrictedBy, run.init.parentRunId], [ai.id, null])
  const other = await world.newWorkflow({ overlapPolicy: 'TERMINATE_OTHER' })
  const startOther = { workflowId: other, ...place }
  await world.execute('startWorkflow', startOther)
  const refused = await effect(world, 'startWorkflow', startOther)({ kind: 'run', id: run.id })
  assert.match(`${refused.code} ${refused.message}`, /FORBIDDEN .*have started/)

  assert.equal((await triggered(world, byPerson, workflowId)).init.restrictedBy, undefined)
  assert.equal((await triggered(world, byPerson, workflowId, asAi)).init.restrictedBy, ai.id)
  await world.execute('updateSchedule', { scheduleId: byAi, ...content })
  assert.equal((await triggered(world, byAi, workflowId)).init.restrictedBy, undefined)
  await world.askTool('updateSchedule', { scheduleId: byPerson, ...content }, asAi)
  assert.equal((await triggered(world, byPerson, workflowId)).init.restrictedBy, undefined, 'nothing has changed')
  await world.askTool('updateSchedule', { scheduleId: byPerson, ...content, name: 'weekly' }, asAi)
  assert.equal((await triggered(world, byPerson, workflowId)).init.restrictedBy, ai.id)
})

async function newSchedule(world: WorkflowProcess, input: Readonly<Record<string, Json>>, as?: Principal) {
  const { schedule } = await world.askTool<{ schedule: { id: string } }>('createSchedule', input, as)
  return schedule.id
}

/** Starts the workflow by its schedule, and returns the new run. */
async function triggered(world: WorkflowProcess, scheduleId: string, workflowId: string, as?: Principal) {
  const known = new Set((await world.runsOf(workflowId)).map(({ id }) => id))
  await world.askTool('triggerSchedule', { scheduleId }, as)
  for (let round = 0; round < 200; round++) {
    const run = (await world.runsOf(workflowId)).find(({ id }) => !known.has(id))
    if (run !== undefined) return run
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail(`${scheduleId} starts no run`)
}
