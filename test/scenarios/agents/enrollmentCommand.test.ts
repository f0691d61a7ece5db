/** A person copies the command of `createEnrollmentToken` to a machine and runs it there. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { testCliCommand } from '../../kit/program/agent/cli.ts'
import { makeRepository } from '../../kit/program/machine.ts'
import { bareEnvironment } from '../../kit/program/program.ts'
import { startTestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

test('the command enrolls the machine without an argument that holds the token, and finds its repositories and coding CLIs', async (t) => {
  const stage = await startTestProgram()
  t.after(() => stage.end())
  const home = join(stage.folder, 'home')
  const bin = join(home, 'bin')
  const repository = join(home, 'code', 'orders')
  await makeRepository(repository, [])
  await mkdir(bin)
  await writeFile(join(bin, 'qwen'), `#!/bin/sh\n[ "$1" = --acp ] && exec ${testCliCommand}\necho 0.15.10\n`, {
    mode: 0o755,
  })
  const { createEnrollmentToken } = await stage.ask<{ createEnrollmentToken: { token: string; command: string } }>(
    'mutation { createEnrollmentToken(input: {}) { token command } }',
  )
  const { token, command } = createEnrollmentToken
  assert.match(command, new RegExp(`SIGNALBOX_TOKEN=${token} node .* --root ~/code --cli detect$`))
  assert.doesNotMatch(command, /--token/)
  const env = { ...bareEnvironment(), HOME: home, PATH: bin + delimiter + process.env.PATH }
  const shell = spawn('sh', ['-c', command], { cwd: home, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  t.after(async () => {
    const exited = once(shell, 'exit')
    if (shell.exitCode === null && shell.pid) {
      process.kill(-shell.pid, 'SIGTERM')
      await exited
    }
  })
  const agent = await until(`the machine with its repository and CLI; it wrote:\n${output}`, async () => {
    const { agents } = await stage.ask<{
      agents: { codebases: { nodes: { path: string }[] }; clis: { name: string; usable: boolean }[] }[]
    }>('{ agents { codebases { nodes { path } } clis { name usable } } }')
    const [found] = agents
    return found?.codebases.nodes.length && found.clis.some(({ usable }) => usable) ? found : undefined
  })
  assert.deepEqual(agent.codebases.nodes, [{ path: repository }])
  assert.ok(agent.clis.some(({ name, usable }) => name === 'qwen' && usable))
  assert.ok(!output.includes(token), 'the token is not logged')
})
