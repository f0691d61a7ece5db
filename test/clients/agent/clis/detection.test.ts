/** The coding CLIs that an agent finds by itself. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { CliCommand } from '../../../../clients/agent/clis/cliCommand.ts'
import { CliRegister } from '../../../../clients/agent/clis/cliRegister.ts'
import { knownClis, type Sign } from '../../../../clients/agent/clis/knownClis.ts'
import { readSignIn } from '../../../../clients/agent/clis/signIn.ts'
import { spawnAgent } from '../../../../clients/agent/system/spawn.ts'
import { completion, openAgentHost, token, until } from '../../../kit/program/agent/agentHost.ts'
import { ask, testCliCommand } from '../../../kit/program/agent/cli.ts'

/** A machine on which nothing is installed but `sh` and git. */
function openMachine(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-clis-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  const bin = join(folder, 'bin')
  mkdirSync(home)
  mkdirSync(bin)
  const env: Record<string, string> = { PATH: bin, HOME: home }
  const link = (program: string) =>
    symlinkSync(
      execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { encoding: 'utf8' }).trim(),
      join(bin, program),
    )
  for (const program of ['sh', 'git']) link(program)
  return {
    env,
    home,
    link,
    surroundings: { env, home, platform: 'linux' } as const,
    /** Installs a program that prints a version. */
    install(program: string, script = 'echo 1.2.3') {
      writeFileSync(join(bin, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    },
    remove: (program: string) => rmSync(join(bin, program)),
    /** Writes a file below the home folder. */
    write(path: string, content = 'secret') {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), content)
    },
  }
}

function register(machine: ReturnType<typeof openMachine>, named: CliCommand[] = [], detect = true) {
  return new CliRegister({ named, detect, surroundings: machine.surroundings })
}

