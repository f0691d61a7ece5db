import { guardGap } from '../labels.ts'
import type { Connection, Hub, LabelLine, Routes, Start } from '../laidOut.ts'
import { isMet, isPassed, isTaken, takenLast, type Way } from '../way.ts'
import { badge } from './badge.ts'
import { headInset, headPath, roundedPath } from './path.ts'
import { element, escapeXml } from './xml.ts'

export function drawLine(connection: Connection, way: Way): string {
  return element('g', { class: isTaken(connection, way) ? 'edge taken' : 'edge' }, ...arrow(connection.routes))
}

/** A dot where lines meet. */
export function drawHub(hub: Hub, way: Way): string {
  const { at, branches } = hub
  const isOne = (branch: Hub['branches'][number]) => isPassed(branch, way)
  const classOf = (taken: boolean) => ({ class: taken ? 'edge taken' : 'edge' })
  const lines = takenLast(branches, isOne).map((one) => element('g', classOf(isOne(one)), ...bare(one.routes)))
  const dot = element('circle', { class: 'dot', cx: at.x, cy: at.y, r: 4 })
  return element('g', {}, ...lines, element('g', classOf(isMet(hub, way)), dot))
}

/** The background of a label hides the line behind it, so it has the color of the area below. */
export function drawLabel(connection: Connection, way: Way, inGroup: boolean): string {
  const { x, y, width, height } = connection.label
  const pill = element('rect', { class: inGroup ? 'pill within' : 'pill', x, y, width, height, rx: 7 })
  const lines = connection.lines.map((line) => {
    const steps = new Set(line.edges.flatMap((edge) => way.edges.get(edge) ?? []))
    return drawEvent(
      line,
      x,
      [...steps].toSorted((a, b) => a - b),
    )
  })
  return element('g', { class: isTaken(connection, way) ? 'edge taken' : 'edge' }, pill, ...lines)
}

function drawEvent(line: LabelLine, left: number, steps: readonly number[]): string {
  const guard = line.guard === '' ? '' : element('tspan', { class: 'guard', dx: guardGap }, escapeXml(line.guard))
  const used = steps.length > 0 ? 'event used' : 'event'
  const place = { x: line.x, y: line.y, class: used, 'text-anchor': 'middle' }
  return element('text', place, escapeXml(line.event), guard) + badge(steps, { x: left + 4, y: line.y - 4 })
}

export function drawStart(start: Start, way: Way): string {
  const steps = way.starts.get(start.target) ?? []
  const { x, y } = start.dot
  const dot = element('circle', { class: 'dot', cx: x, cy: y, r: 5 })
  return element(
    'g',
    { class: steps.length > 0 ? 'start taken' : 'start' },
    dot,
    ...arrow(start.routes),
    badge(steps, { x: x - 9, y }),
  )
}

function bare(routes: Routes): string[] {
  return routes.map((points) => element('path', { class: 'line', d: roundedPath(points) }))
}

function arrow(routes: Routes): string[] {
  const last = routes.at(-1) ?? []
  return [
    ...bare(routes.slice(0, -1)),
    element('path', { class: 'line', d: roundedPath(last, headInset) }),
    element('path', { class: 'head', d: headPath(last) }),
  ]
}
