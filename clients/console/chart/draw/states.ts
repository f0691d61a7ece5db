import { duration } from '../duration.ts'
import type { Box, InternalRun } from '../laidOut.ts'
import type { ChartNode } from '../model.ts'
import type { Way } from '../way.ts'
import { badge } from './badge.ts'
import { element, escapeXml, text } from './xml.ts'

/** Draws the background of a state with children. The root and its regions have no border: the paper and the dashed lines frame them. */
export function drawGround(box: Box): string {
  const { node, x, y, width, height } = box
  if (!box.holds || node.parent === null || node.kind === 'region') return ''
  return element('rect', { class: 'group', x, y, width, height, rx: 12 })
}

/** Draws the header of a state with children. It is above the lines that pass below it. */
export function drawHeader(box: Box, way: Way): string {
  if (!box.holds) return ''
  return element('g', {}, tip(box.node), ...texts(box, way))
}

export function drawState(box: Box, way: Way): string {
  const { node, x, y, width, height } = box
  const rect = element('rect', { class: 'box', x, y, width, height, rx: 9 })
  const inner = node.terminal
    ? element('rect', { class: 'inner', x: x + 3.5, y: y + 3.5, width: width - 7, height: height - 7, rx: 6 })
    : ''
  return element('g', { class: classes(node, way) }, tip(node), rect, inner, ...texts(box, way))
}

function classes({ path, terminal }: ChartNode, way: Way): string {
  const place = way.current.has(path) ? ['current'] : way.visited.has(path) ? ['visited'] : []
  return ['state', ...(terminal ? ['terminal'] : []), ...place].join(' ')
}

function texts(box: Box, way: Way): string[] {
  // Text in the middle of a state stays there if the font is narrower than the table of widths.
  const runs = box.runs.map((run) =>
    box.holds
      ? text(run.x, run.y, run.text, run.face)
      : text(box.x + box.width / 2, run.y, run.text, run.face, 'middle'),
  )
  return [...runs, ...box.internals.map((run) => internal(run, way.edges.get(run.edge) ?? []))]
}

/** An internal transition has a ring before it. If it was used, the numbers of its uses replace the ring. */
function internal(run: InternalRun, steps: readonly number[]): string {
  const ring = element('circle', { class: 'ring', cx: run.x + 3.5, cy: run.y - 3.5, r: 2.6 })
  const used = steps.length > 0
  const mark = used ? badge(steps, { x: run.x + 8, y: run.y - 3.5 }) : ring
  return mark + text(run.x + 11, run.y, run.text, used ? 'internal used' : 'internal')
}

/** Returns the tooltip of a state. */
function tip({ path, name, label, meta }: ChartNode): string {
  const facts = [
    label === name ? name : `${name}: ${label}`,
    meta.waitsFor && `Waits for ${meta.waitsFor}.`,
    meta.expected !== undefined && `Should take at most ${duration(meta.expected)}.`,
    meta.lease && `Watched by ${meta.lease}.`,
    meta.unbounded && `No deadline: ${meta.unbounded}.`,
  ]
  return path === '' ? '' : element('title', {}, escapeXml(facts.filter(Boolean).join('\n')))
}
