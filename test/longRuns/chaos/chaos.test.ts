/**
 * Kills of the program, its database and its agents. `npm run chaos:kills` takes longer, and `node
 * test/longRuns/chaos/plants/proveKills.ts` proves the checkers.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { bundleAgent } from '../../../clients/agent/bundle.ts'
import { mutate, sourceOf } from '../mutants/mutant.ts'
import { chaos } from './kills/chaosRun.ts'
import { detailed, findings, summary } from './kills/report.ts'
import { killPlants } from './plants/killPlants.ts'

test('nothing acknowledged is lost, and no rule is broken, whatever is killed', {
  timeout: 180_000,
}, async (context) => {
  const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
  const seen = await chaos({ seed, kills: 6, databaseKills: 2, agentKills: 2 })
  context.diagnostic(`seed ${seed}`)
  for (const line of summary(seen).split('\n')) context.diagnostic(line)
  const found = findings(seen)
  assert.equal(found.size, 0, `seed ${seed}\n${detailed(seen, found)}`)
  assert.ok(seen.asked.length > 20 && seen.lines.length > 10, 'there was too little load to say anything')
})

test('every planted fault still fits its source', async () => {
  const { source } = await bundleAgent()
  for (const fault of killPlants) {
    if (fault.inProgram) {
      const mutant = { name: fault.name, fault: fault.name, tests: [], ...fault.inProgram }
      assert.ok(mutate(mutant, await readFile(sourceOf(mutant), 'utf8')))
    }
    assert.notEqual(fault.inAgent?.(source), source)
  }
})
