/** AI work with a coding CLI that uses the Agent Client Protocol: its messages, its questions and the follow-ups. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { lookAt, makePreset, mutate, type RunView, runFields, startRun, untilRun } from '../../kit/program/runs.ts'
import { watch } from '../../kit/program/socket.ts'
import { asWhom, refusal, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['talk', 'ask', 'refuse', 'follow', 'plan', 'token'] })
})
after(() => stage?.end())

interface RunEvent {
  readonly sequence: number
  readonly type: string
  readonly entries: readonly { readonly content: string; readonly status: string }[]
  readonly text: string | null
}
const eventsOf = (runId: string) =>
  watch<RunEvent>(
    stage,
    'subscription ($runId: ID!) { runEventAdded(runId: $runId) { sequence type text entries { content status } toolCall { title kind status } stopReason } }',
    {
      runId,
    },
  )
const ai = (branch: string, prompt: string, more = {}) =>
  startRun(stage.ask, { worktreeId: machine.worktree(branch), prompt, ...more })
const answer = (runId: string, questionId: string | null, said: unknown) =>
  mutate<{ run: RunView }>(stage.ask, 'answerRun', { runId, questionId, answer: said }, `run { ${runFields} }`)
const followUp = (runId: string, prompt: string) =>
  mutate<{ run: RunView }>(stage.ask, 'createRunFollowUp', { runId, prompt }, `run { ${runFields} }`)

/** The question that comes after another one. */
const untilQuestion = (id: string, former: string | null) =>
  until('the next question', async () => {
    const run = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT', 'RUNNING'])
    return run.questionId !== null && run.questionId !== former ? run : undefined
  })

test('the messages, plans and tool calls of a CLI arrive in order', async () => {
  const run = await ai('talk', 'plan\nthink\ntool\nsay All is done.')
  const events = eventsOf(run.id)
  assert.equal(await events.over(), 'complete')
  assert.deepEqual(
    // A message may arrive in several pieces.
    events.items.map(({ type }) => type).filter((type, index, all) => type !== 'MESSAGE' || all[index - 1] !== type),
    ['PLAN', 'THOUGHT', 'TOOL_CALL', 'TOOL_CALL_UPDATE', 'MESSAGE', 'TURN_END', 'CHANGES'],
  )
  assert.deepEqual(
    events.items.map(({ sequence }) => sequence),
    events.items.map((_, index) => index),
  )
  const [plan] = events.items
  assert.equal(plan?.entries[0]?.content, 'Look around')
  const ended = await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  assert.equal(ended.result?.text, 'All is done.')
  await events.stop()
})

test('the end of a very long reply of a CLI is kept', async () => {
  const { id } = await ai('talk', `say ${'"x'.repeat(35_000)}. The end.`)
  const ended = await untilRun(stage.ask, id, ['SUCCEEDED'], 30_000)
  const text = ended.result?.text ?? ''
  assert.ok(text.endsWith('"x. The end.') && text.length > 40_000, `${text.length} characters`)
})

test('a permission request waits for a person, and the answer resumes the run', async () => {
  const { id } = await ai('ask', 'permission\nsay Thank you.')
  const waiting = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  assert.equal(waiting.question?.title, 'Delete everything')
  assert.deepEqual(
    waiting.question.options.map(({ optionId }) => optionId),
    ['yes', 'no'],
  )
  const { session } = await stage.ask<{ session: { session: { status: string } } }>(
    'query ($id: ID!) { session: run(id: $id) { ... on SessionRun { session { status } } } }',
    { id },
  )
  assert.equal(session.session.status, 'WAITING_FOR_INPUT')
  const { run } = await answer(id, waiting.questionId, { optionId: 'yes' })
  assert.equal(run.questionId, null, 'an answered question is no longer asked')
  const ended = await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.equal(ended.result?.text, '[yes]Thank you.')
  assert.deepEqual([ended.questionId, ended.question], [null, null])
})

test('wrong, second and late answers are refused', async () => {
  const { id } = await ai('refuse', 'permission\npermission')
  const first = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  const wrong = await refusal(answer(id, 'another question', { optionId: 'yes' }))
  assert.deepEqual([wrong.code, wrong.details.questionId], ['CONFLICT', first.questionId])
  assert.equal((await refusal(answer(id, '', { optionId: 'yes' }))).details.field, 'questionId')
  await answer(id, first.questionId, { optionId: 'yes' })
  const second = await refusal(answer(id, first.questionId, { optionId: 'no' }))
  assert.equal(second.code, 'CONFLICT', second.message)
  const next = await untilQuestion(id, first.questionId)
  const old = await refusal(answer(id, first.questionId, { optionId: 'no' }))
  assert.deepEqual([old.code, old.details.questionId], ['CONFLICT', next.questionId])
  await answer(id, next.questionId, { optionId: 'no' })
  const ended = await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.equal(ended.result?.text, '[yes][no]')
  const late = await refusal(answer(id, next.questionId, { optionId: 'yes' }))
  assert.ok(['CONFLICT', 'FAILED_PRECONDITION'].includes(late.code ?? ''), `${late.code}: ${late.message}`)
})

