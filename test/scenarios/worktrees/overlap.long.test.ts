/** A workflow is started while a run of it is active, with each overlap policy, in both scopes, and with real commands. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { lookAt, makeWorkflow, mutate, type RunView, startWorkflow, untilRun } from '../../kit/program/runs.ts'
import { type Gate, gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

const policies = ['ALLOW_ALL', 'BUFFER_ALL', 'BUFFER_ONE', 'SKIP', 'CANCEL_OTHER', 'TERMINATE_OTHER'] as const
const scopes = ['WORKTREE', 'GLOBAL'] as const
const branchOf = (policy: string, which: string) => `${policy.toLowerCase().replace('_', '-')}-${which}`

before(async () => {
  stage = await startTestProgram()
  const branches = policies.flatMap((policy) => ['one', 'two'].map((which) => branchOf(policy, which)))
  machine = await startMachine(stage, { branches })
})
after(() => stage?.end())

interface Started {
  readonly waiting: Gate
  readonly workflowId: string
  readonly first: RunView
  readonly second: RunView
  readonly third: RunView
}

/** Starts one workflow three times. The first run is active when the others are requested. */
async function startThree(policy: string, scope: string, where: readonly [string, string, string]): Promise<Started> {
  const waiting = gate(stage, policy)
  const workflowId = await makeWorkflow(stage.ask, {
    name: `${policy} ${scope}`,
    steps: [commandStep('wait', waiting.command)],
    overlapPolicy: policy,
    overlapScope: scope,
  })
  const [here, there, last] = where.map((branch) => machine.worktree(branch))
  const first = await startWorkflow(stage.ask, workflowId, here ?? '')
  await waiting.untilBegun()
  const second = await startWorkflow(stage.ask, workflowId, there ?? '')
  const third = await startWorkflow(stage.ask, workflowId, last ?? '')
  return { waiting, workflowId, first, second, third }
}

const live = ['RUNNING', 'STARTING', 'ADMITTED']

async function held(run: RunView, by: RunView): Promise<void> {
  const seen = await until(`run ${run.id} to wait for the overlap`, async () => {
    const now = await lookAt(stage.ask, run.id)
    return now.blockedBy?.reason === 'OVERLAP' ? now : undefined
  })
  assert.deepEqual(
    [seen.status, seen.phase, seen.blockedBy?.message, seen.blockedBy?.runIds],
    [
      'QUEUED',
      'WAITING_FOR_OVERLAP',
      'The overlap policy of the workflow holds the run back until other runs have ended.',
      [by.id],
    ],
  )
  const { queued } = await stage.ask<{
    queued: { queue: { id: string; blockedBy: { runIds: string[]; runCount: number } }[] }
  }>(
    'query ($id: ID!) { queued: run(id: $id) { ... on WorkflowRun { queue { id blockedBy { runIds runCount } } } } }',
    {
      id: run.id,
    },
  )
  const entry = queued.queue.find(({ id }) => id === run.id)
  assert.deepEqual(entry?.blockedBy, { runIds: [by.id], runCount: 1 }, 'the queue names it too')
}

async function skipped(run: RunView): Promise<void> {
  const seen = await untilRun(stage.ask, run.id, ['SKIPPED'])
  assert.equal(seen.problem?.code, 'OVERLAP')
  assert.match(seen.problem?.message ?? '', /overlap policy skips this one/)
}

async function replaced(run: RunView, by: RunView): Promise<void> {
  const seen = await untilRun(stage.ask, run.id, ['CANCELED'])
  assert.equal(seen.problem?.code, 'OVERLAP')
  assert.ok(seen.problem?.message.includes(by.id), seen.problem?.message)
}

