/** Builds of the files of a worktree: they wait for the worktree as runs do, and runs wait for them. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { git, type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  type BlockView,
  type BuildView,
  blockFields,
  buildFields,
  createConfiguration,
  lookAtBuild,
  readBuildLog,
  startBuild,
  untilBuild,
  withRemote,
} from '../../kit/program/objects/builds.ts'
import { lookAt, makeWorkflow, mutate, startRun, startWorkflow, untilRun } from '../../kit/program/runs.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine
let repositoryId = ''

before(async () => {
  stage = await startTestProgram()
  const branches = ['files', 'behind', 'two', 'exclusive', 'paused', 'step', 'circle', 'refused', 'removed']
  machine = await startMachine(stage, { branches })
  ;({ repositoryId } = await withRemote(stage, machine))
})
after(() => stage?.end())

let configurations = 0
const configure = (command: string, more: Readonly<Record<string, unknown>> = {}) =>
  createConfiguration(stage.ask, {
    repositoryId,
    name: `shop ${++configurations}`,
    steps: [{ name: 'build', command }],
    ...more,
  })

async function build(branch: string, command: string, more: Readonly<Record<string, unknown>> = {}) {
  const buildConfigurationId = await configure(command)
  return await startBuild(stage.ask, {
    ...{ buildConfigurationId, worktreeId: machine.worktree(branch), source: 'WORKTREE' },
    ...more,
  })
}

const untilBlocked = (id: string, reason: string): Promise<BuildView> =>
  until(`the build to wait: ${reason}`, async () => {
    const found = await lookAtBuild(stage.ask, id)
    return found.blockedBy?.reason === reason ? found : undefined
  })

interface EntryView {
  readonly id: string
  readonly kind: string
  readonly position: number
  readonly phase: string
  readonly run: { readonly id: string } | null
  readonly build: { readonly id: string; readonly name: string } | null
  readonly blockedBy: BlockView
}

async function queueOf(branch: string): Promise<readonly EntryView[]> {
  const { worktreeRunQueue } = await stage.ask<{ worktreeRunQueue: readonly EntryView[] }>(
    `query ($id: ID!) { worktreeRunQueue(worktreeId: $id) {
      id kind position phase run { id } build { id name } ${blockFields}
    } }`,
    { id: machine.worktree(branch) },
  )
  return worktreeRunQueue
}

test('a build of a worktree uses the files as they are, stores its artifacts, and leaves the files that it made', async () => {
  const path = machine.path('files')
  await writeFile(join(path, 'draft.txt'), 'not committed\n')
  const buildConfigurationId = await configure(
    'pwd; cat draft.txt; echo "$SIGNALBOX_BUILD_SOURCE"; echo made > made.txt',
    {
      artifacts: ['made.txt'],
    },
  )
  const head = await git(path, 'rev-parse', 'HEAD')
  const started = await startBuild(stage.ask, {
    buildConfigurationId,
    worktreeId: machine.worktree('files'),
    source: 'WORKTREE',
  })
  assert.deepEqual([started.source, started.worktreeConcurrencyLimit, started.requestedCommit], ['WORKTREE', 1, null])
  const done = await untilBuild(stage.ask, started.id, ['SUCCEEDED'])
  assert.deepEqual([done.commit, done.blockedBy, done.problem], [head, null, null])
  assert.ok(done.admittedAt !== null)
  const log = await readBuildLog(stage.ask, started.id)
  assert.match(log, new RegExp(`${path}\\n`))
  assert.match(log, /not committed\n/)
  assert.match(log, /^WORKTREE$/m)
  assert.match(log, /\?\? draft\.txt/, 'the log shows what is not committed')
  assert.equal(await readFile(join(path, 'made.txt'), 'utf8'), 'made\n', 'the files of the build stay')
  const { build: kept } = await stage.ask<{ build: { artifacts: { nodes: readonly { path: string }[] } } }>(
    'query ($id: ID!) { build(id: $id) { artifacts(first: 5) { nodes { path } } } }',
    { id: started.id },
  )
  assert.deepEqual(
    kept.artifacts.nodes.map((one) => one.path),
    ['made.txt'],
  )

  await writeFile(join(path, 'draft.txt'), 'changed since\n')
  const { build: again } = await mutate<{ build: BuildView }>(
    stage.ask,
    'rebuild',
    { buildId: started.id },
    `build { ${buildFields} }`,
  )
  assert.equal(again.source, 'WORKTREE')
  await untilBuild(stage.ask, again.id, ['SUCCEEDED'])
  assert.match(await readBuildLog(stage.ask, again.id), /changed since\n/)
})

describe('a build in the queue of its worktree', () => {
  test('waits while an exclusive run has the worktree, is shown in the queue, and starts when the run ends', async () => {
    const worktreeId = machine.worktree('behind')
    const held = gate(stage)
    const definition = { name: 'alone', steps: [commandStep('wait', held.command)], exclusiveWorktree: true }
    const run = await startWorkflow(stage.ask, await makeWorkflow(stage.ask, definition), worktreeId)
    await held.untilBegun()
    const waiting = await build('behind', 'true')
    const blocked = await untilBlocked(waiting.id, 'RESERVED')
    assert.deepEqual([blocked.status, blocked.phase, blocked.jobId], ['QUEUED', 'WAITING_FOR_WORKTREE', null])
    assert.deepEqual(blocked.blockedBy?.runIds, [run.id])
    const [entry] = await queueOf('behind')
    assert.deepEqual(
      [entry?.id, entry?.kind, entry?.position, entry?.phase],
      [waiting.id, 'BUILD', 1, 'WAITING_FOR_WORKTREE'],
    )
    assert.deepEqual([entry?.run, entry?.build?.id], [null, waiting.id])
    held.open()
    await untilBuild(stage.ask, waiting.id, ['SUCCEEDED'])
    await until('the queue to be empty', async () => (await queueOf('behind')).length === 0)
  })

  test('starts when the build before it has ended, unless its limit allows more at a time', async () => {
    const [first, third] = [gate(stage), gate(stage)]
    const one = await build('two', first.command)
    await first.untilBegun()
    const two = await build('two', 'true')
    const blocked = await untilBlocked(two.id, 'CONCURRENCY_LIMIT')
    assert.deepEqual([blocked.blockedBy?.buildIds, blocked.blockedBy?.runIds], [[one.id], []])
    const cancel = await mutate<{ build: BuildView }>(
      stage.ask,
      'cancelBuild',
      { buildId: two.id, reason: 'not needed' },
      `build { ${buildFields} }`,
    )
    assert.deepEqual([cancel.build.status, cancel.build.problem?.message], ['CANCELED', 'not needed'])
    await until('the canceled one to leave the queue', async () => (await queueOf('two')).length === 0)
    await build('two', third.command, { worktreeConcurrencyLimit: 0 })
    await third.untilBegun()
    const run = await startRun(stage.ask, { worktreeId: machine.worktree('two'), command: 'true' })
    await untilRun(stage.ask, run.id, ['SUCCEEDED'])
    first.open()
    third.open()
    await untilBuild(stage.ask, one.id, ['SUCCEEDED'])
  })

  test('reserves the worktree if it is exclusive, and a run waits for it', async () => {
    const held = gate(stage)
    const one = await build('exclusive', held.command, { exclusiveWorktree: true })
    await held.untilBegun()
    const run = await startRun(stage.ask, { worktreeId: machine.worktree('exclusive'), command: 'true' })
    const blocked = await until('the run to wait', async () => {
      const { run: found } = await stage.ask<{ run: { blockedBy: BlockView | null } }>(
        `query ($id: ID!) { run(id: $id) { ${blockFields} } }`,
        { id: run.id },
      )
      return found.blockedBy ?? undefined
    })
    assert.deepEqual([blocked.reason, blocked.runIds, blocked.buildIds], ['RESERVED', [], [one.id]])
    const { worktree } = await stage.ask<{
      worktree: { queue: { reservedById: string; slotHolders: readonly { id: string; kind: string }[] } }
    }>('query ($id: ID!) { worktree(id: $id) { queue { reservedById slotHolders { id kind } } } }', {
      id: machine.worktree('exclusive'),
    })
    assert.deepEqual(worktree.queue, { reservedById: one.id, slotHolders: [{ id: one.id, kind: 'BUILD' }] })
    held.open()
    await untilRun(stage.ask, run.id, ['SUCCEEDED'])
    assert.equal((await lookAtBuild(stage.ask, one.id)).status, 'SUCCEEDED')
  })

  test('waits while the queue is paused, and starts when the queue is resumed', async () => {
    const worktreeId = machine.worktree('paused')
    await mutate(stage.ask, 'pauseWorktreeQueue', { worktreeId, reason: 'backup' }, 'worktreeQueue { paused }')
    const one = await build('paused', 'true')
    assert.match((await untilBlocked(one.id, 'QUEUE_PAUSED')).blockedBy?.message ?? '', /backup/)
    await mutate(stage.ask, 'resumeWorktreeQueue', { worktreeId }, 'worktreeQueue { paused }')
    await untilBuild(stage.ask, one.id, ['SUCCEEDED'])
  })

  test('prevents the removal of its worktree while it runs', async () => {
    const held = gate(stage)
    const one = await build('removed', held.command)
    await held.untilBegun()
    const refused = await refusal(
      mutate(stage.ask, 'removeWorktree', { worktreeId: machine.worktree('removed') }, 'worktree { status }'),
    )
    assert.deepEqual([refused.code, /in use/.test(refused.message)], ['FAILED_PRECONDITION', true], refused.message)
    held.open()
    await untilBuild(stage.ask, one.id, ['SUCCEEDED'])
  })
})

describe('a step of a workflow that builds the files', () => {
  test('shares the slot of its run, also if the run has reserved the worktree', async () => {
    const buildConfigurationId = await configure('cat made.txt')
    const definition = {
      name: 'make and build',
      exclusiveWorktree: true,
      steps: [
        commandStep('make', 'echo by the step > made.txt'),
        { name: 'build', action: { build: { buildConfigurationId, source: 'WORKTREE' } } },
      ],
      outputs: [{ name: 'build', value: '{{steps.build.build_id}}' }],
    }
    const run = await startWorkflow(stage.ask, await makeWorkflow(stage.ask, definition), machine.worktree('step'))
    await untilRun(stage.ask, run.id, ['SUCCEEDED'])
    const { run: found } = await stage.ask<{ run: { steps: readonly { readonly buildId: string | null }[] } }>(
      'query ($id: ID!) { run(id: $id) { ... on WorkflowRun { steps { buildId } } } }',
      { id: run.id },
    )
    const buildId = found.steps[1]?.buildId ?? ''
    assert.match(await readBuildLog(stage.ask, buildId), /by the step\n/)
    await until('the worktree to be free', async () => {
      const { worktree } = await stage.ask<{ worktree: { queue: { slotsHeld: number } } }>(
        'query ($id: ID!) { worktree(id: $id) { queue { slotsHeld } } }',
        { id: machine.worktree('step') },
      )
      return worktree.queue.slotsHeld === 0
    })
  })
})

describe('a request for a build', () => {
  const refused = async (more: Readonly<Record<string, unknown>>) => {
    const buildConfigurationId = await configure('true')
    const input = { buildConfigurationId, worktreeId: machine.worktree('refused'), ...more }
    const { code, message } = await refusal(startBuild(stage.ask, input))
    return [code, message.split(':')[0]]
  }

  test('is refused with a commit for a build of files, or with a queue condition for a build of a commit', async () => {
    assert.deepEqual(await refused({ source: 'WORKTREE', commit: 'main' }), ['BAD_USER_INPUT', 'commit'])
    assert.deepEqual(await refused({ exclusiveWorktree: true }), ['BAD_USER_INPUT', 'exclusiveWorktree'])
    assert.deepEqual(await refused({ worktreeConcurrencyLimit: 2 }), ['BAD_USER_INPUT', 'worktreeConcurrencyLimit'])
  })

  test('is accepted while a session uses the worktree, and both use it at the same time', async () => {
    const held = gate(stage)
    const worktreeId = machine.worktree('refused')
    const run = await startRun(stage.ask, { worktreeId, command: held.command })
    await held.untilBegun()
    const other = await build('refused', 'true')
    await untilBuild(stage.ask, other.id, ['SUCCEEDED'])
    assert.equal((await lookAt(stage.ask, run.id)).status, 'RUNNING', 'a build and a session use it at the same time')
    held.open()
    await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  })
})
