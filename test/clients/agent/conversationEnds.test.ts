import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { completion, isRunning, openAgentHost, pause, until } from '../../kit/program/agent/agentHost.ts'
import { ask, clis } from '../../kit/program/agent/cli.ts'

// They wait more than they work.
describe('the end of a conversation', { concurrency: 3 }, () => {
  test('a run that exceeds its timeout is ended, but the time in which it waits for a person does not count', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    // The time until the question counts, and on a busy machine the CLI begins late.
    let timeoutSeconds = 2
    let job = ask(world, 'permission\nhang', { timeoutSeconds })
    const asksOrEnds = () => job.state === 'WAITING' || job.state === 'DONE'
    for (; ; job = ask(world, 'permission\nhang', { timeoutSeconds })) {
      await until(asksOrEnds, 'the question')
      if (job.state === 'WAITING') break
      timeoutSeconds *= 3
      assert.ok(timeoutSeconds < 60, 'the question came too late each time')
    }
    await pause(timeoutSeconds * 1000 + 200)
    world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: 'yes', text: null } })
    assert.equal((await completion(job)).outcome, 'TIMED_OUT')
    assert.deepEqual(job.text('STDOUT'), '[yes]')
  })

  test('a cancel first asks the CLI to stop, and then the processes that the CLI left behind are ended', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'orphan\nsay working\nhang')
    await until(() => existsSync(join(world.repo, 'hang.txt')), 'the CLI works')
    world.plane.signal(job, 'CANCEL')
    const result = await completion(job)
    assert.equal(result.outcome, 'CANCELED')
    assert.equal(result.processesLeft, 0)
    assert.deepEqual(result.result, {
      conversation: 'session_1',
      opening: 'NEW',
      stopReason: 'cancelled',
      text: 'working',
    })
  })

  test('a CLI that ignores a cancel is killed after the grace period', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'stuck')
    await until(() => existsSync(join(world.repo, 'hang.txt')), 'the CLI works')
    world.plane.signal(job, 'CANCEL', { graceSeconds: 1 })
    assert.equal((await completion(job)).outcome, 'CANCELED')
    assert.ok(!isRunning(Number(readFileSync(join(world.repo, 'hang.txt'), 'utf8'))))
  })

  test('a run whose CLI crashes fails with the exit code, and the last output of the CLI is kept', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'crash')
    const result = await completion(job)
    assert.equal(result.errorCode, 'CLI_FAILED')
    assert.match(result.errorMessage ?? '', /exit code 9/)
    assert.equal(job.text('STDERR'), 'out of luck\n')
  })

  test('a conversation ends when its agent is killed or stopped, and its run fails with AGENT_RESTARTED', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect(...clis)
    const killed = ask(world, 'hang')
    await until(() => existsSync(join(world.repo, 'hang.txt')), 'the CLI works')
    await agent.kill('SIGKILL')
    const next = await world.connect()
    const result = await completion(killed)
    assert.equal(result.errorCode, 'AGENT_RESTARTED')
    assert.ok(!isRunning(Number(readFileSync(join(world.repo, 'hang.txt'), 'utf8'))))

    const stopped = ask(world, 'say begun\nhang')
    await until(() => stopped.text('STDOUT') !== '', 'the CLI works')
    await next.kill('SIGTERM')
    assert.equal(stopped.completion?.errorCode, 'AGENT_RESTARTED')
  })
})
