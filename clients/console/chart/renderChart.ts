import type { ChartLayout, Rect } from './chartLayout.ts'
import { drawHub, drawLabel, drawLine, drawStart } from './draw/connections.ts'
import { drawBackground, drawHeader, drawState } from './draw/states.ts'
import { drawTransitionList } from './draw/transitionList.ts'
import { drawText, element, escapeXml, formatNumber } from './draw/xml.ts'
import { type ChartTheme, createStyleSheet } from './styleSheet.ts'
import {
  type ActorTrace,
  findTakenPath,
  getTransitionLabels,
  isConnectionTaken,
  isHubTaken,
  sortTakenLast,
  type TakenPath,
} from './takenPath.ts'

export interface RenderOptions {
  readonly title: string
  readonly subtitle?: string
  readonly trace?: ActorTrace
  /** `auto`, the default, follows the reader's system. */
  readonly theme?: ChartTheme
}

const margin = 28

/** Renders a self-contained picture: it needs no font, script or style sheet of the page. */
export function renderChart(layout: ChartLayout, options: RenderOptions): string {
  const { title, subtitle, trace = { transitions: [], current: [] }, theme = 'auto' } = options
  const path = findTakenPath(layout.chart, trace)
  const top = margin + 22 + (subtitle === undefined ? 0 : 20) + 14
  const width = Math.ceil(Math.max(layout.width, 320) + 2 * margin)
  const list = drawTransitionList(trace, path, { x: margin, y: top + layout.height + 26, width: width - 2 * margin })
  const height = Math.ceil(top + layout.height + list.height + margin)

  const { boxes, connections, hubs, starts, dividers } = layout
  const groups = boxes.filter(({ hasChildren, node }) => hasChildren && node.parent !== null && node.kind !== 'region')
  const inGroup = (label: Rect) => groups.some((box) => contains(box, label))
  const ordered = sortTakenLast(connections, (one) => isConnectionTaken(one, path))
  const parents = boxes.filter((box) => box.hasChildren)
  const states = boxes.filter((box) => !box.hasChildren)
  const layers = [
    element('rect', { class: 'region', x: 0, y: 0, width: layout.width, height: layout.height, rx: 14 }),
    ...parents.map(drawBackground),
    ...dividers.map(({ from, to }) =>
      element('line', { class: 'divider', x1: from.x, y1: from.y, x2: to.x, y2: to.y }),
    ),
    ...starts.map((start) => drawStart(start, path)),
    ...sortTakenLast(hubs, (hub) => isHubTaken(hub, path)).map((hub) => drawHub(hub, path)),
    ...ordered.map((one) => drawLine(one, path)),
    ...parents.map((box) => drawHeader(box, path)),
    ...states.map((box) => drawState(box, path)),
    ...ordered.map((one) => drawLabel(one, path, inGroup(one.label))),
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
    element('desc', {}, escapeXml(describeChart(layout, options, path))),
    element('style', {}, createStyleSheet(theme)),
    element('rect', { class: 'paper', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 16 }),
    drawText(margin, margin + 16, title, 'title'),
    subtitle === undefined ? '' : drawText(margin, margin + 38, subtitle, 'subtitle'),
    element('g', { transform: `translate(${margin} ${formatNumber(top)})` }, ...layers),
    list.svg,
  )}\n`
}

function contains(outer: Rect, { x, y }: Rect): boolean {
  return x >= outer.x && y >= outer.y && x < outer.x + outer.width && y < outer.y + outer.height
}

function describeChart({ chart }: ChartLayout, { subtitle, trace }: RenderOptions, path: TakenPath): string {
  const states = chart.nodes.filter(({ children }) => children.length === 0).map(({ name }) => name)
  const names = getTransitionLabels(path)
  const transitions = (trace?.transitions ?? []).map(
    ({ event, to }, index) => `${names.get(index + 1) ?? event} to ${to.join(' and ')}`,
  )
  const current = trace?.current ?? []
  const facts = [
    subtitle,
    `The statechart "${chart.id}" with ${states.length} states: ${states.join(', ')}`,
    transitions.length > 0 && `The way taken: ${transitions.join(', ')}`,
    current.length > 0 && `Now in ${current.join(' and ')}`,
  ]
  return facts.filter(Boolean).join('. ')
}
