import type { ChartConnection, Hub, InitialArrow, LabelLine, Routes } from '../chartLayout.ts'
import { guardGap } from '../labels.ts'
import { isConnectionTaken, isHubTaken, isLineTaken, sortTakenLast, type TakenPath } from '../takenPath.ts'
import { drawBadge } from './badge.ts'
import { drawHead, drawRoundedPath, headInset } from './path.ts'
import { element, escapeXml } from './xml.ts'

export function drawLine(connection: ChartConnection, path: TakenPath): string {
  return element(
    'g',
    { class: isConnectionTaken(connection, path) ? 'edge taken' : 'edge' },
    ...drawArrow(connection.routes),
  )
}

/** A dot where lines meet. */
export function drawHub(hub: Hub, path: TakenPath): string {
  const { at, branches } = hub
  const isTaken = (branch: Hub['branches'][number]) => isLineTaken(branch, path)
  const edgeClass = (taken: boolean) => ({ class: taken ? 'edge taken' : 'edge' })
  const lines = sortTakenLast(branches, isTaken).map((one) =>
    element('g', edgeClass(isTaken(one)), ...drawPolylines(one.routes)),
  )
  const dot = element('circle', { class: 'dot', cx: at.x, cy: at.y, r: 4 })
  return element('g', {}, ...lines, element('g', edgeClass(isHubTaken(hub, path)), dot))
}

/** The background of a label hides the line behind it, so it has the color of the area below. */
export function drawLabel(connection: ChartConnection, path: TakenPath, inGroup: boolean): string {
  const { x, y, width, height } = connection.label
  const pill = element('rect', { class: inGroup ? 'pill within' : 'pill', x, y, width, height, rx: 7 })
  const lines = connection.lines.map((line) => {
    const numbers = new Set(line.edges.flatMap((edge) => path.edges.get(edge) ?? []))
    return drawEvent(
      line,
      x,
      [...numbers].toSorted((a, b) => a - b),
    )
  })
  return element('g', { class: isConnectionTaken(connection, path) ? 'edge taken' : 'edge' }, pill, ...lines)
}

function drawEvent(line: LabelLine, left: number, numbers: readonly number[]): string {
  const guard = line.guard === '' ? '' : element('tspan', { class: 'guard', dx: guardGap }, escapeXml(line.guard))
  const className = numbers.length > 0 ? 'event used' : 'event'
  const attributes = { x: line.x, y: line.y, class: className, 'text-anchor': 'middle' }
  return element('text', attributes, escapeXml(line.event), guard) + drawBadge(numbers, { x: left + 4, y: line.y - 4 })
}

export function drawStart(start: InitialArrow, path: TakenPath): string {
  const numbers = path.starts.get(start.target) ?? []
  const { x, y } = start.dot
  const dot = element('circle', { class: 'dot', cx: x, cy: y, r: 5 })
  return element(
    'g',
    { class: numbers.length > 0 ? 'start taken' : 'start' },
    dot,
    ...drawArrow(start.routes),
    drawBadge(numbers, { x: x - 9, y }),
  )
}

function drawPolylines(routes: Routes): string[] {
  return routes.map((points) => element('path', { class: 'line', d: drawRoundedPath(points) }))
}

function drawArrow(routes: Routes): string[] {
  const last = routes.at(-1) ?? []
  return [
    ...drawPolylines(routes.slice(0, -1)),
    element('path', { class: 'line', d: drawRoundedPath(last, headInset) }),
    element('path', { class: 'head', d: drawHead(last) }),
  ]
}
