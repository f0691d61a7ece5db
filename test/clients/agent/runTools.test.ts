/** The coding CLI uses the run's MCP endpoint, with a real client and a real server. The token is stored nowhere else. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type AgentHost, completion, openAgentHost, until } from '../../kit/program/agent/agentHost.ts'
import { ask, clis } from '../../kit/program/agent/cli.ts'
import { startMcpServer } from '../../kit/program/agent/mcpServer.ts'

/** The token that `FakeJob` returns at the first acceptance. */
const runToken = 'agent_run1000000000000000'

// They wait more than they work.
describe('the run’s tools', { concurrency: 3 }, () => {
  test('the CLI lists the tools, calls them, and gets their results and errors', async (t) => {
    const world = await openAgentHost(t)
    const server = await startMcpServer(t, runToken)
    world.plane.mcpUrl = server.url
    await world.connect(...clis)
    const job = ask(world, 'mcp list\nsay  | \nmcp call get_apps {"first": 2}\nsay  | \nmcp call fail')
    const result = await completion(job)
    assert.equal(result.outcome, 'SUCCEEDED', result.errorMessage ?? undefined)
    assert.equal(job.text('STDOUT'), 'get_apps,fail | apps for {"first":2} | error: It failed.')
    assert.deepEqual(server.calls, [
      { name: 'get_apps', arguments: { first: 2 } },
      { name: 'fail', arguments: {} },
    ])
    assert.deepEqual(new Set(server.seen.map(({ authorization }) => authorization)), new Set([`Bearer ${runToken}`]))
  })

  test('a token that the server refuses does not end the run: the CLI gets the refusal and continues', async (t) => {
    const world = await openAgentHost(t)
    const server = await startMcpServer(t, 'agent_another0000000000000')
    world.plane.mcpUrl = server.url
    await world.connect(...clis)
    const job = ask(world, 'mcp list\nsay ; but I go on')
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
    assert.match(job.text('STDOUT'), /^refused: .*Unauthorized.*; but I go on$/s)
    assert.deepEqual(server.calls, [])
  })

  test('a conversation keeps its token when the connection to the control plane breaks, and the job is not accepted again', async (t) => {
    const world = await openAgentHost(t)
    const server = await startMcpServer(t, runToken)
    world.plane.mcpUrl = server.url
    await world.connect(...clis)
    const job = ask(world, 'mcp list\npermission\nmcp list')
    await until(() => job.state === 'WAITING', 'the question')
    const beats = world.plane.heartbeats.length
    world.plane.breakConnections()
    await until(() => world.plane.epoch === 2 && world.plane.connected, 'the agent is back')
    await until(() => world.plane.heartbeats.length > beats, 'and beats')
    // An offer that comes again, as one may at the start of a connection, is the job that it has.
    world.plane.signal(job, 'OFFER')
    world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: 'yes', text: null } })
    assert.equal((await completion(job)).outcome, 'SUCCEEDED')
    assert.equal(job.accepts, 1)
    assert.equal(job.text('STDOUT'), 'get_apps,fail[yes]get_apps,fail')
  })

  test('a follow-up gives the conversation the endpoint of its own run', async (t) => {
    const world = await openAgentHost(t)
    const server = await startMcpServer(t, runToken)
    world.plane.mcpUrl = server.url
    await world.connect(...clis)
    const job = ask(world, 'mcp list', { continues: { conversation: 'session_7', required: false } })
    await completion(job)
    assert.equal(job.text('STDOUT'), 'get_apps,fail')
  })

  test('a CLI that does not support MCP servers over HTTP gets none, and the log has one line about it', async (t) => {
    const world = await openAgentHost(t)
    await world.connect(...clis)
    const job = ask(world, 'tools\nmcp list', { cli: 'toolless' })
    await completion(job)
    assert.equal(job.text('STDOUT'), '[]no server')
    assert.equal(readFileSync(join(world.repo, 'mcp-servers.json'), 'utf8'), '[]')
    assert.equal(job.text('SYSTEM'), 'This CLI takes no MCP server over HTTP; it works without the run’s tools.\n')
  })

  test('without an MCP endpoint, the CLI gets no server, and the log has no line about it', async (t) => {
    const world = await openAgentHost(t)
    world.plane.mcpUrl = null
    await world.connect(...clis)
    const job = ask(world, 'tools', { cli: 'toolless' })
    await completion(job)
    assert.equal(job.text(), '[]')
  })
})

/** Every file below a folder whose text has the token in it. */
function filesWith(folder: string): string[] {
  const entries = ifThere(() => readdirSync(folder, { withFileTypes: true })) ?? []
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesWith(path)
    const text = entry.isFile() ? ifThere(() => readFileSync(path, 'latin1')) : null
    return text?.includes(runToken) ? [path] : []
  })
}

/** Null if the agent has removed it since it was listed: it removes the folder of a job that is over. */
function ifThere<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The processes that have it in their arguments, or of this run in their environment (other tests give it there on purpose). */
function processesWith(part: 'cmdline' | 'environ', ofRun = ''): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const text = readFileSync(`/proc/${pid}/${part}`, 'latin1')
      return text.includes(runToken) && text.includes(ofRun)
    } catch {
      return false
    }
  })
}

const everythingTold = ({ plane }: AgentHost) => {
  const jobs = [...plane.jobs.values()]
  const logs = jobs.map((job) => [job.text(), ...(['STDOUT', 'STDERR', 'SYSTEM'] as const).map((s) => job.text(s))])
  const words = jobs.map(({ events, questions, completion, refusal }) => ({ events, questions, completion, refusal }))
  return JSON.stringify([logs, words, plane.heartbeats, plane.connects])
}

test('the run token is in no file, message, argument or environment, although the CLI prints it everywhere', async (t) => {
  const world = await openAgentHost(t)
  const agent = await world.connect(...clis)
  const job = ask(world, 'say Now.\nleak')
  await until(() => job.state === 'WAITING', 'the question')
  // While it runs: job.json, spools and all are still there.
  const there = readdirSync(join(world.state, 'jobs', `${job.id}.1`))
  for (const name of ['job.json', 'output', 'events', 'started.json']) assert.ok(there.includes(name), name)
  assert.deepEqual(filesWith(world.state), [])
  assert.deepEqual([processesWith('cmdline'), processesWith('environ', job.id)], [[], []])
  world.plane.signal(job, 'ANSWER', { answerId: 'a1', answer: { optionId: 'no', text: null } })
  const result = await completion(job)
  assert.equal(result.errorCode, 'CLI_FAILED')
  // That it was printed at all, each way.
  assert.match(job.text('STDOUT'), /Bearer agent_\*\*\*/)
  assert.match(job.text('STDERR'), /Bearer agent_\*\*\*/)
  assert.match(job.text('SYSTEM'), /The request failed: .*Bearer agent_\*\*\*/)
  assert.match(result.errorMessage ?? '', /Bearer agent_\*\*\*/)
  for (const type of ['MESSAGE', 'THOUGHT', 'TOOL_CALL', 'PLAN', 'PERMISSION_REQUEST']) {
    const events = job.events.filter((event) => event.type === type)
    const told = events.map(({ data }) => data.text ?? JSON.stringify(data)).join('')
    assert.match(told, /Bearer agent_\*\*\*/, type)
    assert.ok(!told.includes(runToken), type)
  }
  assert.match(JSON.stringify(job.questions), /Bearer agent_\*\*\*/)
  assert.ok(!everythingTold(world).includes(runToken))
  assert.deepEqual(filesWith(world.state), [])
  assert.ok(!(agent.stdout() + agent.stderr()).includes(runToken))
})
