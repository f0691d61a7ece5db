/** An agent with `--cli detect` on a machine with the stock CLIs: it finds them, and those with a key in the environment answer at once. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { CliRegister } from '../../clients/agent/clis/cliRegister.ts'
import { spawnAgent } from '../../clients/agent/system/spawn.ts'
import { openAgentHost, token, until } from '../kit/program/agent/agentHost.ts'
import { ask } from '../kit/program/agent/cli.ts'
import { packages } from './clis.ts'
import { startModelServer } from './model/modelServer.ts'
import { isTurn } from './model/turns.ts'

/** The CLIs take seconds to start. */
const withinMs = 60_000

const programs = [join(packages, 'node_modules/.bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)

test('the stock CLIs are found with their versions, and none is signed in on an empty home folder', async (t) => {
  const world = await openAgentHost(t)
  const env = { PATH: programs, HOME: world.root }
  const clis = new CliRegister({ named: [], detect: true, surroundings: { env, home: world.root, platform: 'linux' } })
  await clis.check()
  const found = clis.list().filter(({ name }) => ['claude', 'gemini', 'qwen'].includes(name))
  assert.deepEqual(
    found.map(({ name, healthy, version, signIn }) => [name, healthy, version, signIn]),
    [
      ['claude', true, undefined, 'SIGNED_OUT'],
      ['gemini', true, '0.61.0', 'SIGNED_OUT'],
      ['qwen', true, '0.15.10', 'SIGNED_OUT'],
    ],
  )
})

test('each stock CLI that is signed in by the environment alone answers a prompt', async (t) => {
  const server = await startModelServer((request) =>
    // Gemini CLI asks a model which model to use.
    isTurn(request) ? { text: ['Good day.'] } : { text: ['{"reasoning": "It is simple.", "model_choice": "flash"}'] },
  )
  t.after(() => server.close())
  const world = await openAgentHost(t)
  const home = join(world.root, 'home')
  mkdirSync(home)
  const env = {
    PATH: programs,
    HOME: home,
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: 'dummy',
    OPENAI_MODEL: 'scripted',
    GOOGLE_GEMINI_BASE_URL: server.url,
    GEMINI_API_KEY: 'dummy',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }
  const roots = [world.root]
  const agent = spawnAgent({ server: world.plane.url, stateDir: world.state, roots, token, clis: ['detect'], env })
  t.after(() => agent.stop())
  await until(() => world.plane.connected, 'the agent connects')
  for (const cli of ['claude', 'gemini', 'qwen']) {
    const job = ask(world, 'Say good day.', { cli })
    await until(() => job.completion, `the answer of ${cli}`, undefined, withinMs)
    assert.equal(job.completion?.outcome, 'SUCCEEDED', `${cli}: ${JSON.stringify(job.completion)}`)
    assert.match(job.text('STDOUT'), /Good day\./)
  }
  await until(
    () => world.plane.heartbeats.some(({ clis }) => clis?.length),
    'the CLIs are reported',
    undefined,
    withinMs,
  )
  const reported = world.plane.heartbeats.findLast(({ clis }) => clis?.length)?.clis ?? []
  for (const name of ['claude', 'gemini', 'qwen'])
    assert.equal(reported.find((cli) => cli.name === name)?.signIn, 'SIGNED_IN', name)
})
