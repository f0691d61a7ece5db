import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { completion, openAgentHost, until } from '../../kit/program/agent/agentHost.ts'
import { ask, clis } from '../../kit/program/agent/cli.ts'
import type { FakeJob } from '../../kit/program/agent/fakeJob.ts'

const typesOf = (job: FakeJob) => job.events.map((event) => event.type)

// They wait more than they work.
describe('a conversation with a coding CLI', { concurrency: 3 }, () => {
  test('a run shows what the CLI plans, thinks, does and says', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect(...clis)
    const job = ask(world, 'plan\nthink\ntool\nsay All is done.')
    const result = await completion(job, agent.stdout)
    assert.equal(result.outcome, 'SUCCEEDED', result.errorMessage ?? undefined)
    assert.equal(result.processesLeft, 0)
    assert.deepEqual(result.result, { conversation: 'session_1', stopReason: 'end_turn', text: 'All is done.' })
    assert.deepEqual(typesOf(job), ['PLAN', 'THOUGHT', 'TOOL_CALL', 'TOOL_CALL_UPDATE', 'MESSAGE', 'TURN_END'])
    assert.deepEqual(job.events[4]?.data, { text: 'All is done.' })
    assert.equal(job.text('STDOUT'), 'All is done.')
  })

  test('a permission request waits for a person, and goes on with the answer', async (t) => {
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

  test('an answer in words turns the request down and becomes the next prompt', async (t) => {
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

  test('the CLI gets the run’s own tools with the run’s own token, and nothing of the machine’s', async (t) => {
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

  test('a run that only plans puts the CLI into its planning mode and gives it no way to write', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const planning = ask(world, 'mode', { mode: 'PLAN' })
    await completion(planning)
    assert.equal(planning.text('STDOUT'), 'plan, may not write')
    const working = ask(world, 'mode')
    await completion(working)
    assert.equal(working.text('STDOUT'), 'code, may write')
  })

  test('a follow-up goes on with the conversation, without telling it all again', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'say And now?', { conversation: 'session_7' })
    const result = await completion(job)
    assert.deepEqual(result.result, { conversation: 'session_7', stopReason: 'end_turn', text: 'And now?' })
    assert.equal(job.text(), 'And now?')
  })

  test('where a conversation can’t be taken up, a new one is begun and the log says so', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const forgotten = ask(world, 'say Hello', { conversation: 'session_7', cli: 'forgetful' })
    await completion(forgotten)
    assert.match(forgotten.text('SYSTEM'), /can’t take up a former conversation; a new one is begun/)
    const lost = ask(world, 'say Hello', { conversation: 'lost' })
    const result = await completion(lost)
    assert.match(lost.text('SYSTEM'), /can’t be taken up .*; a new one is begun/)
    assert.deepEqual(result.result, { conversation: 'session_1', stopReason: 'end_turn', text: 'Hello' })
  })

  test('the CLI may read and write in its worktree, and nowhere else', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const own = join(world.repo, 'README.md')
    const job = ask(
      world,
      `read ${own}\nread ${world.state}/credential\nread ${world.repo}/.git/config\nwrite ${world.repo}/a/new.txt`,
    )
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
    assert.match(job.text('STDOUT'), /# A test\nrefused: .*outside of this run’s worktree.*refused: .*outside/s)
    assert.equal(readFileSync(join(world.repo, 'a', 'new.txt'), 'utf8'), 'written')
  })

  test('a run that asks for a CLI that is not there is refused with those that are', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'say hello', { cli: 'claude' })
    await until(() => job.refusal, 'the refusal')
    assert.equal(job.refusal?.code, 'UNKNOWN_CLI')
    assert.match(job.refusal?.message ?? '', /has no coding CLI called “claude”; it has: test, forgetful, toolless/)
  })
})
