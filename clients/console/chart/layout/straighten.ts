/**
 * The engine distributes the ends of lines evenly along a state and centers labels on theirs, so lines that could be straight have
 * small jogs. This removes a jog if one of its two vertical segments can move to the position of the other without coming close to
 * another element.
 */
import { type ChartConnection, type ChartLayout, listRoutes, type Point, type Rect } from '../chartLayout.ts'

const maxJog = 14
/** The distance that a moved line keeps from other lines, boxes, labels, and the corners of the state at its end. */
const clearance = 7
const cornerClearance = 14

export function straightenConnections(chart: ChartLayout): ChartLayout {
  let connections = chart.connections
  connections.forEach((_, index) => {
    // Each pass removes one jog, and so two points.
    for (let moved = removeJog(chart, connections, index); moved; moved = removeJog(chart, connections, index)) {
      connections = connections.with(index, moved)
    }
  })
  return { ...chart, connections }
}

function removeJog(chart: ChartLayout, all: readonly ChartConnection[], index: number): ChartConnection | undefined {
  const one = all[index]
  const [points, ...more] = one?.routes ?? []
  if (one === undefined || points === undefined || more.length > 0) return undefined
  for (let at = 1; at + 2 < points.length; at += 1) {
    if (!isJog(points.slice(at - 1, at + 3))) continue
    const [a, b] = [points[at]?.x ?? 0, points[at + 1]?.x ?? 0]
    const options = [moveSegment(one, points, at - 1, b), moveSegment(one, points, at + 1, a)]
    const free = options.find((option) => option !== undefined && isFree(option, chart, all.toSpliced(index, 1)))
    if (free !== undefined) return free.connection
  }
  return undefined
}

function isJog([before, a, b, after]: readonly Point[]): boolean {
  if (before === undefined || a === undefined || b === undefined || after === undefined) return false
  if (before.x !== a.x || a.y !== b.y || b.x !== after.x) return false
  return Math.abs(a.x - b.x) <= maxJog && Math.sign(a.y - before.y) === Math.sign(after.y - b.y)
}

interface Move {
  readonly connection: ChartConnection
  /** The vertical segment at its new position, from end to end. */
  readonly line: Rect
}

/** Moves the vertical segment from the point at `at` to the next one to x, together with the label if it is on the segment. */
function moveSegment(one: ChartConnection, points: readonly Point[], at: number, x: number): Move | undefined {
  const [from, to] = [points[at], points[at + 1]]
  if (from === undefined || to === undefined) return undefined
  const by = x - from.x
  const { label } = one
  const center = { x: label.x + label.width / 2, y: label.y + label.height / 2 }
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)]
  const hasLabel = Math.abs(center.x - from.x) < 1 && center.y > top && center.y < bottom
  const shift = hasLabel ? by : 0
  const route = simplifyRoute(points.with(at, { x, y: from.y }).with(at + 1, { x, y: to.y }))
  const lines = one.lines.map((line) => ({ ...line, x: line.x + shift }))
  return {
    connection: { ...one, routes: [route], label: { ...label, x: label.x + shift }, lines },
    line: { x, y: top, width: 0, height: bottom - top },
  }
}

function simplifyRoute(points: readonly Point[]): Point[] {
  return points.filter((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]]
    if (before === undefined || after === undefined) return true
    return !(before.x === point.x && point.x === after.x) && !(before.y === point.y && point.y === after.y)
  })
}

function isFree({ connection, line }: Move, chart: ChartLayout, others: readonly ChartConnection[]): boolean {
  const { sources, target, label, routes } = connection
  const lines = listRoutes({ ...chart, connections: others }).flatMap(listVerticals)
  const labels = others.map((other) => other.label)
  const states = chart.boxes.filter(({ hasChildren }) => !hasChildren)
  const otherStates = states.filter(({ node }) => node.path !== target && !sources.includes(node.path))
  const surroundings = grow(line, clearance)
  if ([...lines, ...labels, ...otherStates].some((rect) => overlaps(surroundings, rect))) return false
  if ([...lines, ...labels, ...states].some((rect) => overlaps(grow(label, 2), rect))) return false
  const [route = []] = routes
  const [source] = sources
  return isValidEnd(route[0], sources.length > 1 ? undefined : source, chart) && isValidEnd(route.at(-1), target, chart)
}

function listVerticals(points: readonly Point[]): Rect[] {
  return points.slice(1).flatMap((to, index) => {
    const from = points[index]
    if (from === undefined || from.x !== to.x) return []
    return [{ x: to.x, y: Math.min(from.y, to.y), width: 0, height: Math.abs(to.y - from.y) }]
  })
}

/** A hub is a point, so no line may end beside it. A state's side has space. */
function isValidEnd(end: Point | undefined, path: string | undefined, { boxes, hubs }: ChartLayout): boolean {
  if (end === undefined) return false
  if (path === undefined) return hubs.some(({ at }) => Math.abs(at.x - end.x) < 1)
  const box = boxes.find(({ node }) => node.path === path)
  if (box === undefined) return false
  const onSide = end.x <= box.x || end.x >= box.x + box.width
  return onSide || (end.x >= box.x + cornerClearance && end.x <= box.x + box.width - cornerClearance)
}

function grow({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x - by, y, width: width + 2 * by, height }
}

function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
