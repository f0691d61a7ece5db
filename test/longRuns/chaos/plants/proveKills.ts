/**
 * `node test/longRuns/chaos/plants/proveKills.ts [part of a name]`: plants each fault and runs the short chaos, which must find it. The
 * exit status is 0 only if a checker that is listed for it finds every fault.
 */
import { chaos } from '../kills/chaosRun.ts'
import { findings } from '../kills/report.ts'
import { killPlants } from './killPlants.ts'

/** A fault may not show in a single run, because the run is random. */
const tries = 3
/** The steps of workflows in a run. On a slow machine there is hardly any work between the kills, so the load goes on after the last one. */
const steps = 150

const part = process.argv[2] ?? ''
let missed = 0
const ending = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => ending.abort())
for (const fault of killPlants.filter(({ name }) => name.includes(part))) {
  let by: string[] = []
  for (let seed = 1; seed <= tries && by.length === 0; seed++) {
    // A fault in the agent shows if agents are killed, and one in the program if the program is killed.
    const kills = fault.inAgent
      ? { kills: 1, databaseKills: 0, agentKills: 12 }
      : { kills: 6, databaseKills: 0, agentKills: 1 }
    const seen = await chaos({ seed, ...kills, steps, agents: 1, fault, restWithin: 12_000, signal: ending.signal })
    by = [...findings(seen).keys()].filter((checker) => fault.foundBy.includes(checker))
  }
  if (by.length === 0) missed++
  console.log(`${fault.name}: ${by.length === 0 ? 'NOT FOUND' : `found by ${by.join(', ')}`}`)
}
process.exit(missed === 0 ? 0 : 1)
