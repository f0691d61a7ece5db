/** A bar that is shorter than its rows reaches all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  getElementHeight,
  maxElementHeight,
  moveRows,
  toBarPosition,
  toRowPosition,
} from '../../../../clients/console/app/parts/lists/scaledScroll.ts'

const lists = fc.record({
  total: fc.integer({ min: 0, max: 400_000_000 }),
  visible: fc.integer({ min: 100, max: 3_000 }),
})
const share = fc.double({ min: 0, max: 1, noNaN: true })

test('each position of the rows has a position of the bar, and the ends of both correspond', () => {
  fc.assert(
    fc.property(lists, share, (list, part) => {
      const last = {
        bar: Math.max(0, getElementHeight(list) - list.visible),
        rows: Math.max(0, list.total - list.visible),
      }
      assert.ok(getElementHeight(list) <= maxElementHeight)
      assert.equal(toRowPosition(0, list), 0)
      assert.equal(toRowPosition(last.bar, list), last.rows)
      const rows = part * last.rows
      const bar = toBarPosition(rows, list)
      assert.ok(bar >= 0 && bar <= last.bar, `${bar}`)
      assert.ok(Math.abs(toRowPosition(bar, list) - rows) < 1e-3, `${toRowPosition(bar, list)} is not ${rows}`)
    }),
  )
})

test('a lower position of the bar never shows higher rows', () => {
  fc.assert(
    fc.property(lists, share, share, (list, one, other) => {
      const height = Math.max(0, getElementHeight(list) - list.visible)
      const [less, more] = [Math.min(one, other) * height, Math.max(one, other) * height]
      assert.ok(toRowPosition(less, list) <= toRowPosition(more, list) + 1e-6)
    }),
  )
})

test('a wheel moves the rows by its own distance, and a drag moves them to where it points', () => {
  const list = { total: 200_000_000, visible: 800 }
  const middle = 100_000_000
  const bar = toBarPosition(middle, list)
  assert.equal(moveRows(middle, bar, bar + 120, list), middle + 120)
  assert.equal(moveRows(middle, bar, bar - 700, list), middle - 700)
  assert.equal(moveRows(middle, bar, 0, list), 0)
  assert.equal(moveRows(middle, bar, getElementHeight(list) - list.visible, list), list.total - list.visible)
  assert.equal(moveRows(60, 60, -5, list), 0, 'never above the first')
})

test('a list that a browser can draw at its full height is scrolled by the browser alone', () => {
  const list = { total: 5_000 * 56, visible: 800 }
  for (const [from, to] of [
    [0, 120],
    [900, 100_000],
    [5_000, 4_990],
  ] as const)
    assert.equal(moveRows(from, from, to, list), to)
})
