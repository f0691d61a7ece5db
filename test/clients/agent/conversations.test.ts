import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { completion, openAgentHost, until } from '../../kit/program/agent/agentHost.ts'
import { ask, clis } from '../../kit/program/agent/cli.ts'
import type { FakeJob } from '../../kit/program/agent/fakeJob.ts'

/** The pieces of a message count as one: a slow machine makes more of them. */
const typesOf = ({ events }: Pick<FakeJob, 'events'>) =>
  events.map(({ type }) => type).filter((type, index, all) => type !== 'MESSAGE' || all[index - 1] !== 'MESSAGE')
const piecesOf = (job: FakeJob) =>
  job.events.flatMap(({ type, data }) => (type === 'MESSAGE' ? [String((data as { text?: string }).text)] : []))

// They wait more than they work.
describe('a conversation with a coding CLI', { concurrency: 3 }, () => {
  test('a run records the plan, the thoughts, the tool calls and the messages of the CLI', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect(...clis)
    const job = ask(world, 'plan\nthink\ntool\nsay All is done.')
    const result = await completion(job, agent.stdout)
    assert.equal(result.outcome, 'SUCCEEDED', result.errorMessage ?? undefined)
    assert.equal(result.processesLeft, 0)
    assert.deepEqual(result.result, {
      conversation: 'session_1',
      opening: 'NEW',
      stopReason: 'end_turn',
      text: 'All is done.',
    })
    assert.deepEqual(typesOf(job), [
      'PLAN',
      'THOUGHT',
      'TOOL_CALL',
      'TOOL_CALL_UPDATE',
      'MESSAGE',
      'TURN_END',
      'CHANGES',
    ])
    assert.equal(piecesOf(job).join(''), 'All is done.')
    assert.equal(job.text('STDOUT'), 'All is done.')
  })

  test('events that do not fit into one request all arrive', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'many 500\nsay The end.')
    await completion(job)
    assert.equal(job.events.filter(({ type }) => type === 'TOOL_CALL').length, 500)
    assert.equal(piecesOf(job).join(''), 'The end.')
  })

  test('the first piece of a message is recorded at once, and the pieces after it are gathered', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const words = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ')
    const job = ask(world, `say ${words}`)
    await completion(job)
    const pieces = piecesOf(job)
    assert.equal(pieces.join(''), words)
    assert.equal(pieces[0], 'wor')
    assert.ok(pieces.length < words.length / 6, `${pieces.length} events`)
  })

  test('a run waits for an answer to each permission request, and an answer that arrives twice counts once', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'permission\npermission')
    await until(() => job.state === 'WAITING', 'the question')
    const [first] = job.questions
    assert.deepEqual(
      first?.question.options.map(({ optionId }) => optionId),
      ['yes', 'no'],
    )
    // The answer comes twice, as it may; the second time it must not answer the second question.
    for (let count = 0; count < 2; count += 1)
      world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: 'yes', text: null } })
    await until(() => job.questions.length === 2, 'the second question')
    assert.deepEqual(job.resumed, [first?.questionId])
    world.plane.signal(job, 'ANSWER', { answerId: 'a2', answer: { optionId: 'no', text: null } })
    await completion(job)
    assert.equal(job.text('STDOUT'), '[yes][no]')
    const asked = ['PERMISSION_REQUEST', 'PERMISSION_ANSWER']
    assert.deepEqual(
      typesOf(job).filter((type) => type.startsWith('PERMISSION')),
      [...asked, ...asked],
    )
  })

  test('a question arrives after the events that led to it', async (t) => {
    const world = await openAgentHost(t)
    world.plane.eventsMs = 300
    await world.connect(...clis)
    const job = ask(world, 'say I looked around.\nthink\npermission')
    await until(() => job.state === 'WAITING', 'the question')
    assert.deepEqual(typesOf({ events: job.events.slice(0, job.eventsAtQuestion[0]) }), [
      'MESSAGE',
      'THOUGHT',
      'TOOL_CALL',
      'PERMISSION_REQUEST',
    ])
    world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: 'yes', text: null } })
    await completion(job)
  })

  test('an answer in text rejects the permission request and becomes the next prompt', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'permission')
    await until(() => job.state === 'WAITING', 'the question')
    world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: null, text: 'say then be careful' } })
    await completion(job)
    assert.equal(job.text('STDOUT'), '[no]then be careful')
  })

  test('a question survives a broken connection', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'permission')
    await until(() => job.state === 'WAITING', 'the question')
    world.plane.breakConnections()
    await until(() => world.plane.connected, 'the agent is back')
    await until(() => world.plane.epoch === 2 && world.plane.heartbeats.length > 0, 'the agent is back')
    world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: 'yes', text: null } })
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
  })

  test('the CLI gets the tools and the token of its run, and no settings or credentials of the agent', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'tools\nsecrets')
    await completion(job)
    const servers = JSON.parse(readFileSync(join(world.repo, 'mcp-servers.json'), 'utf8'))
    assert.deepEqual(servers, [
      {
        type: 'http',
        name: 'signalbox',
        url: `${world.plane.url}/api/mcp?run=run_1`,
        headers: [{ name: 'Authorization', value: 'Bearer agent_run1000000000000000' }],
      },
    ])
    assert.equal(job.text('STDOUT'), '[signalbox]SIGNALBOX_JOB')
  })

  test('a run that only plans puts the CLI into its planning mode', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const planning = ask(world, 'mode', { mode: 'PLAN' })
    await completion(planning)
    assert.equal(planning.text('STDOUT'), 'plan')
    const working = ask(world, 'mode')
    await completion(working)
    assert.equal(working.text('STDOUT'), 'code')
  })

  test('a run that only plans is never permitted to change anything, and no person is asked', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'permission edit\nsay The plan.', { mode: 'PLAN' })
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
    assert.equal(job.text('STDOUT'), '[no]The plan.')
    assert.deepEqual(job.questions, [])
    assert.match(job.text('SYSTEM'), /Rejected, because this run only plans: Delete everything/)
  })

  test('the plan that a CLI presents is the answer of its run: the plan is not carried out, and the turn ends', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'say I looked around.\npresent 1. Do it.', { mode: 'PLAN' })
    const { outcome, result, processesLeft } = await completion(job)
    assert.deepEqual([outcome, processesLeft], ['SUCCEEDED', 0])
    assert.equal((result as { text?: string }).text, '1. Do it.')
    assert.equal(existsSync(join(world.repo, 'done.txt')), false)
    assert.deepEqual(job.questions, [])
  })

  test('in a session, a person decides whether a presented plan is carried out', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'present 1. Do it.')
    await until(() => job.state === 'WAITING', 'the question')
    world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: 'go', text: null } })
    await until(() => existsSync(join(world.repo, 'done.txt')), 'the work')
    world.plane.signal(job, 'CANCEL', { graceSeconds: 1 })
    await completion(job)
  })

  const former = {
    turns: [
      { prompt: 'Count the files.', answer: 'There are 12.' },
      { prompt: 'And the folders?', answer: null },
    ],
    omitted: 3,
  }
  const follow = (conversation: string | null, required = false) => ({ continues: { conversation, required } })

  test('a follow-up resumes the conversation, or loads it if the CLI cannot resume, and records no former turn again', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    for (const [cli, opening] of [
      ['resuming', 'RESUMED'],
      ['test', 'LOADED'],
    ] as const) {
      const job = ask(world, 'say And now?', { ...follow('session_7'), cli })
      job.former = former
      const result = await completion(job)
      assert.deepEqual(result.result, { conversation: 'session_7', opening, stopReason: 'end_turn', text: 'And now?' })
      assert.equal(job.text(), 'And now?')
      assert.deepEqual(typesOf(job), ['CONVERSATION', 'MESSAGE', 'TURN_END', 'CHANGES'])
      assert.deepEqual(job.events[0]?.data, { conversation: opening })
    }
  })

  test('if the CLI cannot continue the conversation, the former turns are part of the prompt, and the log has the reason', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    for (const [conversation, cli, reason] of [
      ['session_7', 'forgetful', /session\/load: .*Method not found/],
      ['lost', 'test', /session\/load: Internal error: No such session\./],
    ] as const) {
      const job = ask(world, 'say Hello', { ...follow(conversation), cli })
      job.former = former
      const { result } = await completion(job)
      assert.match(job.text('SYSTEM'), /session\/resume: .*Method not found/)
      assert.match(job.text('SYSTEM'), reason)
      const said = { conversation: 'session_1', opening: 'REPLAYED', stopReason: 'end_turn', text: 'Hello' }
      assert.deepEqual(result, said)
    }
    const job = ask(world, 'echo', follow(null))
    job.former = former
    const text = String(((await completion(job)).result as { text?: string }).text)
    const order = ['3 earlier turns', 'Count the files.', 'There are 12.', 'And the folders?', '(none', 'echo']
    assert.deepEqual(
      order.toSorted((a, b) => text.indexOf(a) - text.indexOf(b)),
      order,
      text,
    )
  })

  test('a follow-up that requires the conversation fails if the CLI does not have it, and sends no prompt', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'say Hello', { ...follow('session_7', true), cli: 'forgetful' })
    job.former = former
    const { outcome, errorCode, errorMessage, result } = await completion(job)
    assert.deepEqual([outcome, errorCode], ['FAILED', 'CONVERSATION_LOST'])
    assert.match(errorMessage ?? '', /no longer has the conversation/)
    assert.deepEqual(result, { conversation: null, opening: null, stopReason: null, text: '' })
  })

  test('an error of the CLI is shown with its details', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const { errorCode, errorMessage } = await completion(ask(world, 'fail The model gpt-9 does not exist.'))
    assert.equal(errorCode, 'CLI_FAILED')
    assert.equal(errorMessage, 'The CLI test failed: Internal error: The model gpt-9 does not exist.')
  })

  test('a tool call that begins with an update, or with a question, is recorded with its title', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'update\npermission edit')
    await until(() => job.state === 'WAITING', 'the question')
    world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: 'yes', text: null } })
    await completion(job)
    const calls = job.events.filter(({ type }) => type === 'TOOL_CALL').map(({ data }) => data as { title?: string })
    assert.deepEqual(
      calls.map(({ title }) => title),
      ['Read it', 'Delete everything'],
    )
    assert.equal(typesOf(job).indexOf('TOOL_CALL_UPDATE'), -1)
  })

  test('a run that requests a CLI that the agent does not have is refused, and the message lists the available CLIs', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'say hello', { cli: 'claude' })
    await until(() => job.refusal, 'the refusal')
    assert.equal(job.refusal?.code, 'UNKNOWN_CLI')
    assert.match(
      job.refusal?.message ?? '',
      /has no coding CLI called “claude”; it has: test, resuming, forgetful, toolless/,
    )
  })
})
