/** The line at which a log was at a moment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogMoments } from '../../../../clients/console/app/runs/log/logMoments.ts'

test('the line of a moment is the last one that had arrived, to the second', () => {
  const moments = new LogMoments()
  moments.add(10_000, 3)
  moments.add(10_400, 5)
  moments.add(12_000, 9)
  assert.equal(moments.findLine(9_000), 0, 'before the output')
  assert.equal(moments.findLine(10_000), 4)
  assert.equal(moments.findLine(11_999), 4)
  assert.equal(moments.findLine(99_000), 8)
})

test('a line has the time at which it began, to the second', () => {
  const moments = new LogMoments()
  assert.equal(moments.findTime(0), undefined, 'nothing has arrived')
  moments.add(10_000, 3)
  moments.add(10_400, 5)
  moments.add(12_000, 9)
  assert.deepEqual(
    [0, 4, 5, 8].map((line) => moments.findTime(line)),
    [10_000, 10_000, 12_000, 12_000],
  )
})
