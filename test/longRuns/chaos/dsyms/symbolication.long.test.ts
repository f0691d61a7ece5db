import assert from 'node:assert/strict'
import { test } from 'node:test'
import { symbolicateUnderKills } from './symbolicateUnderKills.ts'

for (const servers of [1, 2] as const)
  test(`${servers} servers that are killed while they symbolicate lose no report, and each gets its right names`, async () => {
    const result = await symbolicateUnderKills({ kills: 6, seed: 22, servers, reports: 120, print: () => {} })
    assert.deepEqual(result.problems, [])
    assert.equal(result.kills, 6)
    for (const [status, count] of Object.entries(result.killsByStatus))
      assert.ok(count >= 1, `no kill while reports were ${status}`)
  })
