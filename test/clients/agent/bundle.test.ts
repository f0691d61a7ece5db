import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { bundleAgent } from '../../../clients/agent/bundle.ts'
import { agentConnect as agentConnectDeclaration } from '../../../spec/agents/agentSession.ts'
import { completion, openAgentHost, startProgram, token, until } from '../../kit/program/agent/agentHost.ts'
import { ask, clis } from '../../kit/program/agent/cli.ts'

/** The Nodes to try: our own, and an older one if the machine has it. */
function nodes(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const found = folders.map((folder) => join(folder, 'node')).filter((path) => existsSync(path))
  return [process.execPath, ...found.slice(0, 1)]
}

test('the program is one file with its SHA-256, and a second call returns the same bundle', async () => {
  const bundle = await bundleAgent()
  assert.equal(bundle.filename, 'signalbox-agent.mjs')
  assert.equal(bundle.sha256, createHash('sha256').update(bundle.source).digest('hex'))
  assert.equal(await bundleAgent(), bundle)
})

test('the program contains no schemas of the control plane', async () => {
  const { source } = await bundleAgent()
  assert.match(source, /agentConnect/)
  assert.ok(!source.includes(agentConnectDeclaration.description))
})

for (const node of nodes()) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  test(`the file alone enrolls, runs a command and holds a conversation on Node ${version}`, async (t) => {
    const world = await openAgentHost(t)
    const file = join(world.root, 'signalbox-agent.mjs')
    writeFileSync(file, (await bundleAgent()).source)
    const args = ['--server', world.plane.url, '--state', world.state, '--root', world.root, ...clis]
    const agent = startProgram([file, ...args], { SIGNALBOX_TOKEN: token }, node)
    t.after(() => agent.kill('SIGKILL'))
    await until(() => world.plane.connected, 'the agent connects', agent.stderr)
    const job = world.run({ speak: 'echo hello' })
    assert.equal((await completion(job, () => agent.stdout() + agent.stderr())).outcome, 'SUCCEEDED')
    assert.equal(job.text('STDOUT'), 'hello\n')
    const run = ask(world, 'say Good day.')
    assert.equal((await completion(run, agent.stdout)).outcome, 'SUCCEEDED')
    assert.equal(run.text('STDOUT'), 'Good day.')
  })
}
