/** The options that a run gives its coding CLI, and the usage that the CLI reports. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { mutate, type RunView, runFields, startRun, untilRun } from '../../kit/program/runs.ts'
import { gate, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['a', 'b', 'c', 'd', 'e', 'f'], clis: ['plain=plain:echo'] })
})
after(() => stage?.end())

const start = (branch: string, prompt: string, configuration: object, more: object = {}) =>
  startRun(stage.ask, { worktreeId: machine.worktree(branch), cli: 'coder', prompt, configuration, ...more })

async function configurationOf(id: string): Promise<unknown> {
  const { run } = await stage.ask<{ run: { configuration: unknown } }>(
    'query ($id: ID!) { run(id: $id) { configuration { model mode permissionPolicy permissionRules { kind decision } } } }',
    { id },
  )
  return run.configuration
}

async function followUp(runId: string, prompt: string, more: object = {}): Promise<RunView> {
  const input = { runId, prompt, ...more }
  const { run } = await mutate<{ run: RunView }>(stage.ask, 'createRunFollowUp', input, `run { ${runFields} }`)
  return await untilRun(stage.ask, run.id, ['SUCCEEDED'])
}

test('a run uses the model and the mode that it names, and so do its follow-ups', async () => {
  const { id } = await start('a', 'model\nmode', { model: 'LARGE', mode: 'plan' })
  assert.equal((await untilRun(stage.ask, id, ['SUCCEEDED'])).result?.text, 'largeplan')
  const second = await followUp(id, 'model\nmode')
  assert.equal(second.result?.text, 'largeplan')
  const third = await followUp(second.id, 'model', { configuration: { model: 'small' } })
  assert.equal(third.result?.text, 'small')
  assert.deepEqual(await configurationOf(third.id), {
    ...{ model: 'small', mode: 'plan', permissionPolicy: 'ASK', permissionRules: [] },
  })
})

test('a model or a mode that the CLI does not offer fails the run, and the problem names the offered ones', async () => {
  const model = await start('b', 'say no', { model: 'huge' })
  const { problem, result } = await untilRun(stage.ask, model.id, ['FAILED'])
  assert.deepEqual([problem?.code, result?.text], ['MODEL_UNAVAILABLE', ''])
  assert.match(problem?.message ?? '', /“huge”.*small, large/)
  const mode = await start('b', 'say no', { mode: 'yolo' })
  const other = await untilRun(stage.ask, mode.id, ['FAILED'])
  assert.deepEqual([other.problem?.code, /code, plan/.test(other.problem?.message ?? '')], ['MODE_UNAVAILABLE', true])
  const plain = await start('b', 'say no', { model: 'large' }, { cli: 'plain' })
  const refused = await untilRun(stage.ask, plain.id, ['FAILED'])
  assert.equal(refused.problem?.code, 'MODEL_UNAVAILABLE')
})

test('a permission policy answers without a person, and a rule is an exception from it', async () => {
  const answers = async (configuration: object) => {
    const { id } = await start('c', 'permission edit', configuration)
    return (await untilRun(stage.ask, id, ['SUCCEEDED'])).result?.text
  }
  assert.equal(await answers({ permissionPolicy: 'ALLOW_ALL' }), '[yes]')
  assert.equal(await answers({ permissionPolicy: 'DENY' }), '[no]')
  const rule = { permissionRules: [{ kind: 'EXECUTE', decision: 'ALLOW' }] }
  assert.equal(await answers({ permissionPolicy: 'DENY', ...rule }), '[yes]')
  // The request is of the kind EXECUTE, which ALLOW_EDITS does not answer.
  const { id } = await start('c', 'permission edit', { permissionPolicy: 'ALLOW_EDITS' })
  const { questionId } = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  await mutate(stage.ask, 'answerRun', { runId: id, questionId, answer: { optionId: 'yes' } }, 'run { id }')
  await untilRun(stage.ask, id, ['SUCCEEDED'])
})

test('an answer of the policy is in the events and in the log of the run', async () => {
  const { id } = await start('c', 'permission edit', { permissionPolicy: 'ALLOW_ALL' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const { runEvents, runLog } = await stage.ask<{
    runEvents: { events: { type: string; question: { title: string } | null; answer: { optionId: string } | null }[] }
    runLog: { text: string }
  }>(
    'query ($id: ID!) { runEvents(runId: $id) { events { type question { title } answer { optionId } } } runLog(runId: $id) { text } }',
    { id },
  )
  const { events } = runEvents
  assert.equal(events.find(({ type }) => type === 'PERMISSION_REQUEST')?.question?.title, 'Delete everything')
  assert.equal(events.find(({ type }) => type === 'PERMISSION_ANSWER')?.answer?.optionId, 'yes')
  assert.match(runLog.text, /Allowed by the permission policy of the run: Delete everything/)
})

test('a PLAN run rejects changes whatever its policy is', async () => {
  const { id } = await start('d', 'permission edit', { permissionPolicy: 'ALLOW_ALL' }, { kind: 'PLAN' })
  assert.equal((await untilRun(stage.ask, id, ['SUCCEEDED'])).result?.text, '[no]')
})

test('a change of the configuration of a queued run keeps the options that it does not name, and null sets the default', async () => {
  const going = gate(stage)
  const first = await startRun(stage.ask, { worktreeId: machine.worktree('e'), command: going.command })
  await going.untilBegun()
  const { id } = await start('e', 'model\npermission', { permissionPolicy: 'DENY' })
  const fields = 'worktreeConcurrencyLimit model mode permissionPolicy permissionRules { kind decision }'
  const changed = async (configuration: Readonly<Record<string, unknown>>) => {
    const output = `run { configuration { ${fields} } }`
    const input = { runId: id, configuration }
    return (await mutate<{ run: { configuration: unknown } }>(stage.ask, 'updateRunConfiguration', input, output)).run
      .configuration
  }
  const before = { worktreeConcurrencyLimit: 1, model: null, mode: null, permissionPolicy: 'DENY', permissionRules: [] }
  assert.deepEqual(await changed({}), before)
  assert.deepEqual(await changed({ worktreeConcurrencyLimit: 1 }), before)
  assert.deepEqual(await changed({ model: 'large' }), { ...before, model: 'large' })
  const permissionRules = [{ kind: 'EDIT', decision: 'ALLOW' }]
  assert.deepEqual(await changed({ permissionRules }), { ...before, model: 'large', permissionRules })
  const after = { ...before, model: 'large', permissionPolicy: 'ALLOW_ALL' }
  assert.deepEqual(await changed({ permissionRules: null, permissionPolicy: 'ALLOW_ALL' }), after)
  await going.open()
  await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  assert.equal((await untilRun(stage.ask, id, ['SUCCEEDED'])).result?.text, 'large[yes]')
})

test('options of a coding CLI are refused for a command, and two rules for one kind are refused', async () => {
  const worktreeId = machine.worktree('f')
  for (const [configuration, field] of [
    [{ model: 'large' }, 'configuration.model'],
    [{ mode: 'plan' }, 'configuration.mode'],
    [{ permissionPolicy: 'DENY' }, 'configuration.permissionPolicy'],
  ] as const) {
    const { code, details } = await refusal(startRun(stage.ask, { worktreeId, command: 'true', configuration }))
    assert.deepEqual([code, details?.field], ['BAD_USER_INPUT', field])
  }
  const named = await refusal(startRun(stage.ask, { worktreeId, command: 'true', cli: 'coder' }))
  assert.deepEqual([named.code, named.details?.field], ['BAD_USER_INPUT', 'cli'])
  const rule = { kind: 'EDIT', decision: 'ALLOW' }
  const { code, details } = await refusal(start('f', 'say no', { permissionRules: [rule, rule] }))
  assert.deepEqual([code, details?.field], ['BAD_USER_INPUT', 'configuration.permissionRules'])
})

test('the usage that a CLI reports is shown for the run, and summed for its session, its agent and the installation', async () => {
  const { id } = await start('f', 'usage 100 10 40\nusage 200 20 50\nsay done', {})
  const done = await untilRun(stage.ask, id, ['SUCCEEDED'])
  await followUp(done.id, 'usage 1 2 0')
  const sums = 'usage { runCount inputTokens outputTokens cachedInputTokens costs { currency amount } }'
  const read = async () =>
    await stage.ask<{
      run: { session: { usage: { runCount: number } } }
      agent: { usage: { runCount: number } }
      installationUsage: unknown
    }>(
      `query ($id: ID!, $agentId: ID!) {
        run(id: $id) {
          result { usage { inputTokens outputTokens cachedInputTokens cost { currency amount } } }
          ... on SessionRun { session { ${sums} } }
        }
        agent(id: $agentId) { ${sums} }
        installationUsage { runCount inputTokens outputTokens }
      }`,
      { id, agentId: machine.agentId },
    )
  // The sums follow the end of a run by messages.
  const found = await until('the sums of both runs', async () => {
    const sum = await read()
    return sum.agent.usage.runCount === 2 && sum.run.session.usage.runCount === 2 ? sum : undefined
  })
  const total = { runCount: 2, inputTokens: 301, outputTokens: 32 }
  const usage = { ...total, cachedInputTokens: 90, costs: [{ currency: 'USD', amount: 0.5 }] }
  assert.deepEqual(found, {
    run: {
      result: {
        usage: {
          ...{ inputTokens: 300, outputTokens: 30, cachedInputTokens: 90 },
          cost: { currency: 'USD', amount: 0.25 },
        },
      },
      session: { usage },
    },
    agent: { usage },
    installationUsage: total,
  })
})
