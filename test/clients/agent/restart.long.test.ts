import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type AgentHost, completion, isRunning, openAgentHost, until } from '../../kit/program/agent/agentHost.ts'
import type { FakeJob } from '../../kit/program/agent/fakeJob.ts'

/** Counts to 200 in about two seconds. */
const counting = 'echo x >> starts.txt; for i in $(seq 1 200); do echo "line $i"; sleep 0.008; done'
const counted = `${Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n')}\n`

// They wait more than they work.
describe('restarts', { concurrency: 3 }, () => {
  test('an agent that is killed during a command continues it at its next start, and no output is lost or repeated', async (t) => {
    const world = await openAgentHost(t)
    const first = await world.connect()
    const job = world.run({ count: counting })
    await until(() => job.text('STDOUT').includes('line 30\n'), 'some output')
    await first.kill('SIGKILL')
    await world.connect()
    const result = await completion(job)
    assert.equal(result.outcome, 'SUCCEEDED')
    assert.equal(job.text('STDOUT'), counted)
    assert.equal(readFileSync(join(world.repo, 'starts.txt'), 'utf8'), 'x\n')
  })

  test('an agent that is killed several times starts no attempt twice', async (t) => {
    const world = await openAgentHost(t)
    let agent = await world.connect()
    const jobs = [1, 2, 3].map((n) => world.run({ count: `echo x >> starts${n}.txt; sleep 1; echo end` }))
    for (const delay of [5, 60, 150]) {
      await new Promise((resolve) => setTimeout(resolve, delay))
      await agent.kill('SIGKILL')
      agent = await world.connect()
      for (const job of jobs) if (job.accepts === 0) world.plane.signal(job, 'OFFER')
    }
    for (const [index, job] of jobs.entries()) {
      assert.equal((await completion(job, agent.stdout)).outcome, 'SUCCEEDED')
      assert.equal(job.text('STDOUT'), 'end\n')
      assert.equal(readFileSync(join(world.repo, `starts${index + 1}.txt`), 'utf8'), 'x\n')
    }
  })

  test('the result of a command that ended while no agent ran is reported by the next agent', async (t) => {
    const world = await openAgentHost(t)
    const first = await world.connect()
    const job = world.run({ short: 'echo begun; sleep 0.4; echo over; exit 4' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    await first.kill('SIGTERM')
    await until(() => existsSync(fileOf(world, job, 'result.json')), 'the command ends by itself')
    await world.connect()
    const result = await completion(job)
    assert.equal(result.exitCode, 4)
    assert.equal(job.text('STDOUT'), 'begun\nover\n')
  })

  test('SIGTERM ends the agent and leaves its commands running, and with --stop-jobs it ends the commands too', async (t) => {
    const world = await openAgentHost(t)
    const first = await world.connect()
    const job = world.run({ wait: 'echo $$; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    const pid = Number(job.text('STDOUT'))
    assert.equal(await first.kill('SIGTERM'), 0)
    assert.ok(isRunning(pid))
    const second = await world.connect('--stop-jobs')
    assert.equal(await second.kill('SIGTERM'), 0)
    assert.ok(!isRunning(pid))
    assert.equal(job.completion?.errorCode, 'AGENT_STOPPED')
  })

  test('a second signal ends the jobs as well', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const job = world.run({ stubborn: 'trap "" TERM; echo $$; while :; do sleep 0.1; done' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    const pid = Number(job.text('STDOUT'))
    agent.child.kill('SIGINT')
    agent.child.kill('SIGTERM')
    await agent.exited
    await until(() => !isRunning(pid), 'the command ends', undefined, 8_000)
  })

  test('if the supervisor of a job is killed, its command is ended and the job fails', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ wait: 'echo $$; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    process.kill(JSON.parse(readFileSync(fileOf(world, job, 'started.json'), 'utf8')).pid, 'SIGKILL')
    const result = await completion(job)
    assert.equal(result.errorCode, 'PROCESS_LOST')
    assert.equal(result.processesLeft, 0)
    assert.ok(!isRunning(Number(job.text('STDOUT'))))
  })

  test('after a reboot of the machine, the job fails with MACHINE_REBOOTED', async (t) => {
    const world = await openAgentHost(t)
    const first = await world.connect()
    const job = world.run({ wait: 'echo begun; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    await first.kill('SIGKILL')
    const file = fileOf(world, job, 'started.json')
    const started = JSON.parse(readFileSync(file, 'utf8'))
    process.kill(started.pid, 'SIGKILL')
    writeFileSync(file, JSON.stringify({ ...started, bootId: 'the boot before' }))
    await world.connect()
    assert.equal((await completion(job)).errorCode, 'MACHINE_REBOOTED')
  })
})

function fileOf(world: AgentHost, job: FakeJob, name: string): string {
  return join(world.state, 'jobs', `${job.id}.${job.attempt}`, name)
}
