import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { completion, isRunning, openAgentHost, pause, until } from '../../kit/program/agent/agentHost.ts'

// They wait more than they work.
describe('enrollment', { concurrency: 3 }, () => {
  test('an agent enrolls once; later starts need only the state folder', async (t) => {
    const world = await openAgentHost(t)
    const first = await world.connect()
    await first.kill('SIGTERM')
    const second = world.program('--state', world.state)
    await until(() => world.plane.epoch === 2, 'the second start connects', second.stderr)
    assert.equal(world.plane.enrollments.get('enroll_test0000000000000000')?.length, 1)
  })

  test('only the agent’s user can read its credential, and no log line shows it', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect()
    const file = join(world.state, 'credential')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(world.state).mode & 0o777, 0o700)
    const credential = readFileSync(file, 'utf8').trim()
    assert.match(credential, /^agent_/)
    assert.ok(!`${agent.stdout()}${agent.stderr()}`.includes(credential))
    assert.doesNotMatch(agent.stdout(), /enroll_test/)
  })

  test('an agent that died after its enrollment, before it stored its credential, enrolls again with the same key', async (t) => {
    const world = await openAgentHost(t)
    const first = await world.connect()
    await first.kill('SIGKILL')
    for (const file of ['credential', 'identity.json']) rmSync(join(world.state, file))
    await world.connect()
    const keys = world.plane.enrollments.get('enroll_test0000000000000000') ?? []
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
  })

  test('a credential that others can read is not used', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    chmodSync(join(world.state, 'credential'), 0o644)
    const agent = world.start()
    assert.equal(await agent.exited, 2)
    assert.match(agent.stderr(), /Other users of this machine can read the credential .* Run: chmod 600/)
  })

  test('two agents can’t share a state folder, and a killed one does not block it', async (t) => {
    const world = await openAgentHost(t)
    const first = await world.connect()
    const second = world.start()
    assert.equal(await second.exited, 4)
    assert.match(second.stderr(), new RegExp(`Another agent \\(process ${first.pid}\\)`))
    await first.kill('SIGKILL')
    await world.connect()
  })

  test('if several agents start at once on the state folder of a killed agent, exactly one runs', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGKILL')
    const agents = [1, 2, 3].map(() => world.start())
    const ended: number[] = []
    for (const agent of agents) void agent.exited.then((code) => ended.push(code ?? -1))
    await until(() => ended.length === 2, 'two give up')
    assert.deepEqual(ended, [4, 4])
    assert.equal(world.plane.epoch, 2)
  })

  test('an agent whose enrollment token is refused exits with code 3 and a message that states what to do', async (t) => {
    const world = await openAgentHost(t)
    world.plane.tokens.clear()
    const agent = world.start()
    assert.equal(await agent.exited, 3)
    assert.match(agent.stderr(), /refused the enrollment token .* make a new one/)
  })

  test('a root folder that does not exist is logged as a warning that names the option --root', async (t) => {
    const world = await openAgentHost(t)
    const agent = await world.connect('--root', join(world.root, 'nowhere'))
    assert.match(agent.stdout(), /"level":"warn".*does not exist; .*--root DIR.*nowhere/)
  })

  test('wrong use is reported in one line with exit code 2, and --help shows the options', async (t) => {
    const world = await openAgentHost(t)
    const cases: [string[], RegExp][] = [
      [
        ['--state', join(world.root, 'new')],
        /not enrolled yet; start once with --server URL and SIGNALBOX_TOKEN=enroll_…/,
      ],
      [['--server', 'ftp://x'], /--server .* must be a web address, for example/],
      [['--token', 'secret'], /--token .* must be a one-time token that begins with enroll_/],
      [['--cli', 'claude'], /--cli must read NAME=acp:COMMAND, NAME=plain:COMMAND or detect/],
      [['--bogus'], /Unknown option '--bogus'; --help shows/],
    ]
    for (const [args, sentence] of cases) {
      const agent = world.program(...args)
      assert.equal(await agent.exited, 2)
      assert.match(agent.stderr(), sentence)
      assert.equal(agent.stderr().trim().split('\n').length, 1)
    }
    const helped = world.program('--help')
    assert.equal(await helped.exited, 0)
    assert.match(helped.stdout(), /--server URL/)
  })

  test('an old credential is rotated, and the new one replaces it after it has worked', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    const file = join(world.state, 'credential')
    utimesSync(file, new Date(0), new Date(0))
    await world.connect()
    await until(() => readFileSync(file, 'utf8').startsWith('agent_rotated1'), 'the new credential is in force')
    assert.ok(!existsSync(`${file}.next`))
  })

  test('if the rotated credential does not work, the old one is used again', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    const file = join(world.state, 'credential')
    const old = readFileSync(file, 'utf8')
    world.plane.refuseRotated = true
    utimesSync(file, new Date(0), new Date(0))
    const agent = await world.connect()
    await until(() => world.plane.rotations >= 1 && world.plane.epoch >= 3, 'the agent is back', agent.stdout)
    await until(() => !existsSync(`${file}.next`), 'the changed credential is deleted')
    await agent.kill('SIGKILL')
    assert.equal(readFileSync(file, 'utf8'), old)
  })

  test('a credential that becomes old during a connection is rotated too', async (t) => {
    const world = await openAgentHost(t)
    await world.connect('--rotate-days', String(1.5 / 86_400))
    const file = join(world.state, 'credential')
    await until(() => readFileSync(file, 'utf8').startsWith('agent_rotated1'), 'the new credential is in force')
    assert.equal(world.plane.rotations, 1)
  })

  test('a machine whose agent was revoked enrolls again with a new token, and the same process continues as a new agent', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    world.plane.tokens.add(newToken)
    const agent = await world.connect('--token', newToken)
    assert.match(agent.stdout(), /"level":"warn".*token in SIGNALBOX_TOKEN is ignored, because .*revoke this one first/)
    const job = world.run({ wait: 'echo $$; sleep 600' })
    await until(() => job.text('STDOUT') !== '', 'the command has begun')
    world.plane.onEnroll = () => assert.ok(!isRunning(Number(job.text('STDOUT'))), 'the job has ended before')
    world.plane.revokeAgent()
    await until(() => world.plane.connected, 'the new agent connects', agent.stdout)
    assert.equal(world.plane.agentId, 'agt_2')
    assert.equal(storedAgentId(world.state), 'agt_2')
    assert.deepEqual(world.plane.connects.at(-1)?.jobs, [])
    await until(() => world.plane.codebases.has(world.repo), 'it reports its repositories')
    assert.equal((await completion(world.run({ speak: 'echo hello' }))).outcome, 'SUCCEEDED')
    world.plane.revokeAgent()
    assert.equal(await agent.exited, 3)
    assert.equal(world.plane.enrollments.get(newToken)?.length, 1, 'the token is not tried again')
  })

  test('an agent that is stopped while it enrolls again stops at once', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    world.plane.tokens.add(newToken)
    world.plane.revokeAgent()
    const agent = world.start('--token', newToken)
    await new Promise<void>((asked) => {
      world.plane.onEnroll = () => {
        asked()
        return pause(10_000)
      }
    })
    const stoppedAt = Date.now()
    assert.equal(await agent.kill('SIGTERM'), 0)
    assert.ok(Date.now() - stoppedAt < 5_000)
  })

  test('a machine whose credential is unknown to the control plane enrolls again at its next start with a new token', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    world.plane.credentials.clear()
    world.plane.tokens.add(newToken)
    await world.connect('--token', newToken)
    assert.equal(storedAgentId(world.state), 'agt_2')
  })

  test('a new token that is refused does not replace the former identity, which can connect again', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    const credential = [...world.plane.credentials]
    world.plane.credentials.clear()
    const agent = world.start('--token', newToken)
    assert.equal(await agent.exited, 3)
    assert.match(agent.stderr(), /refused the enrollment token/)
    assert.equal(storedAgentId(world.state), 'agt_1')
    for (const one of credential) world.plane.credentials.add(one)
    await world.connect('--token', newToken)
  })

  test('an agent that died during its second enrollment repeats it with the same key, also if the token was accepted', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    world.plane.tokens.add(newToken)
    world.plane.revokeAgent()
    const agent = world.start('--token', newToken)
    world.plane.onEnroll = () => agent.kill('SIGKILL').then(() => {})
    await agent.exited
    world.plane.onEnroll = () => {}
    assert.equal(storedAgentId(world.state), 'agt_1')
    await world.connect('--token', newToken)
    const keys = world.plane.enrollments.get(newToken) ?? []
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
    assert.equal(storedAgentId(world.state), 'agt_2')
  })

  test('an agent that died while it replaced its identity completes the replacement at the next start, without the token', async (t) => {
    const world = await openAgentHost(t)
    await (await world.connect()).kill('SIGTERM')
    const [credential] = world.plane.credentials
    const identity = JSON.parse(readFileSync(join(world.state, 'identity.json'), 'utf8'))
    // As far as the first file: its next start must not use the former credential with the new identity, or the reverse.
    writeFileSync(
      join(world.state, 'identity.next.json'),
      JSON.stringify({ credential, identity: { ...identity, agentId: 'agt_new' } }),
    )
    for (const name of ['credential', 'credential.next'])
      writeFileSync(join(world.state, name), 'agent_former00000000000000\n', { mode: 0o600 })
    const { epoch } = world.plane
    const agent = world.program('--state', world.state)
    await until(() => world.plane.epoch > epoch && world.plane.connected, 'it connects', agent.stderr)
    assert.equal(storedAgentId(world.state), 'agt_new')
    assert.equal(readFileSync(join(world.state, 'credential'), 'utf8').trim(), credential)
    assert.deepEqual(
      readdirSync(world.state).filter((name) => name.includes('next')),
      [],
    )
  })
})

const newToken = 'enroll_another000000000000'

function storedAgentId(state: string): string {
  return JSON.parse(readFileSync(join(state, 'identity.json'), 'utf8')).agentId
}
