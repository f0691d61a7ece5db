/**
 * `npm run chaos:prove [part of a name]`: plants each fault and runs a slice that must find it. The exit status is 0 only if a
 * checker that is listed for it finds every plant.
 */
import { spawnSlice } from '../slices/spawn.ts'
import { ownTemporaryFolder } from '../slices/temporary.ts'
import { plants } from './plants.ts'

/** A fault may not show in a single run, because the run is random. */
const tries = 3

const part = process.argv[2] ?? ''
ownTemporaryFolder()
const ending = new AbortController()
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => ending.abort())
let missed = 0
for (const { name, kind, topology, count, foundBy, patches } of plants.filter((plant) => plant.name.includes(part))) {
  let by: string[] = []
  let said: string[] = []
  for (let seed = 1; seed <= tries && by.length === 0; seed++) {
    const slice = { faults: [{ kind, count }], topology, seed, estimate: 60 + count * 15, plant: name }
    const { violations } = await spawnSlice(slice, false, ending.signal)
    const checkers: readonly string[] = foundBy
    const found = violations.filter(({ checker }) => checkers.includes(checker))
    by = [...new Set(found.map(({ checker }) => checker))]
    said = violations.slice(0, 3).map(({ checker, what }) => `  ${checker}: ${what.slice(0, 300)}`)
  }
  if (by.length === 0) missed++
  const how = patches.length === 0 ? ' (the code as it is)' : ''
  console.log(`${name}${how}: ${by.length === 0 ? `NOT FOUND\n${said.join('\n')}` : `found by ${by.join(', ')}`}`)
}
process.exit(missed === 0 ? 0 : 1)
