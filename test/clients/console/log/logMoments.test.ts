/** The line at which a log was at a moment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogMoments } from '../../../../clients/console/app/runs/log/logMoments.ts'

test('a moment is at the last line that there was, to the second', () => {
  const moments = new LogMoments()
  moments.add(10_000, 3)
  moments.add(10_400, 5)
  moments.add(12_000, 9)
  assert.equal(moments.findLine(9_000), 0, 'before the output')
  assert.equal(moments.findLine(10_000), 4)
  assert.equal(moments.findLine(11_999), 4)
  assert.equal(moments.findLine(99_000), 8)
})
