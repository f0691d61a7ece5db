/** Draws polylines with rounded corners, and the head at their end. */
import type { Point } from '../laidOut.ts'
import { number } from './xml.ts'

const radius = 8
const headLength = 8
const headHalf = 4

export function roundedPath(points: readonly Point[], shorten = 0): string {
  const line = shortened(points, shorten)
  const [first, ...rest] = line
  if (first === undefined) return ''
  const corners = rest.map((point, index) => corner(line[index] ?? point, point, rest[index + 1]))
  return `M${at(first)}${corners.join('')}`
}

function corner(before: Point, point: Point, after: Point | undefined): string {
  if (after === undefined) return `L${at(point)}`
  const r = Math.min(radius, distance(before, point) / 2, distance(point, after) / 2)
  return `L${at(towards(point, before, r))}Q${at(point)} ${at(towards(point, after, r))}`
}

/** A filled triangle at the last point, in the direction of the last segment. */
export function headPath(points: readonly Point[]): string {
  const tip = points.at(-1)
  const before = points.at(-2)
  if (tip === undefined || before === undefined) return ''
  const base = towards(tip, before, headLength)
  const along = distance(tip, before) || 1
  const across = { x: (-(tip.y - before.y) / along) * headHalf, y: ((tip.x - before.x) / along) * headHalf }
  const left = { x: base.x + across.x, y: base.y + across.y }
  const right = { x: base.x - across.x, y: base.y - across.y }
  return `M${at(tip)}L${at(left)}L${at(right)}Z`
}

/** The line ends inside the head, not at its tip, because a thick line would be visible beside the tip. */
export const headInset = headLength - 2

function shortened(points: readonly Point[], by: number): Point[] {
  const last = points.at(-1)
  const before = points.at(-2)
  if (by === 0 || last === undefined || before === undefined) return [...points]
  return [...points.slice(0, -1), towards(last, before, Math.min(by, distance(last, before)))]
}

function towards(from: Point, to: Point, by: number): Point {
  const length = distance(from, to) || 1
  return { x: from.x + ((to.x - from.x) / length) * by, y: from.y + ((to.y - from.y) / length) * by }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function at({ x, y }: Point): string {
  return `${number(x)} ${number(y)}`
}
