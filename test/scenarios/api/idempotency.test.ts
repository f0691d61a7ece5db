/** A script that does not know whether its request arrived repeats it with the same key. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandStep } from '../../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { lookAt, makeWorkflow, mutate, untilRun } from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'

let stage: TestProgram
let machine: Machine
let workflowId: string

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['one', 'two'] })
  workflowId = await makeWorkflow(stage.ask, { name: 'check', steps: [commandStep('true', 'true')] })
})
after(() => stage?.end())

interface Creating {
  readonly name: string
  readonly input: () => Record<string, unknown>
  readonly other: Record<string, unknown>
  readonly selection: string
  readonly idOf: (answer: never) => string
}

const runOf = ({ run }: { run: { id: string } }) => run.id
const creating: readonly Creating[] = [
  {
    name: 'createAgentRun',
    input: () => ({ worktreeId: machine.worktree('one'), kind: 'SESSION', task: { command: 'true' } }),
    other: { task: { command: 'false' } },
    selection: 'run { id }',
    idOf: runOf,
  },
  {
    name: 'startWorkflow',
    input: () => ({ workflowId, worktreeId: machine.worktree('two') }),
    other: { worktreeId: '' },
    selection: 'run { id }',
    idOf: runOf,
  },
  {
    name: 'createWorkflow',
    input: () => ({ name: 'again', steps: [commandStep('x', 'true')] }),
    other: { name: 'other' },
    selection: 'workflow { id }',
    idOf: ({ workflow }: { workflow: { id: string } }) => workflow.id,
  },
  {
    name: 'createWorktree',
    input: () => ({ codebaseId: machine.codebaseId, branch: 'idempotent' }),
    other: { branch: 'another' },
    selection: 'worktree { id }',
    idOf: ({ worktree }: { worktree: { id: string } }) => worktree.id,
  },
  {
    name: 'createEnrollmentToken',
    input: () => ({ name: 'machine' }),
    other: { name: 'other' },
    selection: 'enrollmentId token command',
    idOf: ({ enrollmentId }: { enrollmentId: string }) => enrollmentId,
  },
]

for (const { name, input, other, selection, idOf } of creating) {
  const ask = (idempotencyKey: string, more = {}) =>
    mutate(stage.ask, name, { ...input(), ...more, idempotencyKey }, selection).then((answer) => answer as never)

  test(`${name}: a repeat with the same key returns the first result, and another body is a CONFLICT`, async () => {
    const first = await ask('twice')
    const second = await ask('twice')
    assert.equal(idOf(second), idOf(first))
    if (name === 'createEnrollmentToken') {
      assert.match((first as { token: string }).token, /^enroll_/)
      assert.deepEqual(second, { ...(first as object), token: null, command: null }, 'a secret is shown once')
    }
    const changed = name === 'startWorkflow' ? { worktreeId: machine.worktree('one') } : other
    const refused = await refusal(ask('twice', changed))
    assert.deepEqual([refused.code, refused.details.field], ['CONFLICT', 'idempotencyKey'], refused.message)
    assert.notEqual(idOf(await ask('another key', name === 'createWorktree' ? other : {})), idOf(first))
  })

  test(`${name}: ten concurrent requests with the same key create one object`, async () => {
    const more = name === 'createWorktree' ? { branch: 'at-once' } : {}
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('at once', more)))
    assert.equal(new Set(answers.map(idOf)).size, 1, answers.map(idOf).join(' '))
    const [id = ''] = answers.map(idOf)
    if (selection.startsWith('run')) {
      await untilRun(stage.ask, id, ['SUCCEEDED'])
      const { found } = await stage.ask<{ found: { session?: { id: string }; workflow?: { id: string } } }>(
        'query ($id: ID!) { found: run(id: $id) { ... on SessionRun { session { id } } ... on WorkflowRun { workflow { id } } } }',
        { id },
      )
      assert.ok(found.session ?? found.workflow, 'the run is a run of something that there is')
    }
  })
}

test('a failure is not kept: the same key may be used for the corrected request', async () => {
  const input = { worktreeId: machine.worktree('one'), kind: 'SESSION', idempotencyKey: 'corrected' }
  const tooLong = { ...input, task: { command: 'x'.repeat(20_001) } }
  const refused = await refusal(mutate(stage.ask, 'createAgentRun', tooLong, 'run { id }'))
  assert.equal(refused.code, 'BAD_USER_INPUT')
  const made = await mutate<{ run: { id: string } }>(
    stage.ask,
    'createAgentRun',
    { ...input, task: { command: 'true' } },
    'run { id }',
  )
  assert.equal((await lookAt(stage.ask, made.run.id)).kind, 'SESSION')
})

test('a follow-up that is requested twice with the same key is one turn of its session', async () => {
  const first = await mutate<{ run: { id: string } }>(
    stage.ask,
    'createAgentRun',
    { worktreeId: machine.worktree('one'), kind: 'SESSION', task: { prompt: 'say hello' } },
    'run { id }',
  )
  await untilRun(stage.ask, first.run.id, ['SUCCEEDED'])
  const input = { runId: first.run.id, prompt: 'permission', idempotencyKey: 'next turn' }
  const ask = () => mutate<{ run: { id: string } }>(stage.ask, 'createRunFollowUp', input, 'run { id }')
  const { run } = await ask()
  await untilRun(stage.ask, run.id, ['WAITING_FOR_INPUT'])
  // The turn of the first request is active. Because of it a new follow-up would be refused.
  assert.equal((await ask()).run.id, run.id)
  await mutate(stage.ask, 'cancelRun', { runId: run.id }, 'run { id }')
})