describe('the agent finds the coding CLIs that are installed', () => {
  test('CLIs are offered by sign-in state, signed-in ones first, and in a fixed order within a state', async (t) => {
    const machine = openMachine(t)
    for (const program of ['goose', 'opencode', 'qwen', 'gemini', 'codex-acp']) machine.install(program)
    machine.install('claude-code-acp', 'echo "started as an agent" > "$HOME/started"')
    machine.write('.qwen/oauth_creds.json')
    machine.write('.gemini/settings.json')
    machine.write('.config/goose/config.yaml')
    const clis = register(machine)
    await clis.check()
    assert.deepEqual(
      clis.list().map(({ name, healthy, signIn, version }) => [name, healthy, signIn, version]),
      [
        ['qwen', true, 'SIGNED_IN', '1.2.3'],
        ['gemini', true, 'UNKNOWN', '1.2.3'],
        ['opencode', true, 'UNKNOWN', '1.2.3'],
        ['goose', true, 'UNKNOWN', '1.2.3'],
        ['claude', true, 'SIGNED_OUT', undefined],
        ['codex', true, 'SIGNED_OUT', '1.2.3'],
      ],
    )
    assert.deepEqual(await clis.choose(undefined), { name: 'qwen', protocol: 'ACP', command: 'qwen --acp' })
    assert.equal((await clis.choose('claude')).command, 'claude-code-acp')
    assert.throws(
      () => execFileSync('cat', [join(machine.home, 'started')], { stdio: 'pipe' }),
      'the CLI was not started',
    )
  })

  test('a CLI that was given with --cli comes first, and replaces the detected CLI of the same name', async (t) => {
    const machine = openMachine(t)
    machine.install('qwen')
    machine.install('gemini')
    machine.write('.gemini/oauth_creds.json')
    const named: CliCommand[] = [
      { name: 'own', protocol: 'PLAIN', command: 'own --print' },
      { name: 'gemini', protocol: 'ACP', command: 'gemini --acp --model pro' },
    ]
    const clis = register(machine, named)
    await clis.check()
    assert.deepEqual(
      clis.list().map(({ name, healthy, signIn }) => [name, healthy, signIn]),
      [
        ['own', false, undefined],
        ['gemini', true, 'SIGNED_IN'],
        ['qwen', true, 'SIGNED_OUT'],
      ],
    )
    assert.equal((await clis.choose(undefined)).name, 'own')
    assert.equal((await clis.choose('gemini')).command, 'gemini --acp --model pro')
  })

  test('a CLI that is installed later is found without a restart, and a removed one becomes unhealthy', async (t) => {
    const machine = openMachine(t)
    machine.install('gemini')
    const clis = register(machine)
    await clis.check()
    machine.remove('gemini')
    machine.install('qwen')
    await clis.check()
    assert.deepEqual(clis.list(), [
      { name: 'qwen', protocol: 'ACP', healthy: true, version: '1.2.3', signIn: 'SIGNED_OUT' },
      {
        name: 'gemini',
        protocol: 'ACP',
        healthy: false,
        problem: 'The program “gemini” is not found on this machine.',
      },
    ])
    assert.equal((await clis.choose(undefined)).name, 'qwen')
    await assert.rejects(clis.choose('gemini'), { code: 'UNKNOWN_CLI', message: /called “gemini”; it has: qwen\./ })
  })

  test('a prompt finds a CLI that was installed after the last check', async (t) => {
    const machine = openMachine(t)
    const clis = register(machine)
    await assert.rejects(clis.choose(undefined), {
      code: 'UNKNOWN_CLI',
      message:
        /No coding CLI is installed .* looks for these programs: claude-agent-acp, .*gemini, .* npm install .* --cli NAME=acp:COMMAND/,
    })
    machine.install('gemini')
    assert.equal((await clis.choose(undefined)).name, 'gemini')
    await until(() => clis.list()[0]?.healthy, 'it is reported')
  })

  test('without detection, an installed CLI is not offered, and the refusal names --cli detect', async (t) => {
    const machine = openMachine(t)
    machine.install('gemini')
    const clis = register(machine, [], false)
    await clis.check()
    assert.deepEqual(clis.list(), [])
    await assert.rejects(clis.choose(undefined), { code: 'UNKNOWN_CLI', message: /Start its agent with --cli detect/ })
  })

  test('another program called goose is not offered', async (t) => {
    const machine = openMachine(t)
    machine.install('goose')
    const clis = register(machine)
    await clis.check()
    assert.deepEqual(clis.list(), [])
  })

  test('docs/agent.md has each known CLI with its programs and signs, in the order of the list', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/agent.md'), 'utf8')
    const rows = [...page.matchAll(/^\| `([a-z]+)` \| (.*?) \| [^|]* \| (.*) \|$/gm)]
    const signsOf = (signs: readonly Sign[]) =>
      signs.flatMap((sign) => ('variables' in sign ? sign.variables : 'file' in sign ? [sign.file] : []))
    for (const [index, { name, commands, signedIn }] of knownClis.entries()) {
      const [, documented, programs = '', signs = ''] = rows.find(([, of]) => of === name) ?? []
      assert.equal(documented, name)
      assert.equal(
        rows.findIndex(([, of]) => of === name) - rows.findIndex(([, of]) => of === knownClis[0]?.name),
        index,
      )
      for (const command of commands) assert.ok(programs.includes(`\`${command}\``), command)
      for (const sign of signsOf(signedIn)) assert.ok(signs.includes(sign), `${name}: ${sign}`)
    }
  })

  test('a refusal has at most 500 characters, the limit of the control plane', async (t) => {
    const machine = openMachine(t)
    for (const detect of [true, false]) {
      const refusal = await register(machine, [], detect)
        .choose(undefined)
        .catch((error: Error) => error.message)
      assert.ok(String(refusal).length <= 500, String(refusal))
    }
  })
})

