/** Draws polylines with rounded corners, and the head at their end. */
import type { Point } from '../chartLayout.ts'
import { formatNumber } from './xml.ts'

const radius = 8
const headLength = 8
const headHalf = 4

export function drawRoundedPath(points: readonly Point[], inset = 0): string {
  const line = shorten(points, inset)
  const [first, ...rest] = line
  if (first === undefined) return ''
  const corners = rest.map((point, index) => drawCorner(line[index] ?? point, point, rest[index + 1]))
  return `M${formatPoint(first)}${corners.join('')}`
}

function drawCorner(before: Point, point: Point, after: Point | undefined): string {
  if (after === undefined) return `L${formatPoint(point)}`
  const r = Math.min(radius, getDistance(before, point) / 2, getDistance(point, after) / 2)
  return `L${formatPoint(moveTowards(point, before, r))}Q${formatPoint(point)} ${formatPoint(moveTowards(point, after, r))}`
}

/** A filled triangle at the last point, in the direction of the last segment. */
export function drawHead(points: readonly Point[]): string {
  const tip = points.at(-1)
  const before = points.at(-2)
  if (tip === undefined || before === undefined) return ''
  const base = moveTowards(tip, before, headLength)
  const length = getDistance(tip, before) || 1
  const sideways = { x: (-(tip.y - before.y) / length) * headHalf, y: ((tip.x - before.x) / length) * headHalf }
  const left = { x: base.x + sideways.x, y: base.y + sideways.y }
  const right = { x: base.x - sideways.x, y: base.y - sideways.y }
  return `M${formatPoint(tip)}L${formatPoint(left)}L${formatPoint(right)}Z`
}

/** The line ends inside the head, not at its tip, because a thick line would be visible beside the tip. */
export const headInset = headLength - 2

function shorten(points: readonly Point[], by: number): Point[] {
  const last = points.at(-1)
  const before = points.at(-2)
  if (by === 0 || last === undefined || before === undefined) return [...points]
  return [...points.slice(0, -1), moveTowards(last, before, Math.min(by, getDistance(last, before)))]
}

function moveTowards(from: Point, to: Point, by: number): Point {
  const length = getDistance(from, to) || 1
  return { x: from.x + ((to.x - from.x) / length) * by, y: from.y + ((to.y - from.y) / length) * by }
}

function getDistance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function formatPoint({ x, y }: Point): string {
  return `${formatNumber(x)} ${formatNumber(y)}`
}
