import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  type AgentHost,
  completion,
  isRunning,
  openAgentHost,
  pause,
  until,
} from '../../kit/program/agent/agentHost.ts'
import { failure } from '../../kit/program/agent/failure.ts'

/** Stubborn processes: one in the command's group, one in a session of its own; both ignore SIGTERM. */
const stubbornTree = [
  'trap "" TERM',
  `setsid sh -c 'trap "" TERM; echo $$ > far.pid; while :; do sleep 0.2; done' &`,
  'echo $$ > near.pid',
  'while :; do sleep 0.2; done',
].join('\n')

// They wait more than they work.
describe('cancels', { concurrency: 3 }, () => {
  test('a cancel ends all processes of a command that ignore SIGTERM, also one in a session of its own', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ stubborn: stubbornTree })
    const pids = await pidsOf(world, 'near.pid', 'far.pid')
    world.plane.signal(job, 'CANCEL', { graceSeconds: 1 })
    const result = await completion(job)
    assert.equal(result.outcome, 'CANCELED')
    assert.equal(result.processesLeft, 0)
    for (const pid of pids) assert.ok(!isRunning(pid), `process ${pid} still runs`)
  })

  test('a command that exits on SIGTERM is not killed, and its exit code is reported', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ polite: 'trap "echo cleaned up; exit 3" TERM; echo ready; while :; do sleep 0.05; done' })
    await until(() => job.text('STDOUT').includes('ready'), 'the command is ready')
    world.plane.signal(job, 'CANCEL')
    const result = await completion(job)
    assert.equal(result.outcome, 'CANCELED')
    assert.equal(result.exitCode, 3)
    assert.match(job.text('STDOUT'), /cleaned up/)
  })

  test('a process that a finished command left in the background is ended', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ start: 'setsid sh -c "echo \\$\\$ > far.pid; exec sleep 600" & sleep 0.3; echo done' })
    const result = await completion(job)
    assert.equal(result.outcome, 'SUCCEEDED')
    assert.equal(result.processesLeft, 0)
    const [pid = 0] = await pidsOf(world, 'far.pid')
    assert.ok(!isRunning(pid))
  })

  test('a job that the control plane has given up is killed, and its end is not reported', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const byHeartbeat = world.run({ wait: 'echo $$ > a.pid; sleep 600' })
    const bySignal = world.run({ wait: 'echo $$ > b.pid; sleep 600' })
    const pids = await pidsOf(world, 'a.pid', 'b.pid')
    for (const job of [byHeartbeat, bySignal]) job.state = 'LOST'
    world.plane.stops.push({ jobId: byHeartbeat.id, attempt: 1 })
    world.plane.signal(bySignal, 'STOP')
    for (const pid of pids) await until(() => !isRunning(pid), `process ${pid} ends`)
    await pause(300)
    assert.equal(byHeartbeat.completions + bySignal.completions, 0)
  })

  test('a cancel of a job that this agent never had is confirmed', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.plane.add('COMMANDS', {})
    world.plane.signal(job, 'CANCEL')
    const result = await completion(job)
    assert.equal(result.outcome, 'CANCELED')
    assert.equal(result.processesLeft, 0)
  })

  test('a job that is canceled before the agent has the answer to its acceptance is reported as canceled', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const { plane } = world
    const job = plane.add('AI', {})
    let asked = 0
    job.accept = () => {
      asked += 1
      if (asked > 1) throw failure('FAILED_PRECONDITION', 'The job is being canceled.')
      plane.signal(job, 'CANCEL')
      throw failure('UNAVAILABLE', 'No answer.')
    }
    plane.signal(job, 'OFFER')
    const { outcome, errorCode, result } = await completion(job)
    assert.deepEqual([outcome, errorCode, result], ['CANCELED', undefined, undefined])
  })

  test('a canceled run ends in time in a repository in which git is slow', async (t) => {
    const world = await openAgentHost(t)
    const bin = join(world.root, '..', 'bin')
    mkdirSync(bin)
    const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    const slowGit = `#!/bin/sh\n[ -e "$PWD/slow" ] && exec sleep 600\nexec ${realGit} "$@"\n`
    writeFileSync(join(bin, 'git'), slowGit, { mode: 0o755 })
    world.env.PATH = `${bin}:${process.env.PATH}`
    await world.connect()
    const job = world.run({ wait: 'touch slow; echo begun; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    const asked = Date.now()
    world.plane.signal(job, 'CANCEL')
    const { outcome } = await completion(job)
    assert.equal(outcome, 'CANCELED')
    assert.ok(Date.now() - asked < 25_000, `it took ${Date.now() - asked} ms`)
    const problem = job.events.find(({ type }) => type === 'CHANGES')?.data
    assert.match(JSON.stringify(problem), /Git took longer than 8 s/)
  })

  test('processes that could not be ended are reported, although the control plane has given the job up', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const job = world.run({ wait: 'echo begun; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    await agent.kill('SIGKILL')
    // A process that can't be killed, for example because it waits for a disk, cannot be made here.
    const result = { outcome: 'CANCELED', processesLeft: 2 }
    writeFileSync(join(world.state, 'jobs', `${job.id}.1`, 'result.json'), JSON.stringify(result))
    job.state = 'LOST'
    await world.connect()
    assert.equal((await completion(job)).processesLeft, 2)
  })

  test('heartbeats name a job while it runs, and no longer after it has finished', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ wait: 'sleep 1.5' })
    await until(() => world.plane.heartbeats.at(-1)?.jobs.some(({ jobId }) => jobId === job.id), 'the lease is renewed')
    await completion(job)
    await until(() => world.plane.heartbeats.at(-1)?.jobs.length === 0, 'the lease is given back')
  })
})

async function pidsOf(world: AgentHost, ...files: string[]): Promise<number[]> {
  const paths = files.map((file) => join(world.repo, file))
  await until(() => paths.every((path) => existsSync(path) && readFileSync(path, 'utf8') !== ''), files.join())
  return paths.map((path) => Number(readFileSync(path, 'utf8')))
}
