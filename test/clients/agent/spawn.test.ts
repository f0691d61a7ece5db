import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runAgent } from '../../../clients/agent/agent.ts'
import { startLocalAgent } from '../../../clients/agent/local.ts'
import { createLogger } from '../../../clients/agent/log.ts'
import { spawnAgent } from '../../../clients/agent/system/spawn.ts'
import { completion, isRunning, openAgentHost, startProgram, token, until } from '../../kit/program/agent/agentHost.ts'

test('the local agent starts, executes a job and stops, and does not get the environment of the control plane', async (t) => {
  const world = await openAgentHost(t)
  process.env.APP_SECRET = 'the secret of the control plane'
  t.after(() => delete process.env.APP_SECRET)
  const agent = spawnAgent({
    server: world.plane.url,
    stateDir: world.state,
    roots: [world.root],
    token,
    env: { EXTRA: 'yes' },
  })
  t.after(() => agent.stop())
  await until(() => world.plane.connected, 'the agent connects')
  const job = world.run({ look: 'echo "$EXTRA"; env | grep -c "APP_SECRET" || true' })
  await completion(job)
  assert.equal(job.text('STDOUT'), 'yes\n0\n')
  await agent.stop()
  assert.equal(await agent.exited, 0)
})

test('a local agent that is unknown to the database enrolls again at once, in the same folder', async (t) => {
  const world = await openAgentHost(t)
  const dataDir = join(world.root, 'data')
  const tokens = ['enroll_local1000000000000', 'enroll_local2000000000000']
  for (const one of tokens) world.plane.tokens.add(one)
  const codes: (number | null)[] = []
  const start = () =>
    startLocalAgent({
      server: world.plane.url,
      dataDir,
      roots: [world.root],
      clis: [],
      enroll: async () => tokens.shift() ?? '',
      ended: (code) => codes.push(code),
    })
  const first = await start()
  await until(() => world.plane.connected, 'the agent connects')
  await first.stop()
  world.plane.credentials.clear()
  const second = await start()
  t.after(() => second.stop())
  await until(() => world.plane.connected && world.plane.agentId === 'agt_2', 'a new agent connects')
  assert.deepEqual([codes, tokens], [[3], []])
})

test('the local agent ends when the process that started it is killed', async (t) => {
  const world = await openAgentHost(t)
  const spawner = join(world.root, 'spawner.ts')
  const module = fileURLToPath(new URL('../../../clients/agent/system/spawn.ts', import.meta.url))
  const options = { server: world.plane.url, stateDir: world.state, roots: [world.root], token }
  writeFileSync(
    spawner,
    `import { spawnAgent } from ${JSON.stringify(module)}\nconsole.log('pid', spawnAgent(${JSON.stringify(options)}).pid)\nsetInterval(() => {}, 1000)\n`,
  )
  const parent = startProgram([spawner])
  await until(() => world.plane.connected, 'the agent connects', parent.stderr)
  const pid = Number(/pid (\d+)/.exec(parent.stdout())?.[1])
  assert.ok(isRunning(pid))
  await parent.kill('SIGKILL')
  await until(() => !isRunning(pid), 'the agent ends')
})

test('an agent can be run inside another program', async (t) => {
  const world = await openAgentHost(t)
  const log = createLogger(process.stderr)
  const options = { stateDir: world.state, server: world.plane.url, token, roots: [world.root] }
  const agent = await runAgent({
    ...options,
    log: { ...log, info() {}, warn() {} },
    stopJobs: false,
    untilStdinCloses: false,
    rotateAfterDays: 30,
  })
  assert.equal(agent.agentId, 'agt_1')
  await until(() => world.plane.connected, 'it connects')
  const job = world.run({ speak: 'echo hello' })
  await completion(job)
  await agent.stop()
  await agent.done
})
