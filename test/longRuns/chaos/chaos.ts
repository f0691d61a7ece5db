/**
 * `npm run chaos`: injects faults under load, then checks, in slices that can be spread over several commands.
 * Exit status: 0 if all slices are done and nothing was found, 1 if a checker found a violation, 2 if slices are left.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { faultKindNames } from './faults/kinds.ts'
import type { Topology } from './program/world.ts'
import { kills, planOf } from './slices/plan.ts'
import { spawnSlice } from './slices/spawn.ts'
import { State } from './slices/state.ts'
import { spread, table } from './slices/table.ts'
import { ownTemporaryFolder } from './slices/temporary.ts'

const { values } = parseArgs({
  options: {
    state: { type: 'string', default: join(tmpdir(), 'signalbox-chaos') },
    resume: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    only: { type: 'string' },
    topology: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string' },
    plant: { type: 'string' },
  },
})
const known: readonly string[] = [...faultKindNames, kills]
if (values.only !== undefined && !known.includes(values.only)) {
  throw new Error(`There is no fault "${values.only}". Give one of: ${known.join(', ')}.`)
}
if (values.topology !== undefined && values.topology !== 'embedded' && values.topology !== 'external') {
  throw new Error(`There is no topology "${values.topology}". Give embedded or external.`)
}

const state = new State(values.state)
if (!values.resume) {
  rmSync(values.state, { recursive: true, force: true })
  const seed = Number(values.seed ?? Date.now() % 100_000)
  const count = values.count === undefined ? undefined : Number(values.count)
  state.begin({ seed, only: values.only, topology: values.topology, count })
}
const options = state.options()
if (options === undefined) throw new Error(`There is no run in ${values.state}. Start one without --resume.`)
const plan = planOf({ ...options, topology: options.topology as Topology | undefined })
if (plan.length === 0) throw new Error(`${values.only} is not injected in the topology ${values.topology}.`)
console.log(`seed ${options.seed}, state in ${values.state}: ${plan.length} slices`)

ownTemporaryFolder()
const ending = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => ending.abort())
const until = performance.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000
const done = new Set(state.kept().map(({ planned }) => planned.id))
let left = 0
for (const planned of plan) {
  if (done.has(planned.id)) continue
  if (ending.signal.aborted || performance.now() + planned.estimate * 1_000 > until) {
    left++
    continue
  }
  console.log(`${planned.id}: ${planned.count} faults, seed ${planned.seed}`)
  const plant = values.plant === undefined ? {} : { plant: values.plant }
  const { kind, topology, count, seed, estimate } = planned
  const faults = kind === kills ? count : [{ kind, count }]
  const result = await spawnSlice({ faults, topology, seed, estimate, ...plant }, true, ending.signal).catch(
    (error: unknown) => {
      if (ending.signal.aborted) return undefined
      throw error
    },
  )
  if (result === undefined) {
    left++
    continue
  }
  state.keep({ planned, result })
  const { violations, recoveries, seconds } = result
  console.log(`  ${Math.round(seconds)} s, recovery ${spread(recoveries).join(' / ')}, ${violations.length} violations`)
  for (const { checker, what } of violations.slice(0, 10)) console.log(`  ${checker}: ${what}`)
}

const all = state.kept()
console.log(`\n${table(plan, all)}\n`)
const found = all.reduce((sum, { result }) => sum + result.violations.length, 0)
if (found > 0)
  console.log(
    `${found} violations; each slice with its seed and the output of its processes is in ${values.state}/slices`,
  )
if (left > 0) console.log(`${left} of ${plan.length} slices are left. Continue with --resume`)
if (found === 0 && left === 0)
  console.log('nothing was lost, nothing was executed twice, and all work recovered in time')
process.exit(found > 0 ? 1 : left > 0 ? 2 : 0)
