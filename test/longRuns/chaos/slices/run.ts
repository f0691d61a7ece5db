/**
 * One slice in a process of its own: `node slices/run.ts '<options as JSON>' <file for the result>`. A slice that hangs or is
 * aborted ends with its process, and a file system that it mounted ends with its namespace.
 */
import { writeFileSync } from 'node:fs'
import { chaos } from '../kills/chaosRun.ts'
import { findings } from '../kills/report.ts'
import { plantOptions } from '../plants/plants.ts'
import type { Topology } from '../program/world.ts'
import { type FaultsOfKind, runSlice, type SliceResult } from './slice.ts'

export interface RunOptions {
  readonly topology: Topology
  /** The faults that are injected, one kind after the other; or the number of kills of the program, its database and its agents. */
  readonly faults: readonly FaultsOfKind[] | number
  readonly seed: number
  /** The seconds that it takes on two cores without other load. */
  readonly estimate: number
  readonly lastsMs?: number
  readonly restMs?: number
  readonly patience?: number
  readonly plant?: string
}

const [given = '', file = ''] = process.argv.slice(2)
const options = JSON.parse(given) as RunOptions
const say = (line: string): void => console.log(`  ${line}`)
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1))

writeFileSync(file, JSON.stringify(await run(options)))
process.exit(0)

async function run({ faults, plant, ...others }: RunOptions): Promise<SliceResult> {
  if (typeof faults === 'number') return await killSlice(faults, others.seed)
  const forMs = others.estimate * 1.5 * 1_000
  return await runSlice({ faults, ...others, forMs, ...(plant === undefined ? {} : plantOptions(plant)), say })
}

/** Two of three kills are of the program. Its database and its agents share the rest. */
async function killSlice(count: number, seed: number): Promise<SliceResult> {
  const began = performance.now()
  const sixth = Math.floor(count / 6)
  const parts = { kills: count - 2 * sixth, databaseKills: sixth, agentKills: sixth }
  const seen = await chaos({ seed, ...parts, say })
  const found = findings(seen)
  const types = seen.asked.map(({ answer }) => answer.type)
  return {
    count,
    recoveries: seen.recoveries.map(({ ms }) => Math.round(ms)),
    acknowledged: types.filter((type) => type === 'accepted').length,
    uncertain: types.filter((type) => type === 'unknown').length,
    violations: [...found].flatMap(([checker, list]) => list.map(({ what }) => ({ checker, what }))),
    seconds: (performance.now() - began) / 1_000,
    outputs: found.size === 0 ? [] : seen.outputs,
  }
}
