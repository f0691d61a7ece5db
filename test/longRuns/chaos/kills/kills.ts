/** `npm run chaos:kills`: kills, then checks. The exit status is 0 only if no checker finds a violation. */
import { parseArgs } from 'node:util'
import { killPlants } from '../plants/killPlants.ts'
import { chaos } from './chaosRun.ts'
import { detailed, findings, summary } from './report.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    'database-kills': { type: 'string', default: '50' },
    'agent-kills': { type: 'string', default: '50' },
    seed: { type: 'string' },
    writers: { type: 'string', default: '4' },
    agents: { type: 'string', default: '2' },
    fault: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const fault = killPlants.find(({ name }) => name === values.fault)
if (values.fault !== undefined && fault === undefined) {
  throw new Error(`there is no fault "${values.fault}"; there are: ${killPlants.map(({ name }) => name).join(', ')}`)
}
const ending = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => ending.abort())
console.log(`seed ${seed}: repeat this run with --seed ${seed}`)
const seen = await chaos({
  seed,
  kills: Number(values.kills),
  databaseKills: Number(values['database-kills']),
  agentKills: Number(values['agent-kills']),
  writers: Number(values.writers),
  agents: Number(values.agents),
  ...(fault && { fault }),
  signal: ending.signal,
  say: (line) => console.log(line),
})
const found = findings(seen)
console.log(`\n${summary(seen)}\n`)
if (found.size > 0) {
  console.log(
    `${detailed(seen, found)}\n\nlast output:\n${seen.outputs.map((text) => text.slice(-3_000)).join('\n---\n')}`,
  )
}
console.log(found.size === 0 ? 'all is well' : `found by ${[...found.keys()].join(', ')} with seed ${seed}`)
process.exit(found.size === 0 ? 0 : 1)