describe('the sign-in state of a coding CLI is read without starting it', () => {
  type Case = readonly [cli: string, files: string[], env: Record<string, string>, platform: NodeJS.Platform, SignIn]
  type SignIn = Awaited<ReturnType<typeof readSignIn>>
  const cases: readonly Case[] = [
    ['claude', [], {}, 'linux', 'SIGNED_OUT'],
    ['claude', [], {}, 'darwin', 'UNKNOWN'],
    ['claude', ['.claude.json'], {}, 'linux', 'UNKNOWN'],
    ['claude', ['.claude/.credentials.json'], {}, 'linux', 'SIGNED_IN'],
    ['claude', [], { ANTHROPIC_API_KEY: 'x' }, 'darwin', 'SIGNED_IN'],
    ['claude', [], { ANTHROPIC_API_KEY: '' }, 'linux', 'SIGNED_OUT'],
    ['codex', ['.codex/auth.json'], {}, 'linux', 'SIGNED_IN'],
    ['codex', ['.codex/config.toml'], { OPENAI_API_KEY: 'x' }, 'linux', 'UNKNOWN'],
    ['gemini', [], { GEMINI_API_KEY: 'x' }, 'linux', 'SIGNED_IN'],
    ['gemini', ['.gemini/.env'], {}, 'linux', 'UNKNOWN'],
    ['qwen', [], { OPENAI_API_KEY: 'x' }, 'linux', 'SIGNED_OUT'],
    ['qwen', [], { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: 'x', OPENAI_MODEL: 'x' }, 'linux', 'SIGNED_IN'],
    ['cursor', [], {}, 'linux', 'UNKNOWN'],
    ['cursor', [], { CURSOR_API_KEY: 'x' }, 'linux', 'SIGNED_IN'],
    ['opencode', ['.local/share/opencode/auth.json'], {}, 'linux', 'SIGNED_IN'],
    ['goose', [], {}, 'linux', 'SIGNED_OUT'],
    ['goose', [], { GOOSE_PROVIDER: 'ollama' }, 'linux', 'UNKNOWN'],
  ]
  for (const [name, files, env, platform, expected] of cases) {
    const signs = [...files, ...Object.entries(env).map((pair) => pair.join('='))].join(', ') || 'nothing'
    test(`${name} with ${signs} on ${platform}: ${expected}`, async (t) => {
      const machine = openMachine(t)
      for (const file of files) machine.write(file)
      const known = knownClis.find((cli) => cli.name === name)
      assert.ok(known)
      assert.equal(await readSignIn(known, { env, home: machine.home, platform }), expected)
    })
  }

  test('an empty file is not a sign of a sign-in, and CODEX_HOME decides in which folder the file counts', async (t) => {
    const machine = openMachine(t)
    machine.write('.codex/auth.json', '')
    machine.write('elsewhere/auth.json')
    const known = knownClis.find(({ name }) => name === 'codex')
    assert.ok(known)
    const on = (env: Record<string, string>) => readSignIn(known, { ...machine.surroundings, env })
    assert.equal(await on({}), 'SIGNED_OUT')
    assert.equal(await on({ CODEX_HOME: join(machine.home, 'elsewhere') }), 'SIGNED_IN')
  })
})

test('an agent with --cli detect answers a prompt with the installed CLI, and keeps the option for its next start', async (t) => {
  const world = await openAgentHost(t)
  const machine = openMachine(t)
  machine.install('gemini', `[ "$1" = --acp ] && exec ${testCliCommand}\necho 0.61.0`)
  const options = { server: world.plane.url, stateDir: world.state, env: machine.env }
  const first = spawnAgent({ ...options, roots: [world.root], token, clis: ['detect'] })
  t.after(() => first.stop())
  await until(() => world.plane.connected, 'the agent connects')
  const job = ask(world, 'say Good day.')
  assert.equal((await completion(job)).outcome, 'SUCCEEDED')
  assert.equal(job.text('STDOUT'), 'Good day.')
  await until(() => world.plane.heartbeats.some(({ clis }) => clis?.[0]?.healthy), 'the CLI is reported')
  const reported = world.plane.heartbeats.findLast(({ clis }) => clis)?.clis
  assert.deepEqual(
    { ...reported?.[0] },
    { name: 'gemini', protocol: 'ACP', healthy: true, version: '0.61.0', signIn: 'SIGNED_OUT' },
  )
  await first.stop()
  const second = spawnAgent({ ...options, roots: [] })
  t.after(() => second.stop())
  await until(() => world.plane.connected && world.plane.epoch === 2, 'the second agent connects')
  const again = ask(world, 'say Again.')
  assert.equal((await completion(again)).outcome, 'SUCCEEDED')
})
