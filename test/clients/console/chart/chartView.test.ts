/** The part of a chart that its box shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clampZoom,
  exceeds,
  getFitZoom,
  getInitialZoom,
  getWheelFactor,
  isInside,
  maxZoom,
  minZoom,
  readableZoom,
} from '../../../../clients/console/app/chart/chartView.ts'

const box = { width: 1_000, height: 500 }

test('a chart is fitted to its box if it stays readable, at most at its original size', () => {
  assert.equal(getInitialZoom({ width: 200, height: 100 }, box), 1)
  assert.equal(getInitialZoom({ width: 1_100, height: 400 }, box), 1_000 / 1_100)
  assert.equal(getFitZoom({ width: 4_000, height: 600 }, box), 0.25)
})

test('a chart whose text would be too small is shown at a readable size', () => {
  assert.equal(getInitialZoom({ width: 4_000, height: 600 }, box), readableZoom)
  assert.ok(Math.abs(11 * readableZoom - 9) < 0.001)
})

test('the wheel zooms in and out by the same factor, and a pinch by small steps', () => {
  const wheel = (deltaY: number, ctrlKey = false, deltaMode = 0) => getWheelFactor({ deltaY, deltaMode, ctrlKey })
  assert.ok(wheel(-100) > 1 && wheel(100) < 1)
  assert.ok(Math.abs(wheel(-100) * wheel(100) - 1) < 1e-9)
  assert.equal(wheel(-10_000), wheel(-120))
  assert.ok(wheel(-3, true) > wheel(-3))
  assert.equal(wheel(-3, false, 1), wheel(-48))
})

test('a zoom has limits', () => {
  assert.deepEqual([clampZoom(0), clampZoom(1), clampZoom(99)], [minZoom, 1, maxZoom])
})

test('a chart that exceeds its box by less than a pixel has no minimap', () => {
  assert.equal(exceeds({ width: 1_000.6, height: 500 }, box), false)
  assert.equal(exceeds({ width: 1_000, height: 502 }, box), true)
})

test('a state is in view only if all of it is visible', () => {
  const view = { x: 0, y: 0, width: 100, height: 100 }
  assert.equal(isInside({ x: 10, y: 10, width: 90, height: 90 }, view), true)
  assert.equal(isInside({ x: 11, y: 10, width: 90, height: 90 }, view), false)
})
