import assert from 'node:assert/strict'
import { test } from 'node:test'
import { symbolicateUnderKills } from './symbolicateUnderKills.ts'

for (const servers of [1, 2] as const)
  test(`kills during symbolication lose no report, and each report gets the right names (servers: ${servers})`, async () => {
    const result = await symbolicateUnderKills({ kills: 6, seed: 22, servers, reports: 120, print: () => {} })
    assert.deepEqual(result.problems, [])
    assert.equal(result.kills, 6)
    for (const [status, count] of Object.entries(result.killsByStatus))
      assert.ok(count >= 1, `no server was killed while reports were ${status}`)
  })
