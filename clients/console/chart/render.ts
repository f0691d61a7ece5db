import { drawHub, drawLabel, drawLine, drawStart } from './draw/connections.ts'
import { drawGround, drawHeader, drawState } from './draw/states.ts'
import { wayList } from './draw/wayList.ts'
import { element, escapeXml, number, text } from './draw/xml.ts'
import type { LaidOutChart, Rect } from './laidOut.ts'
import { styleSheet, type Theme } from './style.ts'
import { findWay, isMet, isTaken, stepNames, type Taken, takenLast, type Way } from './way.ts'

export interface RenderOptions {
  readonly title: string
  readonly subtitle?: string
  readonly taken?: Taken
  /** `auto`, the default, follows the reader's system. */
  readonly theme?: Theme
}

const margin = 28

/** Renders a self-contained picture: it needs no font, script or style sheet of the page. */
export function renderChart(laidOut: LaidOutChart, options: RenderOptions): string {
  const { title, subtitle, taken = { steps: [], current: [] }, theme = 'auto' } = options
  const way = findWay(laidOut.chart, taken)
  const top = margin + 22 + (subtitle === undefined ? 0 : 20) + 14
  const width = Math.ceil(Math.max(laidOut.width, 320) + 2 * margin)
  const list = wayList(taken, way, { x: margin, y: top + laidOut.height + 26, width: width - 2 * margin })
  const height = Math.ceil(top + laidOut.height + list.height + margin)

  const { boxes, connections, hubs, starts, dividers } = laidOut
  const groups = boxes.filter(({ holds, node }) => holds && node.parent !== null && node.kind !== 'region')
  const inGroup = (label: Rect) => groups.some((box) => contains(box, label))
  const order = takenLast(connections, (one) => isTaken(one, way))
  const holders = boxes.filter((box) => box.holds)
  const states = boxes.filter((box) => !box.holds)
  const layers = [
    element('rect', { class: 'region', x: 0, y: 0, width: laidOut.width, height: laidOut.height, rx: 14 }),
    ...holders.map(drawGround),
    ...dividers.map(({ from, to }) =>
      element('line', { class: 'divider', x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
    ),
    ...starts.map((start) => drawStart(start, way)),
    ...takenLast(hubs, (hub) => isMet(hub, way)).map((hub) => drawHub(hub, way)),
    ...order.map((one) => drawLine(one, way)),
    ...holders.map((box) => drawHeader(box, way)),
    ...states.map((box) => drawState(box, way)),
    ...order.map((one) => drawLabel(one, way, inGroup(one.label))),
  ]
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      class: `statechart-${theme}`,
      role: 'img',
      'aria-label': title,
    },
    element('title', {}, escapeXml(title)),
    element('desc', {}, escapeXml(description(laidOut, options, way))),
    element('style', {}, styleSheet(theme)),
    element('rect', { class: 'paper', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 16 }),
    text(margin, margin + 16, title, 'title'),
    subtitle === undefined ? '' : text(margin, margin + 38, subtitle, 'subtitle'),
    element('g', { transform: `translate(${margin} ${number(top)})` }, ...layers),
    list.svg,
  )}\n`
}

function contains(outer: Rect, { x, y }: Rect): boolean {
  return x >= outer.x && y >= outer.y && x < outer.x + outer.width && y < outer.y + outer.height
}

function description({ chart }: LaidOutChart, { subtitle, taken }: RenderOptions, way: Way): string {
  const states = chart.nodes.filter(({ children }) => children.length === 0).map(({ name }) => name)
  const names = stepNames(way)
  const steps = (taken?.steps ?? []).map(
    ({ event, to }, index) => `${names.get(index + 1) ?? event} to ${to.join(' and ')}`,
  )
  const current = taken?.current ?? []
  const facts = [
    subtitle,
    `The statechart "${chart.id}" with ${states.length} states: ${states.join(', ')}`,
    steps.length > 0 && `The way taken: ${steps.join(', ')}`,
    current.length > 0 && `Now in ${current.join(' and ')}`,
  ]
  return facts.filter(Boolean).join('. ')
}
