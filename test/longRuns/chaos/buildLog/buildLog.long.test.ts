import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followBuildLog } from './followBuildLog.ts'

test('a follower whose connection is cut receives each line of a build once, also if the server is killed', async () => {
  const result = await followBuildLog({ lines: 200_000, kills: 1, chunksBetweenCuts: 10, say: () => {} })
  assert.deepEqual(result.problems, [])
  assert.equal(result.lines, 200_000)
  assert.ok(result.cuts >= 3 && result.kills === 1, `${result.cuts} cuts, ${result.kills} kills`)
})
