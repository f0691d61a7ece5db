/** A person pauses, resumes, interrupts and retries runs. The real agent stops and continues real processes. */

import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandStep } from '../../kit/program/commandStep.ts'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import {
  lookAt,
  makePreset,
  makeWorkflow,
  mutate,
  type RunView,
  runFields,
  startRun,
  startWorkflow,
  untilRun,
} from '../../kit/program/runs.ts'
import { refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })
})
after(() => stage?.end())

type Controlled = RunView & { readonly isPauseRequested: boolean; readonly retryOfId: string | null }
const fields = `${runFields} isPauseRequested retryOfId`

async function control(name: 'pauseRun' | 'resumeRun' | 'interruptRun' | 'cancelRun' | 'retryRun', runId: string) {
  return (await mutate<{ run: Controlled }>(stage.ask, name, { runId }, `run { ${fields} }`)).run
}

/** A command that adds a line to a file every 20 ms, until there is the file `<path>.end`. */
const ticking = (path: string) =>
  `(while [ ! -e ${path}.end ]; do echo tick >> ${path}; sleep 0.02; done) & while [ ! -e ${path}.end ]; do echo tock >> ${path}; sleep 0.02; done; wait`

const sizeOf = (path: string): number => (existsSync(path) ? readFileSync(path).length : 0)

async function untilTicking(path: string): Promise<void> {
  const before = sizeOf(path)
  await until(`${path} to grow`, () => sizeOf(path) > before + 20 || undefined)
}

async function assertStill(path: string): Promise<void> {
  const before = sizeOf(path)
  await sleep(300)
  assert.equal(sizeOf(path), before, 'a process of the paused run continues')
}

test('a pause stops a command, its children and its timeout, and a resumed command continues to its end', async () => {
  const path = join(stage.folder, 'ticks')
  const input = { worktreeId: machine.worktree('a'), command: ticking(path), timeoutSeconds: 4 }
  const { id } = await startRun(stage.ask, input)
  await untilTicking(path)
  assert.equal((await control('pauseRun', id)).isPauseRequested, true)
  await untilRun(stage.ask, id, ['PAUSED'])
  await assertStill(path)
  await sleep(5_000)
  assert.equal((await control('resumeRun', id)).isPauseRequested, false)
  await untilRun(stage.ask, id, ['RUNNING'])
  await untilTicking(path)
  writeFileSync(`${path}.end`, '')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
})

test('a pause survives a restart of the agent', async () => {
  const path = join(stage.folder, 'restarted')
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('b'), command: ticking(path) })
  await untilTicking(path)
  await control('pauseRun', id)
  await untilRun(stage.ask, id, ['PAUSED'])
  await machine.stop('SIGKILL')
  await machine.start()
  await assertStill(path)
  assert.equal((await lookAt(stage.ask, id)).status, 'PAUSED')
  await control('resumeRun', id)
  await untilTicking(path)
  writeFileSync(`${path}.end`, '')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
})

test('a pause that is requested while the agent is disconnected takes effect when it is connected again', async () => {
  const path = join(stage.folder, 'away')
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('b'), command: ticking(path) })
  await untilTicking(path)
  await machine.stop('SIGKILL')
  const asked = await control('pauseRun', id)
  assert.equal(asked.isPauseRequested, true)
  assert.notEqual(asked.status, 'PAUSED')
  await machine.start()
  await untilRun(stage.ask, id, ['PAUSED'])
  await assertStill(path)
  await control('cancelRun', id)
  await untilRun(stage.ask, id, ['CANCELED'])
  await assertStill(path)
})

test('a paused conversation accepts no answer, and after it is resumed its question is asked again and answered', async () => {
  const input = { worktreeId: machine.worktree('c'), cli: 'coder', prompt: 'permission\nsay after' }
  const { id } = await startRun(stage.ask, input)
  const { questionId } = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  await control('pauseRun', id)
  const paused = await untilRun(stage.ask, id, ['PAUSED'])
  assert.equal(paused.questionId, null, 'a paused run takes no answer')
  await control('resumeRun', id)
  const waiting = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  assert.equal(waiting.questionId, questionId)
  await mutate(stage.ask, 'answerRun', { runId: id, questionId, answer: { optionId: 'yes' } }, 'run { id }')
  assert.equal((await untilRun(stage.ask, id, ['SUCCEEDED'])).result?.text, '[yes]after')
})

test('a run that has ended cannot be paused', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('d'), command: 'true' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const { code, message } = await refusal(control('pauseRun', id))
  assert.deepEqual([code, /SUCCEEDED/.test(message)], ['FAILED_PRECONDITION', true])
})