test('an option that the question does not offer is refused, and the refusal names those that it offers', async () => {
  const { id } = await ai('refuse', 'permission')
  const first = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  for (const optionId of ['perhaps', 'YES']) {
    const wrong = await refusal(answer(id, first.questionId, { optionId }))
    assert.deepEqual(
      [wrong.code, wrong.details.field, wrong.details.options],
      ['BAD_USER_INPUT', 'answer', ['yes', 'no']],
    )
    assert.match(wrong.message, /yes, no/)
  }
  const { questionId } = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  assert.equal(questionId, first.questionId, 'the question is still open')
  await answer(id, first.questionId, { optionId: 'no' })
  const ended = await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.equal(ended.result?.text, '[no]')
})

test('an answer is an option or a text: both, neither and other types are refused, and the question stays open', async () => {
  const { id } = await ai('refuse', 'permission')
  const { questionId } = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  for (const wrong of [
    42,
    {},
    { optionId: 'yes', text: 'no' },
    { optionId: null },
    { optionId: ['yes'] },
    { text: 7 },
  ]) {
    const { code } = await refusal(answer(id, questionId, wrong))
    assert.ok(code === 'GRAPHQL_VALIDATION_FAILED' || code === 'BAD_USER_INPUT', `${JSON.stringify(wrong)}: ${code}`)
  }
  assert.equal((await lookAt(stage.ask, id)).questionId, questionId)
  await answer(id, questionId, { optionId: 'no' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
})

test('a text instead of an option becomes the next prompt', async () => {
  const { id } = await ai('refuse', 'permission')
  const { questionId } = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  await answer(id, questionId, { text: 'say Then differently.' })
  const ended = await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.equal(ended.result?.text, '[no]Then differently.')
})

test('a follow-up can continue the conversation as soon as the run before it has ended', async () => {
  const first = await ai('follow', 'permission')
  const waiting = await untilRun(stage.ask, first.id, ['WAITING_FOR_INPUT'])
  const states = watch<RunView>(stage, `subscription ($runId: ID!) { runStatusChanged(runId: $runId) { id status } }`, {
    runId: first.id,
  })
  await states.first('the run as it is', () => true)
  await answer(first.id, waiting.questionId, { optionId: 'yes' })
  await states.first('its end', ({ status }) => status === 'SUCCEEDED')
  // A subscriber may send a follow-up as soon as it receives the end.
  const { run } = await followUp(first.id, 'say And now?')
  const second = await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  const one = await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  assert.equal(second.result?.conversationId, one.result?.conversationId, 'both turns are of one conversation')
  assert.deepEqual([one.conversation, second.conversation], ['NEW', 'LOADED'])
  const { found } = await stage.ask<{ found: { session: { lastRunId: string; runs: { nodes: { id: string }[] } } } }>(
    'query ($id: ID!) { found: run(id: $id) { ... on SessionRun { session { lastRunId runs { nodes { id } } } } } }',
    { id: first.id },
  )
  assert.deepEqual(
    found.session.runs.nodes.map(({ id }) => id),
    [run.id, first.id],
  )
  await states.stop()
})

test('if the CLI has lost a conversation, the prompt has its former turns, or the run fails if it requires the conversation', async () => {
  const first = await ai('follow', 'say There are 12 files.', { cli: 'forgetful' })
  await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  const required = await mutate<{ run: RunView }>(
    stage.ask,
    'createRunFollowUp',
    { runId: first.id, prompt: 'say How many?', requireConversation: true },
    `run { ${runFields} }`,
  )
  const lost = await untilRun(stage.ask, required.run.id, ['FAILED'])
  assert.equal(lost.problem?.code, 'CONVERSATION_LOST')
  assert.equal(lost.result?.text ?? '', '')
  const { run } = await followUp(first.id, 'echo')
  const events = eventsOf(run.id)
  const second = await untilRun(stage.ask, run.id, ['SUCCEEDED'])
  assert.equal(second.conversation, 'REPLAYED')
  const text = second.result?.text ?? ''
  const order = ['say There are 12 files.', 'There are 12 files.\n</answer>', 'say How many?', 'echo']
  assert.deepEqual(
    order.toSorted((a, b) => text.indexOf(a) - text.indexOf(b)),
    order,
    text,
  )
  await events.over()
  assert.equal(events.items[0]?.type, 'CONVERSATION')
})

test('a follow-up cannot require a conversation that never began', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('follow'), command: 'true' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  const input = { runId: id, prompt: 'say Go on.', requireConversation: true }
  const { code, details } = await refusal(mutate(stage.ask, 'createRunFollowUp', input, 'run { id }'))
  assert.deepEqual([code, details.field], ['FAILED_PRECONDITION', 'requireConversation'])
})

test('of five follow-ups at the same moment one starts, and the others are queued and follow in their order', async () => {
  const first = await ai('follow', 'say One.')
  await untilRun(stage.ask, first.id, ['SUCCEEDED'])
  const send = (prompt: string) =>
    mutate<{ run: { id: string } | null; queuedFollowUp: { runId: string } | null }>(
      stage.ask,
      'createRunFollowUp',
      { runId: first.id, prompt },
      'run { id } queuedFollowUp { runId }',
    )
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('say Two.')))
  const started = answers.flatMap(({ run }) => (run === null ? [] : [run.id]))
  const queued = answers.flatMap(({ queuedFollowUp }) => (queuedFollowUp === null ? [] : [queuedFollowUp.runId]))
  assert.deepEqual([started.length, queued.length], [1, 4])
  const runs = []
  for (const id of [...started, ...queued.sort()]) {
    await until(`run ${id} to exist`, async () => {
      const { run } = await stage.ask<{ run: object | null }>('query ($id: ID!) { run(id: $id) { id } }', { id })
      return run ?? undefined
    })
    runs.push(await untilRun(stage.ask, id, ['SUCCEEDED']))
  }
  assert.equal(new Set(runs.map(({ displayNumber }) => displayNumber)).size, 5)
  const ends = runs.map(({ endedAt }) => endedAt ?? '')
  assert.deepEqual(ends, ends.toSorted(), 'the queued ones follow in the order of their IDs')
})

