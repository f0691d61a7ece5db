import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { completion, openAgentHost, until } from '../../kit/program/agent/agentHost.ts'

test('a plain CLI gets the prompt as its last argument, and its output is the log and the answer', async (t) => {
  const world = await openAgentHost(t)
  await world.connect('--cli', 'echo=plain:printf "%s|%s|" first')
  const prompt = 'It\'s "quoted"; $(touch pwned) `id`'
  const spec = { worktreePath: world.repo, prompt, mode: 'PLAN', timeoutSeconds: 20 }
  const job = world.plane.offer('AI', spec)
  const result = await completion(job)
  assert.equal(result.outcome, 'SUCCEEDED')
  assert.equal(job.text('STDOUT'), `first|${prompt}|`)
  assert.deepEqual(result.result, {
    conversation: null,
    opening: 'NEW',
    stopReason: 'end_turn',
    text: `first|${prompt}|`,
  })
})

test('a plain CLI has the URL of its tools and its token in the environment, and the token is neither stored nor logged', async (t) => {
  const world = await openAgentHost(t)
  const look =
    'cat ../../state/jobs/*/*.json; env | grep ^SIGNALBOX_ | sort | tee environment; cat environment >&2; true'
  await world.connect('--cli', `look=plain:${look}`)
  const job = world.plane.offer('AI', { worktreePath: world.repo, prompt: 'look', mode: 'SESSION', timeoutSeconds: 20 })
  await completion(job)
  const [onDisk = '', inLog] = job.text('STDOUT').split('SIGNALBOX_JOB=')
  assert.doesNotMatch(onDisk, /agent_run/)
  const variables = (token: string) =>
    `${job.id}.1\nSIGNALBOX_MCP_URL=${world.plane.url}/api/mcp?run=run_1\nSIGNALBOX_RUN_TOKEN=${token}\n`
  const environment = readFileSync(join(world.repo, 'environment'), 'utf8')
  assert.equal(environment, `SIGNALBOX_JOB=${variables('agent_run1000000000000000')}`)
  // A CLI that prints it does not put it into the log.
  assert.equal(inLog, variables('agent_***'))
  assert.equal(job.text('STDERR'), `SIGNALBOX_JOB=${variables('agent_***')}`)
})

test('heartbeats report whether each CLI works, with its version or its problem', async (t) => {
  const world = await openAgentHost(t)
  await world.connect('--cli', 'git=plain:git', '--cli', 'gone=acp:no-such-program --acp')
  await until(() => world.plane.heartbeats.some(({ clis }) => clis?.[0]?.healthy), 'the CLIs have been tried')
  const [git, gone] = world.plane.heartbeats.findLast(({ clis }) => clis)?.clis ?? []
  assert.match(git?.version ?? '', /^\d+\.\d+/)
  assert.deepEqual(
    { ...gone },
    {
      name: 'gone',
      protocol: 'ACP',
      healthy: false,
      problem: 'The program “no-such-program” is not found on this machine.',
    },
  )
})
