/** Users see the work of each agent, the load of its machine, and the reason of its drain. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type BareAgent, reportWorktree, startBareAgent } from '../../kit/program/bareAgent.ts'
import { mutate, startRun } from '../../kit/program/runs.ts'
import { startTestProgram, type TestProgram } from '../../kit/program/testProgram.ts'
import { until } from '../../kit/program/until.ts'

let stage: TestProgram
let agent: BareAgent
before(async () => {
  stage = await startTestProgram()
  agent = await startBareAgent(stage, 'bare')
})
after(() => stage?.end())

interface Work {
  readonly vitals: { readonly load: number; readonly freeMemoryBytes: number } | null
  readonly jobs: readonly {
    readonly kind: string
    readonly status: string
    readonly runId: string
    readonly run: { readonly title: string }
  }[]
}

const work = async (): Promise<Work> => {
  const { vitals, jobs } = (
    await stage.ask<{ agent: Omit<Work, 'jobs'> & { jobs: { nodes: Work['jobs'] } } }>(
      `query ($id: ID!) { agent(id: $id) {
        vitals { load freeMemoryBytes } jobs { nodes { kind status runId run { title } } }
      } }`,
      { id: agent.agentId },
    )
  ).agent
  return { vitals, jobs: jobs.nodes }
}

test('an agent that has no job and has not reported its load shows no jobs and no vitals', async () => {
  assert.deepEqual(await work(), { vitals: null, jobs: [] })
})

test('the job of an agent is shown with its status and the title of its run until it ends', async () => {
  const { main } = await reportWorktree(stage, agent, '/srv/work')
  const { id: runId } = await startRun(stage.ask, { worktreeId: main, title: 'Mend the clock', command: 'true' })
  const { jobId, attempt } = await agent.offers.first('the offer', ({ signal }) => signal === 'OFFER')
  assert.deepEqual((await work()).jobs, [
    { kind: 'COMMANDS', status: 'OFFERED', runId, run: { title: 'Mend the clock' } },
  ])
  await agent.say('acceptJob', { jobId, attempt }, 'runToken')
  await until('it runs', async () => (await work()).jobs[0]?.status === 'RUNNING' || undefined)
  const nothing = { logChunks: 0, logSha256: createHash('sha256').digest('hex'), processesLeft: 0 }
  await agent.say('completeJob', { jobId, attempt, outcome: 'SUCCEEDED', ...nothing })
  await until('it is over', async () => (await work()).jobs.length === 0 || undefined)
})

test('the load and the free memory of a machine are those of the last heartbeat', async () => {
  const vitals = { load: 1.5, freeMemoryBytes: 3_000_000_000 }
  // The agent also sends heartbeats without vitals.
  const said = await until('the heartbeat is written back', async () => {
    await agent.say('agentHeartbeat', { ...vitals, jobs: [] }, 'serverTime')
    const known = (await work()).vitals
    return known?.load === vitals.load ? known : undefined
  })
  assert.deepEqual(said, vitals)
})

test('the history of an agent has the reason of its drain', async () => {
  await mutate(stage.ask, 'drainAgent', { agentId: agent.agentId, reason: 'a new disk' }, 'agent { draining }')
  const { actorHistory } = await stage.ask<{ actorHistory: { nodes: { event: string; payload: unknown }[] } }>(
    'query ($id: ID!) { actorHistory(id: $id, last: 1) { nodes { event payload } } }',
    { id: agent.agentId },
  )
  assert.deepEqual(actorHistory.nodes, [{ event: 'drain', payload: { reason: 'a new disk' } }])
})
