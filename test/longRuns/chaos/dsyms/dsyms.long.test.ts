import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendUnderKills } from './sendUnderKills.ts'

test('a server that is killed while it receives, verifies and indexes dSYMs loses none of them', async () => {
  const { problems, kills, sentAgain } = await sendUnderKills({ kills: 12, seed: 21, say: () => {} })
  assert.deepEqual(problems, [])
  assert.equal(kills, 12)
  assert.ok(sentAgain <= 16 * 1024 ** 2, `${sentAgain} bytes were sent again`)
})
