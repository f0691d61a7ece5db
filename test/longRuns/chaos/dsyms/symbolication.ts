/**
 * Kills servers while they symbolicate crash reports, with one server and with two on one PostgreSQL. Exit status 0 only if each acknowledged
 * report is stored once, is SYMBOLICATED in the end, and has the names of llvm-symbolizer.
 * npm run chaos:symbolication -- [--kills 100] [--reports 150] [--seed 1] [--servers 1|2]
 */
import { parseArgs } from 'node:util'
import { symbolicateUnderKills } from './symbolicateUnderKills.ts'

const { values } = parseArgs({
  options: {
    /** With each number of servers. */
    kills: { type: 'string', default: '100' },
    /** Of each app, before its dSYMs. */
    reports: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    /** 1 or 2. If omitted, first one and then two. */
    servers: { type: 'string' },
  },
})
let found = 0
for (const servers of [1, 2] as const) {
  if (values.servers !== undefined && values.servers !== String(servers)) continue
  const title = servers === 1 ? '1 server' : '2 servers'
  const { kills, killsByStatus, reports, problems } = await symbolicateUnderKills({
    kills: Number(values.kills),
    seed: Number(values.seed),
    servers,
    reports: Number(values.reports),
    print: (line) => console.log(`${title}: ${line}`),
  })
  const statuses = Object.entries(killsByStatus).map(([status, count]) => `${count} ${status}`)
  console.log(`${title}: ${kills} kills (${statuses.join(', ')}), ${reports} reports acknowledged`)
  for (const problem of problems) console.log(`FOUND ${problem}`)
  found += problems.length
}
process.exit(found === 0 ? 0 : 1)