const expectations: Record<(typeof policies)[number], (started: Started) => Promise<void>> = {
  async ALLOW_ALL({ waiting, first, second, third }) {
    for (const { id } of [second, third]) await untilRun(stage.ask, id, live)
    await waiting.open()
    for (const { id } of [first, second, third]) await untilRun(stage.ask, id, ['SUCCEEDED'])
  },
  async BUFFER_ALL({ waiting, first, second, third }) {
    await held(second, first)
    await held(third, first)
    await waiting.open()
    for (const { id } of [first, second, third]) await untilRun(stage.ask, id, ['SUCCEEDED'])
    const [two, three] = [await lookAt(stage.ask, second.id), await lookAt(stage.ask, third.id)]
    assert.ok((two.endedAt ?? '') <= (three.startedAt ?? ''), 'the waiting runs execute one after the other')
  },
  async BUFFER_ONE({ waiting, first, second, third }) {
    await held(second, first)
    await skipped(third)
    await waiting.open()
    for (const { id } of [first, second]) await untilRun(stage.ask, id, ['SUCCEEDED'])
  },
  async SKIP({ waiting, first, second, third }) {
    await skipped(second)
    await skipped(third)
    await waiting.open()
    await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  },
  async CANCEL_OTHER({ waiting, first, second, third }) {
    await untilRun(stage.ask, first.id, ['CANCELED'])
    await untilRun(stage.ask, second.id, ['CANCELED'])
    await untilRun(stage.ask, third.id, live)
    await waiting.open()
    await untilRun(stage.ask, third.id, ['SUCCEEDED'])
  },
  async TERMINATE_OTHER({ waiting, first, second, third }) {
    await replaced(first, second)
    await replaced(second, third)
    await untilRun(stage.ask, third.id, live)
    await waiting.open()
    await untilRun(stage.ask, third.id, ['SUCCEEDED'])
  },
}

for (const scope of scopes) {
  test(`overlaps measured on ${scope === 'GLOBAL' ? 'all worktrees' : 'one worktree'}`, {
    concurrency: 3,
  }, async (t) => {
    await Promise.all(
      policies.map((policy) =>
        t.test(policy, async () => {
          const [one, two] = [branchOf(policy, 'one'), branchOf(policy, 'two')]
          // Measured on one worktree, a run elsewhere counts for nothing; measured on all, it counts like any other.
          const started = await startThree(policy, scope, scope === 'GLOBAL' ? [one, two, one] : [one, one, one])
          await expectations[policy](started)
        }),
      ),
    )
  })
}

test('if overlaps are measured on one worktree, a run on another worktree does not count', async () => {
  const [one, two] = [branchOf('SKIP', 'one'), branchOf('SKIP', 'two')]
  const waiting = gate(stage)
  const workflowId = await makeWorkflow(stage.ask, {
    name: 'apart',
    steps: [commandStep('wait', waiting.command)],
    overlapPolicy: 'SKIP',
  })
  const first = await startWorkflow(stage.ask, workflowId, machine.worktree(one))
  await waiting.untilBegun()
  const second = await startWorkflow(stage.ask, workflowId, machine.worktree(two))
  await untilRun(stage.ask, second.id, live)
  await waiting.open()
  for (const { id } of [first, second]) await untilRun(stage.ask, id, ['SUCCEEDED'])
})

test('a draft cannot be started, and does not change the published workflow before it is published itself', async () => {
  const worktreeId = machine.worktree(branchOf('SKIP', 'one'))
  const { workflow } = await mutate<{ workflow: { id: string; status: string } }>(
    stage.ask,
    'createWorkflow',
    { name: 'draft', steps: [commandStep('fail', 'exit 3')] },
    'workflow { id status }',
  )
  assert.equal(workflow.status, 'DRAFT')
  const early = await refusal(startWorkflow(stage.ask, workflow.id, worktreeId))
  assert.equal(early.code, 'FAILED_PRECONDITION')
  await mutate(stage.ask, 'publishWorkflow', { workflowId: workflow.id }, 'workflow { id }')
  await mutate(
    stage.ask,
    'saveWorkflowDraft',
    { workflowId: workflow.id, name: 'draft', steps: [commandStep('pass', 'true')] },
    'workflow { id }',
  )
  const failed = await untilRun(stage.ask, (await startWorkflow(stage.ask, workflow.id, worktreeId)).id, ['FAILED'])
  assert.match(failed.problem?.message ?? '', /exit code 3/)
  await mutate(stage.ask, 'publishWorkflow', { workflowId: workflow.id }, 'workflow { id }')
  await untilRun(stage.ask, (await startWorkflow(stage.ask, workflow.id, worktreeId)).id, ['SUCCEEDED'])
})
