/**
 * Moves the header of a state with children, its name and its internal transitions, to the top right if a line crosses it, and none would cross
 * it there.
 */
import { type Box, type ChartLayout, listRoutes, type Point, type Rect } from '../chartLayout.ts'

const margin = 4
/** The height of a text above and below its base line. */
const ascent = 12
const descent = 3

export function placeStateNames(chart: ChartLayout): ChartLayout {
  const lines = listRoutes(chart).flatMap(listSegments)
  const isCrossed = (rect: Rect) => lines.some((line) => overlaps(line, rect))
  const place = (box: Box): Box => {
    const header = getHeaderArea(box)
    if (!box.hasChildren || header === undefined || !isCrossed(header)) return box
    // At the same distance from the right border as before from the left one.
    const shift = box.x + box.width - (header.x - box.x) - header.width - header.x
    const move = <P extends Point>(point: P): P => ({ ...point, x: point.x + shift })
    if (shift <= 0 || isCrossed(move(header))) return box
    return { ...box, texts: box.texts.map(move), internals: box.internals.map(move) }
  }
  return { ...chart, boxes: chart.boxes.map(place) }
}

function getHeaderArea(box: Box): Rect | undefined {
  const texts = [...box.texts, ...box.internals]
  if (texts.length === 0) return undefined
  const x = Math.min(...texts.map((text) => text.x))
  const y = Math.min(...texts.map((text) => text.y)) - ascent
  const width = Math.max(...texts.map((text) => text.x + text.width)) - x
  return { x, y, width, height: Math.max(...texts.map((text) => text.y)) + descent - y }
}

function listSegments(points: readonly Point[]): Rect[] {
  return points.slice(1).map((to, index) => {
    const from = points[index] ?? to
    const [x, y] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
    return { x, y, width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) }
  })
}

function overlaps(line: Rect, box: Rect): boolean {
  return (
    line.x <= box.x + box.width + margin &&
    box.x - margin <= line.x + line.width &&
    line.y <= box.y + box.height + margin &&
    box.y - margin <= line.y + line.height
  )
}
