/**
 * Kills of the program, its database and its agents. `npm run chaos:kills` takes longer, and `node
 * test/longRuns/chaos/plants/proveKills.ts` proves the checkers.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { bundleAgent } from '../../../clients/agent/bundle.ts'
import { mutate, sourceOf } from '../mutants/mutant.ts'
import { killPlants } from './plants/killPlants.ts'
import { testKills } from './shortChaos.ts'

testKills({ kills: 2, databaseKills: 1, agentKills: 1 })

test('every text that a planted fault replaces occurs exactly once in its source', async () => {
  const { source } = await bundleAgent()
  for (const fault of killPlants) {
    if (fault.inProgram) {
      const mutant = { name: fault.name, fault: fault.name, tests: [], ...fault.inProgram }
      assert.ok(mutate(mutant, await readFile(sourceOf(mutant), 'utf8')))
    }
    assert.notEqual(fault.inAgent?.(source), source)
  }
})
