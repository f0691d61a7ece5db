/** How runs end other than well: they fail, are canceled, run out of time. Nothing of them is left on the machine. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandStep } from '../../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { lookAt, mutate, queueOf, type RunView, runFields, startRun, untilRun } from '../../kit/program/runs.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['a', 'b', 'c', 'd', 'e', 'f'] })
})
after(() => stage?.end())

const cancel = (runId: string, reason?: string) =>
  mutate<{ run: RunView }>(stage.ask, 'cancelRun', { runId, ...(reason ? { reason } : {}) }, `run { ${runFields} }`)

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits until a command has written the IDs of its processes. */
const pidsIn = (path: string, count: number) =>
  until(`${count} processes`, async () => {
    const pids = (await readFile(path, 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number)
    return pids.length === count ? pids : undefined
  })

test('a run whose command fails has the exit code and a problem', async () => {
  const asked = await startRun(stage.ask, { worktreeId: machine.worktree('a'), command: 'echo no >&2; exit 7' })
  const run = await untilRun(stage.ask, asked.id, ['FAILED'])
  assert.equal(run.exitCode, 7)
  assert.match(run.problem?.message ?? '', /7/)
  assert.ok(run.problem?.code, JSON.stringify(run.problem))
  assert.equal(run.phase, null)
})

test('a workflow stops at its first failing step and names it', async () => {
  const { workflow } = await mutate<{ workflow: { id: string } }>(
    stage.ask,
    'createWorkflow',
    {
      name: 'three steps',
      steps: [
        commandStep('lint', 'true'),
        commandStep('test', 'exit 2', { title: 'unit tests' }),
        commandStep('publish', `touch ${join(stage.folder, 'published')}`),
      ],
    },
    'workflow { id }',
  )
  await mutate(stage.ask, 'publishWorkflow', { workflowId: workflow.id }, 'workflow { id }')
  const input = { workflowId: workflow.id, worktreeId: machine.worktree('a') }
  const { run } = await mutate<{ run: RunView }>(stage.ask, 'startWorkflow', input, 'run { id }')
  const ended = await untilRun(stage.ask, run.id, ['FAILED'])
  assert.match(ended.problem?.message ?? '', /unit tests.*exit code 2/)
  await assert.rejects(readFile(join(stage.folder, 'published')), 'the step after the failing one was run')
})

test('a canceled queued run leaves the queue at once and never starts', async () => {
  const worktreeId = machine.worktree('b')
  const going = gate(stage)
  const one = await startRun(stage.ask, { worktreeId, command: going.command })
  await going.untilBegun()
  const never = gate(stage, 'never')
  const two = await startRun(stage.ask, { worktreeId, command: never.command })
  const three = await startRun(stage.ask, { worktreeId, command: 'true' })
  await until('both in the queue', async () => ((await queueOf(stage.ask, worktreeId)).length === 2 ? true : undefined))
  const { run } = await cancel(two.id, 'not needed')
  assert.deepEqual([run.status, run.jobId, run.problem?.message], ['CANCELED', null, 'not needed'])
  const queue = await queueOf(stage.ask, worktreeId)
  assert.deepEqual(
    queue.map(({ id, position }) => [id, position]),
    [[three.id, 1]],
    'a canceled run is out of the list at once',
  )
  const again = await cancel(two.id)
  assert.deepEqual([again.run.status, again.run.problem?.message], ['CANCELED', 'not needed'])
  await going.open()
  await untilRun(stage.ask, one.id, ['SUCCEEDED'])
  await untilRun(stage.ask, three.id, ['SUCCEEDED'])
  assert.equal(never.begun(), false)
})

test('canceling a running run ends its whole process tree, also the processes that left the process group', async () => {
  const worktreeId = machine.worktree('c')
  const pids = join(stage.folder, 'tree')
  const command = `echo $$ > ${pids}; sleep 600 & echo $! >> ${pids}; setsid sleep 600 & echo $! >> ${pids}; (trap '' TERM; sleep 600) & echo $! >> ${pids}; wait`
  const { id } = await startRun(stage.ask, { worktreeId, command })
  const tree = await pidsIn(pids, 4)
  assert.deepEqual(tree.map(isRunning), [true, true, true, true])
  const canceling = await cancel(id)
  assert.ok(['CANCELING', 'CANCELED'].includes(canceling.run.status), canceling.run.status)
  const run = await untilRun(stage.ask, id, ['CANCELED'], 20_000)
  assert.deepEqual(tree.map(isRunning), [false, false, false, false])
  assert.equal((await cancel(id)).run.status, 'CANCELED', 'a repeat is answered as before')
  const { worktreeQueue } = await until('the slot to be released', async () => {
    const seen = await stage.ask<{ worktreeQueue: { slotsHeld: number } }>(
      'query ($id: ID!) { worktreeQueue: node(id: $id) { ... on WorktreeQueue { slotsHeld } } }',
      { id: worktreeId.replace('wt_', 'que_') },
    )
    return seen.worktreeQueue.slotsHeld === 0 ? seen : undefined
  })
  assert.equal(worktreeQueue.slotsHeld, 0, JSON.stringify(run))
})

test('a command that prints only when it is asked to stop is canceled like any other', async () => {
  const quiet = join(stage.folder, 'quiet')
  const command = `trap 'echo I was interrupted; exit 1' TERM; echo $$ > ${quiet}; while true; do sleep 0.1; done`
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('d'), command })
  await pidsIn(quiet, 1)
  await cancel(id, 'enough')
  const run = await untilRun(stage.ask, id, ['CANCELED'], 20_000)
  assert.equal(run.problem?.message, 'enough')
})

test('a run that has ended cannot be canceled, and the refusal has its status', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('e'), command: 'true' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const refused = await refusal(cancel(id))
  assert.equal(refused.code, 'FAILED_PRECONDITION')
  assert.match(JSON.stringify(refused.details), /SUCCEEDED/)
  assert.equal(refused.details.event, 'cancel')
  const unknown = await refusal(cancel(`run_${'0'.repeat(26)}`))
  assert.equal(unknown.code, 'NOT_FOUND')
})

test('a run that exceeds its timeout is ended', async () => {
  const pids = join(stage.folder, 'slow')
  const input = { worktreeId: machine.worktree('e'), command: `echo $$ > ${pids}; sleep 600`, timeoutSeconds: 1 }
  const { id } = await startRun(stage.ask, input)
  const tree = await pidsIn(pids, 1)
  const run = await untilRun(stage.ask, id, ['TIMED_OUT'])
  assert.match(run.problem?.message ?? '', /1 second/)
  assert.deepEqual(tree.map(isRunning), [false])
})

test('the timeout of a run does not advance while the run waits for a person', async () => {
  const input = { worktreeId: machine.worktree('f'), prompt: 'permission', timeoutSeconds: 5 }
  const { id } = await startRun(stage.ask, input)
  const { questionId } = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  // Longer than the run’s timeout and the five seconds in which the agent can report it.
  await sleep(11_000)
  assert.equal((await lookAt(stage.ask, id)).status, 'WAITING_FOR_INPUT')
  await mutate(stage.ask, 'answerRun', { runId: id, questionId, answer: { optionId: 'yes' } }, 'run { id }')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
})
