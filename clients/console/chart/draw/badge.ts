import type { Point } from '../chartLayout.ts'
import { drawText, element } from './xml.ts'

const height = 15

/** Draws the numbers of the transitions, `3` or `2·5`, in a pill with its right end at the point. */
export function drawBadge(numbers: readonly number[], { x, y }: Point): string {
  if (numbers.length === 0) return ''
  const label = numbers.length > 3 ? `${numbers.slice(0, 2).join('·')}…${numbers.at(-1)}` : numbers.join('·')
  const width = measureBadge(label)
  const middle = x - width / 2
  return element(
    'g',
    {},
    element('rect', { class: 'badge', x: x - width, y: y - height / 2, width, height, rx: height / 2 }),
    drawText(middle, y + 3.5, label, 'step', 'middle'),
  )
}

export function measureBadge(label: string): number {
  return Math.max(height, 9 + label.length * 6)
}
