/**
 * `node test/chaos/plants/proveKills.ts [part of a name]`: plants each fault and lets the short chaos look for it. Exit status 0 only where
 * every fault is found by a checker that is there to find it.
 */
import { chaos } from '../kills/chaosRun.ts'
import { findings } from '../kills/report.ts'
import { killPlants } from './killPlants.ts'

/** Chance may spare a fault once. */
const tries = 3

const part = process.argv[2] ?? ''
let missed = 0
const ending = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => ending.abort())
for (const fault of killPlants.filter(({ name }) => name.includes(part))) {
  let by: string[] = []
  for (let seed = 1; seed <= tries && by.length === 0; seed++) {
    // An agent's fault shows where agents are killed, and the program's where it is.
    const kills = fault.inAgent
      ? { kills: 1, databaseKills: 0, agentKills: 12 }
      : { kills: 6, databaseKills: 0, agentKills: 1 }
    const seen = await chaos({ seed, ...kills, agents: 1, fault, restWithin: 12_000, signal: ending.signal })
    by = [...findings(seen).keys()].filter((checker) => fault.foundBy.includes(checker))
  }
  if (by.length === 0) missed++
  console.log(`${fault.name}: ${by.length === 0 ? 'NOT FOUND' : `found by ${by.join(', ')}`}`)
}
process.exit(missed === 0 ? 0 : 1)
