/** Active work continues after the program was stopped or killed, the agent was restarted, or the database was unavailable. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Machine, startMachine } from '../../kit/program/machine.ts'
import { lookAt, startRun, untilRun } from '../../kit/program/runs.ts'
import { watch } from '../../kit/program/socket.ts'
import { gate, startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let machine: Machine

before(async () => {
  stage = await startTestProgram()
  machine = await startMachine(stage, { branches: ['going', 'agent', 'queued'] })
})
after(() => stage?.end())

interface Chunk {
  readonly stream: string
  readonly dataBase64: string
}

async function logOf(jobId: string | null): Promise<string> {
  const log = watch<Chunk>(
    stage,
    'subscription ($jobId: ID!) { jobLogChunkAdded(jobId: $jobId) { stream dataBase64 } }',
    { jobId },
  )
  assert.equal(await log.over(), 'complete')
  await log.stop()
  return log.items
    .filter(({ stream }) => stream === 'STDOUT')
    .map(({ dataBase64 }) => Buffer.from(dataBase64, 'base64').toString())
    .join('')
}

test('SIGTERM: replies are sent, sockets close with 1001, the exit code is 0, and the work continues after the next start', async () => {
  const going = gate(stage)
  const run = await startRun(stage.ask, {
    worktreeId: machine.worktree('going'),
    command: `echo before; ${going.command}; echo after`,
  })
  await going.untilBegun()
  const queued = await startRun(stage.ask, { worktreeId: machine.worktree('going'), command: 'echo queued' })
  const agents = watch<{ id: string }>(stage, 'subscription { agentStatusChanged { id } }')
  await agents.first('the agent as it is', () => true)
  const answers = Promise.all(Array.from({ length: 20 }, () => lookAt(stage.ask, run.id)))
  await sleep(5)
  const began = performance.now()
  const stopped = stage.program.stop()
  for (const { id } of await answers) assert.equal(id, run.id)
  const ending = (await agents.over(5_000)) as { code?: number }
  assert.equal(ending.code, 1001, JSON.stringify(ending))
  assert.equal(await stopped, 0, stage.program.output())
  const took = performance.now() - began
  assert.ok(took < 5_000, `it took ${Math.round(took)} ms to stop`)
  await going.open()
  await stage.restart()
  const ended = await untilRun(stage.ask, run.id, ['SUCCEEDED'], 20_000)
  assert.equal(await logOf(ended.jobId), 'before\ndone\nafter\n')
  await untilRun(stage.ask, queued.id, ['SUCCEEDED'])
})

/** A request whose body never comes: what a stop waits for. */
function hangingRequest(url: string, key: string): Promise<() => void> {
  return new Promise((begun) => {
    const sent = request(`${url}/api/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': '100', 'X-API-Key': key },
    })
    sent.on('error', () => {})
    sent.write('{', () => begun(() => sent.destroy()))
  })
}

test('a second signal stops the program at once, also while a request is in flight', async () => {
  const hangUp = await hangingRequest(stage.url, stage.key)
  await sleep(100)
  const first = stage.program.stop()
  assert.equal(await Promise.race([first, sleep(700, 'waits')]), 'waits', 'it waits for the request')
  const began = performance.now()
  await stage.program.stop()
  assert.ok(performance.now() - began < 1_000, `it took ${Math.round(performance.now() - began)} ms`)
  hangUp()
  await stage.restart()
})

test('a command continues while its agent is killed, and the restarted agent reports its output and its end', async () => {
  const going = gate(stage)
  const asked = await startRun(stage.ask, {
    worktreeId: machine.worktree('agent'),
    command: `echo begun; ${going.command}; echo ended`,
  })
  await going.untilBegun()
  await untilRun(stage.ask, asked.id, ['RUNNING'])
  await machine.stop('SIGKILL')
  await going.open()
  await until('the agent to be disconnected', async () => {
    const { agent } = await stage.ask<{ agent: { connectionStatus: string } }>(
      'query ($id: ID!) { agent(id: $id) { connectionStatus } }',
      { id: machine.agentId },
    )
    return agent.connectionStatus === 'DISCONNECTED' ? true : undefined
  })
  assert.equal((await lookAt(stage.ask, asked.id)).status, 'RUNNING')
  await machine.start()
  const run = await untilRun(stage.ask, asked.id, ['SUCCEEDED'])
  assert.equal(await logOf(run.jobId), 'begun\ndone\nended\n')
})

test('a run with a conversation fails with AGENT_RESTARTED if its agent is killed and started again', async () => {
  const { id } = await startRun(stage.ask, { worktreeId: machine.worktree('agent'), prompt: 'permission' })
  await untilRun(stage.ask, id, ['WAITING_FOR_INPUT'])
  await machine.stop('SIGKILL')
  await machine.start()
  const run = await untilRun(stage.ask, id, ['FAILED'])
  assert.equal(run.problem?.code, 'AGENT_RESTARTED')
})

test('if its embedded PostgreSQL has ended, the program logs it and exits, and it can be started again', async () => {
  const { pid } = stage.program
  const children = (await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(pid)])).stdout.split('\n')
  const postgres = children.find((line) => /postgres/.test(line))
  assert.ok(postgres, `no PostgreSQL among ${children}`)
  const before = stage.program.output().length
  process.kill(Number.parseInt(postgres, 10), 'SIGKILL')
  await until(
    'the program to end',
    () => {
      try {
        process.kill(pid, 0)
        return undefined
      } catch {
        return true
      }
    },
    15_000,
  )
  assert.match(stage.program.output().slice(before), /embedded PostgreSQL has ended by itself/)
  assert.notEqual(await stage.program.stop(), 0)
  const again = await stage.restart()
  assert.ok(again.readyAfter > 0)
  const run = await startRun(stage.ask, { worktreeId: machine.worktree('queued'), command: 'true' })
  await untilRun(stage.ask, run.id, ['SUCCEEDED'], 20_000)
})
