/** Draws the list of transitions below the chart: number, event, and the time since the first. */
import { duration } from '../duration.ts'
import { faces } from '../faces.ts'
import type { Rect } from '../laidOut.ts'
import { textWidth } from '../measure.ts'
import { type Step, stepNames, type Taken, type Way } from '../way.ts'
import { badge, badgeWidth } from './badge.ts'
import { element, escapeXml } from './xml.ts'

const lineHeight = 24
const gap = 22
const timeGap = 5

export function wayList({ steps }: Taken, way: Way, place: Omit<Rect, 'height'>): { svg: string; height: number } {
  if (steps.length === 0) return { svg: '', height: 0 }
  const names = stepNames(way)
  const begin = steps[0]?.at ?? 0
  let x = place.x
  let y = place.y
  const items = steps.map((step, index) => {
    const told = names.get(index + 1) ?? step.event
    const when = index === 0 ? '' : `+${duration(step.at - begin)}`
    const number = badgeWidth(String(index + 1))
    const width = number + 6 + textWidth(told + when, faces.way) + timeGap
    if (x > place.x && x + width > place.x + place.width) {
      x = place.x
      y += lineHeight
    }
    const item = draw(step, index + 1, x + number, y, [told, when])
    x += width + gap
    return item
  })
  return { svg: element('g', {}, ...items), height: y - place.y + 30 }
}

function draw({ to }: Step, number: number, x: number, y: number, [told, when]: readonly [string, string]): string {
  const words = [
    element('tspan', { class: 'told' }, escapeXml(told)),
    element('tspan', { dx: timeGap }, escapeXml(when)),
  ]
  const text = element('text', { class: 'way', x: x + 6, y }, ...words)
  return element('g', {}, element('title', {}, escapeXml(to.join(', '))), badge([number], { x, y: y - 4 }), text)
}
