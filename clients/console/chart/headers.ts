/** Moves the name of a state with children from its top left to its top right, if a line enters at the left. */
import { allRoutes, type Box, type LaidOutChart, type Point, type Rect } from './laidOut.ts'

const margin = 4

export function withHeaders(chart: LaidOutChart): LaidOutChart {
  const lines = allRoutes(chart).flatMap(segments)
  const crossed = (rect: Rect) => lines.some((line) => meets(line, rect))
  const place = (box: Box): Box => {
    const header = headerOf(box)
    if (!box.holds || header === undefined || !crossed(header)) return box
    // At the same distance from the right border as before from the left one.
    const by = box.x + box.width - (header.x - box.x) - header.width - header.x
    const move = <P extends Point>(point: P): P => ({ ...point, x: point.x + by })
    if (by <= 0 || crossed(move(header))) return box
    return { ...box, runs: box.runs.map(move), internals: box.internals.map(move) }
  }
  return { ...chart, boxes: chart.boxes.map(place) }
}

function headerOf(box: Box): Rect | undefined {
  const runs = [...box.runs, ...box.internals]
  if (runs.length === 0) return undefined
  const x = Math.min(...runs.map((run) => run.x))
  const y = Math.min(...runs.map((run) => run.y)) - 12
  const width = Math.max(...runs.map((run) => run.x + run.width)) - x
  return { x, y, width, height: Math.max(...runs.map((run) => run.y)) + 3 - y }
}

function segments(points: readonly Point[]): Rect[] {
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? to
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
    return { x, y, width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) }
  })
}

function meets(line: Rect, box: Rect): boolean {
  return (
    line.x <= box.x + box.width + margin &&
    box.x - margin <= line.x + line.width &&
    line.y <= box.y + box.height + margin &&
    box.y - margin <= line.y + line.height
  )
}
