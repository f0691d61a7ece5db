/** Two workflow runs that have reserved a worktree each, and whose steps build the files of the other's worktree. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { createConfiguration, withRemote } from '../../kit/program/objects/builds.ts'
import { makeWorkflow, over, startWorkflow } from '../../kit/program/runs.ts'
import { gate, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['left', 'right'] })
})
after(() => stage?.end())

interface StepView {
  readonly status: string
  readonly problem: { readonly code: string; readonly message: string } | null
}

test('of two runs whose builds wait for each other, one fails with DEADLOCK and the other one succeeds', async () => {
  const { repositoryId } = await withRemote(stage, machine)
  const buildConfigurationId = await createConfiguration(stage.ask, { repositoryId })
  const begin = async (own: string, other: string) => {
    const held = gate(stage)
    const build = { buildConfigurationId, source: 'WORKTREE', worktreeId: machine.worktree(other) }
    const steps = [commandStep('begin', held.command), { name: 'build', action: { build } }]
    const workflowId = await makeWorkflow(stage.ask, { name: own, exclusiveWorktree: true, steps })
    const { id } = await startWorkflow(stage.ask, workflowId, machine.worktree(own))
    await held.untilBegun()
    return { id, held }
  }
  const [left, right] = [await begin('left', 'right'), await begin('right', 'left')]
  await left.held.open()
  await right.held.open()
  const ends = await Promise.all(
    [left, right].map(({ id }) =>
      until(
        'the run to end',
        async () => {
          const { run } = await stage.ask<{ run: { status: string; steps: readonly StepView[] } }>(
            'query ($id: ID!) { run(id: $id) { status ... on WorkflowRun { steps { status problem { code message } } } } }',
            { id },
          )
          return over.has(run.status) ? run : undefined
        },
        90_000,
      ),
    ),
  )
  assert.deepEqual(ends.map(({ status }) => status).sort(), ['FAILED', 'SUCCEEDED'])
  const failed = ends.find(({ status }) => status === 'FAILED')?.steps[1]
  assert.deepEqual([failed?.status, failed?.problem?.code], ['FAILED', 'DEADLOCK'], failed?.problem?.message)
})
