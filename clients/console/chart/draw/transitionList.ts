/** Draws the list of transitions below the chart: number, event, and the time since the first. */

import type { Rect } from '../chartLayout.ts'
import { fonts } from '../fonts.ts'
import { formatDelay } from '../formatDelay.ts'
import { measureText } from '../measure.ts'
import { type ActorTrace, getTransitionLabels, type TakenPath, type TracedTransition } from '../takenPath.ts'
import { drawBadge, measureBadge } from './badge.ts'
import { element, escapeXml } from './xml.ts'

const lineHeight = 24
const gap = 22
const timeGap = 5

export function drawTransitionList(
  { transitions }: ActorTrace,
  path: TakenPath,
  area: Omit<Rect, 'height'>,
): { svg: string; height: number } {
  if (transitions.length === 0) return { svg: '', height: 0 }
  const names = getTransitionLabels(path)
  const begin = transitions[0]?.at ?? 0
  let x = area.x
  let y = area.y
  const items = transitions.map((transition, index) => {
    const name = names.get(index + 1) ?? transition.event
    const when = index === 0 ? '' : `+${formatDelay(transition.at - begin)}`
    const number = measureBadge(String(index + 1))
    const width = number + 6 + measureText(name + when, fonts.way) + timeGap
    if (x > area.x && x + width > area.x + area.width) {
      x = area.x
      y += lineHeight
    }
    const item = drawItem(transition, index + 1, x + number, y, [name, when])
    x += width + gap
    return item
  })
  return { svg: element('g', {}, ...items), height: y - area.y + 30 }
}

function drawItem(
  { to }: TracedTransition,
  number: number,
  x: number,
  y: number,
  [name, when]: readonly [string, string],
): string {
  const texts = [
    element('tspan', { class: 'sent' }, escapeXml(name)),
    element('tspan', { dx: timeGap }, escapeXml(when)),
  ]
  const text = element('text', { class: 'way', x: x + 6, y }, ...texts)
  return element('g', {}, element('title', {}, escapeXml(to.join(', '))), drawBadge([number], { x, y: y - 4 }), text)
}