test('an interrupted turn keeps its conversation, and the follow-up continues it', async () => {
  const { id } = await startRun(stage.ask, {
    worktreeId: machine.worktree('e'),
    cli: 'coder',
    prompt: 'say begun\nhang',
  })
  await untilRun(stage.ask, id, ['RUNNING'])
  await control('interruptRun', id)
  const interrupted = await untilRun(stage.ask, id, ['CANCELED'])
  assert.equal(interrupted.problem?.code, 'INTERRUPTED')
  assert.ok(interrupted.result?.conversationId)
  const { run } = await mutate<{ run: RunView }>(
    stage.ask,
    'createRunFollowUp',
    { runId: id, prompt: 'say on', requireConversation: true },
    `run { ${runFields} }`,
  )
  const followed = await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  assert.equal(followed.conversation, 'LOADED')
})

test('a conversation that ended because the agent restarted can be continued', async () => {
  const { id } = await startRun(stage.ask, {
    worktreeId: machine.worktree('a'),
    cli: 'coder',
    prompt: 'say begun\nhang',
  })
  await untilRun(stage.ask, id, ['RUNNING'])
  await until('the CLI to work', () => existsSync(join(machine.path('a'), 'hang.txt')) || undefined)
  const queued = { runId: id, prompt: 'say later' }
  await mutate(stage.ask, 'createRunFollowUp', queued, 'queuedFollowUp { runId }')
  await machine.stop('SIGKILL')
  await machine.start()
  const cut = await untilRun(stage.ask, id, ['FAILED'])
  assert.equal(cut.problem?.code, 'AGENT_RESTARTED')
  const { run } = await stage.ask<{ run: { canContinue: boolean } }>(
    'query ($id: ID!) { run(id: $id) { canContinue } }',
    { id },
  )
  assert.equal(run.canContinue, true)
  const next = await mutate<{ run: RunView }>(stage.ask, 'continueRun', { runId: id }, 'run { id }')
  const continued = await untilRun(stage.ask, next.run.id, ['SUCCEEDED'])
  assert.equal(continued.conversation, 'LOADED')
  const { code } = await refusal(mutate(stage.ask, 'continueRun', { runId: next.run.id }, 'run { id }'))
  assert.equal(code, 'FAILED_PRECONDITION')
})

test('a retried turn has the same input and tools', async () => {
  const preset = await makePreset(stage, ['get_run'])
  const path = join(stage.folder, 'second-time')
  const command = `test -e ${path} || { touch ${path}; exit 3; }`
  const first = await startRun(stage.ask, {
    ...{ worktreeId: machine.worktree('f'), command, title: 'Twice', timeoutSeconds: 77 },
    mcpPresetIds: [preset],
  })
  const early = await refusal(control('retryRun', first.id))
  assert.equal(early.code, 'FAILED_PRECONDITION')
  await untilRun(stage.ask, first.id, ['FAILED'])
  const again = await control('retryRun', first.id)
  assert.deepEqual([again.retryOfId, again.title], [first.id, 'Twice'])
  assert.notEqual(again.displayNumber, first.displayNumber)
  await untilRun(stage.ask, again.id, ['SUCCEEDED'])
  const { run } = await stage.ask<{ run: Record<string, unknown> }>(
    'query ($id: ID!) { run(id: $id) { retryOf { id } toolGrant { presetIds } ... on SessionRun { session { runs { totalCount } } } } }',
    { id: again.id },
  )
  assert.deepEqual(run, {
    retryOf: { id: first.id },
    toolGrant: { presetIds: [preset] },
    session: { runs: { totalCount: 2 } },
  })
})

test('a retried run of a workflow executes the steps that it had', async () => {
  const path = join(stage.folder, 'steps')
  const steps = (name: string) => [commandStep(name, `echo ${name} >> ${path}; test $(wc -l < ${path}) -gt 1`)]
  const workflowId = await makeWorkflow(stage.ask, { name: 'again', steps: steps('old') })
  const { id } = await startWorkflow(stage.ask, workflowId, machine.worktree('g'))
  await untilRun(stage.ask, id, ['FAILED'])
  await mutate(stage.ask, 'saveWorkflowDraft', { workflowId, name: 'again', steps: steps('new') }, 'workflow { id }')
  await mutate(stage.ask, 'publishWorkflow', { workflowId }, 'workflow { id }')
  const again = await control('retryRun', id)
  await untilRun(stage.ask, again.id, ['SUCCEEDED'])
  assert.equal(readFileSync(path, 'utf8'), 'old\nold\n')
})
