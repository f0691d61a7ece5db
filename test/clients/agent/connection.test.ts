import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { completion, isRunning, openAgentHost, pause, token, until } from '../../kit/program/agent/agentHost.ts'
import { failure } from '../../kit/program/agent/failure.ts'

const counting = 'echo x >> starts.txt; for i in $(seq 1 200); do echo "line $i"; sleep 0.008; done'
const counted = `${Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n')}\n`

test('the agent sends heartbeats on time while a command writes much output', async (t) => {
  const world = await openAgentHost(t)
  await world.connect()
  const job = world.run({ noise: 'seq 1 3000000' })
  const from = Date.now()
  const seen = world.plane.heartbeats.length
  await pause(3_200)
  const beats = world.plane.heartbeats.length - seen
  assert.ok(beats >= 3, `${beats} in ${Date.now() - from} ms`)
  await completion(job)
})

// They wait more than they work.
describe('a connection', { concurrency: 3 }, () => {
  test('a command during which the connection breaks runs once, and every chunk is stored exactly once', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    let appends = 0
    world.plane.onAppend = () => {
      appends += 1
      // Sometimes before the chunks are stored, sometimes after, since the answer is lost with the connection.
      if (appends === 3) world.plane.breakConnections()
      if (appends === 9) setImmediate(() => world.plane.breakConnections())
    }
    const job = world.run({ count: counting })
    const result = await completion(job)
    assert.equal(result.outcome, 'SUCCEEDED')
    assert.equal(job.text('STDOUT'), counted)
    assert.ok(world.plane.epoch >= 3)
    assert.equal(readFileSync(join(world.repo, 'starts.txt'), 'utf8'), 'x\n')
  })

  test('a command that ends while the control plane is unavailable is reported after the reconnect', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ speak: 'echo begun; sleep 0.5; echo over' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    const { port } = world.plane
    await world.plane.close()
    await pause(900)
    await world.plane.listen(port)
    await completion(job)
    assert.equal(job.text('STDOUT'), 'begun\nover\n')
  })

  test('the agent reconnects after the close codes 1001, 1013 and 4408, and then executes jobs again', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    for (const code of [1001, 1013, 4408]) {
      const { epoch } = world.plane
      world.plane.closeConnections(code, 'later')
      await until(() => world.plane.epoch > epoch && world.plane.connected, `back after ${code}`)
    }
    assert.equal((await completion(world.run({ speak: 'echo hello' }))).outcome, 'SUCCEEDED')
  })

  test('an agent whose connection was replaced by a newer one reconnects, because it holds its state folder', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const { epoch } = world.plane
    world.plane.epoch += 1
    await until(() => world.plane.epoch > epoch + 1 && world.plane.connected, 'the agent is back', agent.stdout)
    assert.match(agent.stdout(), /newer connection/)
    assert.equal((await completion(world.run({ speak: 'echo hello' }))).outcome, 'SUCCEEDED')
  })

  test('an agent whose credential is revoked ends its jobs, reports the reason and exits with code 3', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const job = world.run({ wait: 'echo $$; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    world.plane.revokeAgent()
    assert.equal(await agent.exited, 3)
    assert.match(agent.stderr(), /refused this agent’s credential.*was revoked.*enroll again/)
    assert.ok(!isRunning(Number(job.text('STDOUT'))))
    assert.equal(world.plane.enrollments.get(token)?.length, 1, 'a token that was used is not tried again')
  })

  test('an agent whose credential is unknown to the control plane keeps its jobs, and reconnects when the credential works again', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const job = world.run({ wait: 'echo $$; while [ ! -f go ]; do sleep 0.05; done; echo over' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    const credentials = [...world.plane.credentials]
    world.plane.credentials.clear()
    world.plane.closeConnections(4401, 'Unauthorized')
    const refusals = () => agent.stdout().match(/"level":"error","message":"The control plane does not have/g) ?? []
    await until(() => refusals().length >= 2, 'the agent tries again', agent.stdout)
    assert.match(agent.stdout(), /started with another database .*"givesUpInMinutes":60/)
    assert.ok(isRunning(Number(job.text('STDOUT'))))
    for (const credential of credentials) world.plane.credentials.add(credential)
    await until(() => world.plane.connected, 'the agent is back', agent.stdout)
    writeFileSync(join(world.repo, 'go'), '')
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
  })

  test('an agent whose credential stays unknown until the time limit ends its jobs and exits with code 3', async (t) => {
    const world = await openAgentHost(t)
    world.env.SIGNALBOX_UNKNOWN_CREDENTIAL_MS = '1500'
    const agent = await world.connect()
    const job = world.run({ wait: 'echo $$; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    const refusedAt = Date.now()
    world.plane.credentials.clear()
    world.plane.closeConnections(4401, 'Unauthorized')
    assert.equal(await agent.exited, 3)
    assert.ok(Date.now() - refusedAt >= 1_500)
    assert.match(agent.stderr(), /which it does not have .*enroll again/)
    assert.ok(!isRunning(Number(job.text('STDOUT'))))
  })

  test('a connection whose credential was replaced during the rotation opens again with the next one', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const job = world.run({ wait: 'while [ ! -f go ]; do sleep 0.05; done' })
    await until(() => job.accepts === 1, 'the job runs')
    // A request of a job has used the next credential first, so the control plane refuses the former one at once.
    const next = 'agent_next0000000000000000'
    const file = join(world.state, 'credential')
    writeFileSync(`${file}.next`, `${next}\n`, { mode: 0o600 })
    world.plane.credentials.clear()
    world.plane.credentials.add(next)
    const { epoch } = world.plane
    world.plane.closeConnections(4401, 'Unauthorized')
    await until(() => world.plane.epoch > epoch && world.plane.connected, 'the agent is back', agent.stderr)
    assert.equal(readFileSync(file, 'utf8').trim(), next)
    writeFileSync(join(world.repo, 'go'), '')
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
  })

  test('output that the control plane rejects as UNAVAILABLE is sent again', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    let refusals = 3
    world.plane.onAppend = () => {
      if (refusals-- > 0) throw failure('UNAVAILABLE', 'Later.')
    }
    const job = world.run({ speak: 'echo hello' })
    await completion(job)
    assert.equal(job.text('STDOUT'), 'hello\n')
  })

  test('a job whose output is rejected because the job is lost is killed, and its end is not reported', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ wait: 'echo $$; sleep 0.5; echo more; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    const pid = Number(job.text('STDOUT'))
    job.state = 'LOST'
    await until(() => !isRunning(pid), 'the command is ended')
    assert.equal(job.completions, 0)
  })

  test('an agent that was started once with the new address of its control plane needs no address at the next start', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    await world.plane.close()
    await world.plane.listen(0)
    const second = await world.connect()
    await second.kill('SIGTERM')
    const third = world.program('--state', world.state)
    await until(() => world.plane.epoch === 3, 'the third start connects', third.stderr)
  })
})
