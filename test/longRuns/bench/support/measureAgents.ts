/** The measurements of `bench:agents`. The everyday suite runs them with few agents. */
import { setTimeout as sleep } from 'node:timers/promises'
import { firstKey, graphql } from '../../../kit/program/graphql.ts'
import { type MeasuredProgram, startMeasured } from '../../../kit/program/measuring/measuredProgram.ts'
import { freePorts } from '../../../kit/program/ports.ts'
import { enrollInBulk } from './enrolled.ts'
import { type Agents, startAgents } from './manyAgents.ts'

export interface AgentsBench {
  readonly dataDir: string
  readonly agents: number
  readonly offers: number
  readonly heartbeatMs: number
  readonly settleMs: number
  /** A folder for the server's processor profile. */
  readonly profile?: string | undefined
  say(line: string): void
}

interface Times {
  readonly p50: number
  readonly p99: number
}

export interface AgentFigures {
  readonly residentBytes: number
  readonly heldBytes: number
  readonly cpuShare: number
  readonly beat: Times
  readonly offer: Times
  readonly connectMs: number
  readonly againMs: number
}

/** The share of agents that connect before memory is first measured, so that code is compiled and pools have grown by then. */
const warmShare = 0.05
const mostReporting = 100

export async function measureAgents(bench: AgentsBench): Promise<AgentFigures> {
  const { dataDir, agents: count, say } = bench
  const began = performance.now()
  const credentials = await enrollInBulk(dataDir, count)
  say(`${count} agents enrolled in ${seconds(performance.now() - began)} s`)
  const ports = await freePorts()
  // Profiles are written at the end of a process that stops in order.
  const execArgv = bench.profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', bench.profile]
  let program = await startMeasured({ dataDir, ports, execArgv })
  const groups: Agents[] = []
  try {
    const key = await firstKey(program.url)
    const warm = Math.ceil(count * warmShare)
    const options = { port: ports.agent, reporting: Math.min(mostReporting, count) }
    groups.push(startAgents({ ...options, credentials: credentials.slice(0, warm), first: 0 }))
    await connected(groups, warm)
    await sleep(2_000)
    const before = await program.collected()
    const connecting = performance.now()
    groups.push(startAgents({ ...options, credentials: credentials.slice(warm), first: warm }))
    await connected(groups, count)
    const connectMs = performance.now() - connecting
    say(`connected after ${seconds(connectMs)} s; settling for ${seconds(bench.settleMs)} s`)
    await sleep(bench.settleMs)
    const after = await program.collected()
    const { cpuShare, beat } = await heartbeats(program, groups, bench.heartbeatMs)
    say('requesting runs')
    const offer = await offers(program, groups, key, bench.offers)
    if (bench.profile === undefined) await program.kill()
    else await program.stop()
    while (groups.some((group) => group.connected() > 0)) await sleep(20)
    program = await startMeasured({ dataDir, ports })
    const ready = performance.now()
    await connected(groups, count)
    return {
      residentBytes: (after.rssBytes - before.rssBytes) / (count - warm),
      heldBytes: (after.heldBytes - before.heldBytes) / (count - warm),
      cpuShare,
      beat,
      offer,
      connectMs,
      againMs: performance.now() - ready,
    }
  } finally {
    for (const group of groups) group.stop()
    await program.stop()
  }
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1)

async function connected(groups: readonly Agents[], count: number): Promise<void> {
  const deadline = performance.now() + 120_000
  for (;;) {
    const now = groups.reduce((sum, group) => sum + group.connected(), 0)
    if (now === count) return
    if (performance.now() > deadline) throw new Error(`only ${now} of ${count} agents are connected`)
    await sleep(10)
  }
}

async function heartbeats(program: MeasuredProgram, groups: readonly Agents[], forMs: number) {
  await Promise.all(groups.map((group) => group.beatTimes()))
  const before = await program.measure()
  await sleep(forMs)
  const after = await program.measure()
  const times = (await Promise.all(groups.map((group) => group.beatTimes()))).flat()
  const cpuShare = (after.cpuMicros - before.cpuMicros) / 1_000 / (after.at - before.at)
  return { cpuShare, beat: summary(times) }
}

/** Runs are requested one after another, each on the next agent that has a worktree. */
async function offers(program: MeasuredProgram, groups: readonly Agents[], key: string, count: number): Promise<Times> {
  const worktrees = await worktreesByAgent(program.url, key)
  const agents = [...worktrees.keys()]
  const asked = new Map<number, number>()
  const times: number[] = []
  for (const group of groups) {
    group.onOffer = (agent, at) => {
      const since = asked.get(agent)
      if (since === undefined) return
      asked.delete(agent)
      times.push(at - since)
    }
  }
  for (let run = 0; run < count; run++) {
    const agent = agents[run % agents.length] ?? 0
    while (asked.has(agent)) await sleep(1)
    asked.set(agent, performance.timeOrigin + performance.now())
    const input = { worktreeId: worktrees.get(agent), kind: 'PLAN', title: `run ${run}`, task: { command: 'true' } }
    await graphql(
      program.url,
      { 'X-API-Key': key },
      'mutation ($input: CreateAgentRunInput!) { createAgentRun(input: $input) { run { id } } }',
      { input },
    )
    await sleep(10)
  }
  const deadline = performance.now() + 10_000
  while (asked.size > 0 && performance.now() < deadline) await sleep(10)
  if (asked.size > 0) throw new Error(`${asked.size} of ${count} offers were not received`)
  return summary(times)
}

async function worktreesByAgent(url: string, key: string): Promise<Map<number, string>> {
  const { worktrees } = await graphql<{ worktrees: { nodes: { id: string; path: string }[] } }>(
    url,
    { 'X-API-Key': key },
    `{ worktrees(first: ${mostReporting}) { nodes { id path } } }`,
  )
  return new Map(worktrees.nodes.map(({ id, path }) => [Number(path.split('/').at(-1)), id]))
}

function summary(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
