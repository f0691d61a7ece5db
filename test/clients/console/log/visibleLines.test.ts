/** Rows and lines of a log with folded groups. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { VisibleLines } from '../../../../clients/console/app/runs/log/visibleLines.ts'

test('a folded group has one row, which all of its lines share', () => {
  const visible = new VisibleLines(10, [
    { first: 2, end: 5 },
    { first: 7, end: 9 },
  ])
  assert.equal(visible.count, 7)
  assert.deepEqual(
    Array.from({ length: 7 }, (_, row) => visible.lineAt(row)),
    [0, 1, 2, 5, 6, 7, 9],
  )
  assert.deepEqual(
    Array.from({ length: 10 }, (_, line) => visible.rowOf(line)),
    [0, 1, 2, 2, 2, 3, 4, 5, 5, 6],
  )
})

test('rows and lines agree, whichever groups are folded', () => {
  const lengths = fc.array(fc.record({ before: fc.nat(5), length: fc.integer({ min: 1, max: 6 }) }), { maxLength: 8 })
  fc.assert(
    fc.property(lengths, fc.nat(5), (groups, after) => {
      let line = 0
      const folded = groups.map(({ before, length }) => {
        const first = line + before
        line = first + length
        return { first, end: line }
      })
      const count = line + after
      const hidden = new Set(folded.flatMap(({ first, end }) => range(first + 1, end)))
      const shown = range(0, count).filter((one) => !hidden.has(one))
      const visible = new VisibleLines(count, folded)
      assert.equal(visible.count, shown.length)
      assert.deepEqual(
        shown.map((_, row) => visible.lineAt(row)),
        shown,
      )
      for (const [row, shownLine] of shown.entries()) assert.equal(visible.rowOf(shownLine), row)
    }),
  )
})

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