test('a PLAN run creates a plan in the planning mode of the CLI, and the plan can be revised', async () => {
  const { id } = await ai('plan', 'mode', { kind: 'PLAN', title: 'How to begin' })
  const run = await untilRun(stage.ask, id, ['SUCCEEDED'])
  assert.equal(run.result?.text, 'plan')
  const { found } = await until('the plan to be READY', async () => {
    const seen = await stage.ask<{
      found: { kind: string; plan: { status: string; title: string; lastRunId: string } }
    }>('query ($id: ID!) { found: run(id: $id) { kind ... on PlanRun { plan { status title lastRunId } } } }', { id })
    return seen.found.plan.status === 'READY' ? seen : undefined
  })
  assert.deepEqual(found, { kind: 'PLAN', plan: { status: 'READY', title: 'How to begin', lastRunId: id } })
  const revised = await followUp(id, 'mode')
  assert.equal(revised.run.kind, 'PLAN')
  assert.equal((await untilRun(stage.ask, revised.run.id, ['SUCCEEDED'])).result?.text, 'plan')
})

test('a CLI that does not exist or that crashes fails the run with the reason', async () => {
  const nobody = await untilRun(stage.ask, (await ai('talk', 'say hello', { cli: 'claude' })).id, ['FAILED'])
  assert.equal(nobody.problem?.code, 'UNKNOWN_CLI')
  assert.match(nobody.problem?.message ?? '', /claude.*coder/)
  const crashed = await untilRun(stage.ask, (await ai('talk', 'say hello\ncrash')).id, ['FAILED'])
  assert.equal(crashed.problem?.code, 'CLI_FAILED')
  assert.match(crashed.problem?.message ?? '', /exit code 9/)
})

test('the token of a run is valid only for its own tools, and only until the run ends', async () => {
  const mcpPresetIds = [await makePreset(stage, ['get_run'])]
  const { id } = await ai('token', 'tools\npermission', { mcpPresetIds })
  const events = eventsOf(id)
  await events.first('the CLI to have been given tools', ({ type }) => type === 'MESSAGE')
  const given = await readFile(join(machine.path('token'), 'mcp-servers.json'), 'utf8')
  const [server] = JSON.parse(given) as { url: string; headers: { value: string }[] }[]
  // The main address, though the agent came to its own listener.
  assert.deepEqual(new URL(server?.url ?? '').port, new URL(stage.url).port)
  assert.ok(server?.url.endsWith(`/api/mcp?run=${id}`), server?.url)
  const authorization = server?.headers[0]?.value ?? ''
  assert.match(authorization, /^Bearer agent_/)
  const ask = asWhom(stage.url, { authorization })
  for (const query of [
    '{ agents { id } }',
    '{ viewer { id } }',
    `mutation { cancelRun(input: { runId: "${id}" }) { run { id } } }`,
  ])
    assert.equal((await refusal(ask(query))).code, 'FORBIDDEN', query)
  const waiting = await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  await answer(id, waiting.questionId, { optionId: 'yes' })
  await untilRun(stage.ask, id, ['SUCCEEDED'])
  await until(
    'the token to be invalid',
    async () => ((await refusal(ask('{ agents { id } }'))).code === 'UNAUTHENTICATED' ? true : undefined),
    1_000,
  )
  await events.stop()
})

test('canceling a run that waits for an answer ends it', async () => {
  const { id } = await ai('ask', 'permission')
  await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  await mutate(stage.ask, 'cancelRun', { runId: id, reason: 'changed my mind' }, 'run { status }')
  const run = await untilRun(stage.ask, id, ['CANCELED'])
  assert.deepEqual(run.problem, { code: 'CANCELED_BY_REQUEST', message: 'changed my mind' })
})

test('a CLI gets no MCP server if its run has no tools', async () => {
  const { id } = await ai('token', 'tools')
  assert.equal((await untilRun(stage.ask, id, ['SUCCEEDED'])).result?.text, '[]')
})
