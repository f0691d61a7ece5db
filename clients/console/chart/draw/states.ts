import type { Box, InternalRun } from '../chartLayout.ts'
import { formatDelay } from '../formatDelay.ts'
import type { ChartNode } from '../model.ts'
import type { TakenPath } from '../takenPath.ts'
import { drawBadge } from './badge.ts'
import { drawText, element, escapeXml } from './xml.ts'

/** Draws the background of a state with children. The root and its regions have no border: the paper and the dashed lines frame them. */
export function drawBackground(box: Box): string {
  const { node, x, y, width, height } = box
  if (!box.hasChildren || node.parent === null || node.kind === 'region') return ''
  return element('rect', { class: 'group', x, y, width, height, rx: 12 })
}

/** Draws the header of a state with children. It is above the lines that pass below it. */
export function drawHeader(box: Box, path: TakenPath): string {
  if (!box.hasChildren) return ''
  return element('g', {}, drawTooltip(box.node), ...drawTexts(box, path))
}

export function drawState(box: Box, path: TakenPath): string {
  const { node, x, y, width, height } = box
  const rect = element('rect', { class: 'box', x, y, width, height, rx: 9 })
  const inner = node.terminal
    ? element('rect', { class: 'inner', x: x + 3.5, y: y + 3.5, width: width - 7, height: height - 7, rx: 6 })
    : ''
  return element('g', { class: stateClasses(node, path) }, drawTooltip(node), rect, inner, ...drawTexts(box, path))
}

function stateClasses({ path, terminal }: ChartNode, taken: TakenPath): string {
  const visit = taken.current.has(path) ? ['current'] : taken.visited.has(path) ? ['visited'] : []
  return ['state', ...(terminal ? ['terminal'] : []), ...visit].join(' ')
}

function drawTexts(box: Box, taken: TakenPath): string[] {
  // Text in the middle of a state stays there if the font is narrower than the table of widths.
  const texts = box.texts.map((run) =>
    box.hasChildren
      ? drawText(run.x, run.y, run.text, run.font)
      : drawText(box.x + box.width / 2, run.y, run.text, run.font, 'middle'),
  )
  return [...texts, ...box.internals.map((run) => drawInternal(run, taken.edges.get(run.edge) ?? []))]
}

/** An internal transition has a ring before it. If it was used, the numbers of its uses replace the ring. */
function drawInternal(run: InternalRun, numbers: readonly number[]): string {
  const ring = element('circle', { class: 'ring', cx: run.x + 3.5, cy: run.y - 3.5, r: 2.6 })
  const isUsed = numbers.length > 0
  const mark = isUsed ? drawBadge(numbers, { x: run.x + 8, y: run.y - 3.5 }) : ring
  return mark + drawText(run.x + 11, run.y, run.text, isUsed ? 'internal used' : 'internal')
}

/** Returns the tooltip of a state. */
function drawTooltip({ path, name, label, meta }: ChartNode): string {
  const facts = [
    label === name ? name : `${name}: ${label}`,
    meta.waitsFor && `Waits for ${meta.waitsFor}.`,
    meta.expected !== undefined && `Should take at most ${formatDelay(meta.expected)}.`,
    meta.lease && `Watched by ${meta.lease}.`,
    meta.unbounded && `No deadline: ${meta.unbounded}.`,
  ]
  return path === '' ? '' : element('title', {}, escapeXml(facts.filter(Boolean).join('\n')))
}
