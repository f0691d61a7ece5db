/**
 * Many connected agents that send heartbeats: the server's memory for each, its processor time for heartbeats alone, how fast a
 * job offer reaches its agent, and how long all of them need to reconnect after the server was killed.
 * node test/longRuns/bench/agents.ts [--agents 10000] [--offers 300]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { measureAgents } from './support/measureAgents.ts'
import { printMachine, printTable } from './support/report.ts'

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '10000' },
    offers: { type: 'string', default: '300' },
    /** Seconds with heartbeats only. */
    seconds: { type: 'string', default: '30' },
    /** Seconds before that: unused actors leave memory after a minute. */
    settle: { type: 'string', default: '75' },
    profile: { type: 'string' },
  },
})

printMachine()
const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-bench-'))
try {
  const found = await measureAgents({
    dataDir,
    agents: Number(values.agents),
    offers: Number(values.offers),
    heartbeatMs: Number(values.seconds) * 1_000,
    settleMs: Number(values.settle) * 1_000,
    profile: values.profile,
    say: (line) => console.log(line),
  })
  printTable([
    { what: 'memory of the server for each agent, kB (resident)', figure: found.residentBytes / 1_000 },
    { what: 'memory of the server for each agent, kB (held by V8)', figure: found.heldBytes / 1_000 },
    { what: 'one core for heartbeats alone, %', figure: found.cpuShare * 100 },
    { what: 'heartbeat until its answer, p50 ms', figure: found.beat.p50 },
    { what: 'heartbeat until its answer, p99 ms', figure: found.beat.p99 },
    { what: 'request for a run until its offer arrives, p50 ms', figure: found.offer.p50 },
    { what: 'request for a run until its offer arrives, p99 ms', figure: found.offer.p99 },
    { what: 'first connection of all, s', figure: found.connectMs / 1_000 },
    { what: 'all connected again after the restart, s from ready', figure: found.againMs / 1_000 },
  ])
} finally {
  await sleep(100)
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(0)
