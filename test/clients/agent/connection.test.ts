import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { completion, isRunning, openAgentHost, pause, token, until } from '../../kit/program/agent/agentHost.ts'
import { failure } from '../../kit/program/agent/failure.ts'

const counting = 'echo x >> starts.txt; for i in $(seq 1 200); do echo "line $i"; sleep 0.008; done'
const counted = `${Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n')}\n`

test('heartbeats keep their time while the machine works', async (t) => {
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
  test('when the connection breaks in the middle of a command, it runs once, and every chunk is stored exactly once', async (t) => {
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

  test('a command ends while the control plane is away, and is reported when it is back', async (t) => {
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

  test('a control plane that is stopping or full is tried again', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    for (const code of [1001, 1013, 4408]) {
      const { epoch } = world.plane
      world.plane.closeConnections(code, 'later')
      await until(() => world.plane.epoch > epoch && world.plane.connected, `back after ${code}`)
    }
    assert.equal((await completion(world.run({ speak: 'echo hello' }))).outcome, 'SUCCEEDED')
  })

  test('an agent that is told of a newer connection comes back, as long as it holds its state folder', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const { epoch } = world.plane
    world.plane.epoch += 1
    await until(() => world.plane.epoch > epoch + 1 && world.plane.connected, 'the agent is back', agent.stdout)
    assert.match(agent.stdout(), /newer connection/)
    assert.equal((await completion(world.run({ speak: 'echo hello' }))).outcome, 'SUCCEEDED')
  })

  test('an agent whose credential is revoked ends its jobs, says so, and stops with 3', async (t) => {
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

  test('an agent whose credential the control plane does not have keeps its jobs, and goes on when the credential works again', async (t) => {
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

  test('an agent whose credential stays unknown gives up: it ends its jobs and stops with 3', async (t) => {
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

  test('output that the control plane can’t take now is sent again', async (t) => {
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

  test('when the control plane says of output that the job is not ours, the job is killed', async (t) => {
    const world = await openAgentHost(t)
    await world.connect()
    const job = world.run({ wait: 'echo $$; sleep 0.5; echo more; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    const pid = Number(job.text('STDOUT'))
    job.state = 'LOST'
    await until(() => !isRunning(pid), 'the command is ended')
    assert.equal(job.completions, 0)
  })

  test('a control plane that has moved is found at its new address, and from then on without being told', async (t) => {
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
