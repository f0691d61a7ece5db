import type { Point } from '../laidOut.ts'
import { element, text } from './xml.ts'

const height = 15

/** Draws the numbers of the transitions, `3` or `2·5`, in a pill with its right end at the point. */
export function badge(numbers: readonly number[], { x, y }: Point): string {
  if (numbers.length === 0) return ''
  const shown = numbers.length > 3 ? `${numbers.slice(0, 2).join('·')}…${numbers.at(-1)}` : numbers.join('·')
  const width = badgeWidth(shown)
  const middle = x - width / 2
  return element(
    'g',
    {},
    element('rect', { class: 'badge', x: x - width, y: y - height / 2, width, height, rx: height / 2 }),
    text(middle, y + 3.5, shown, 'step', 'middle'),
  )
}

export function badgeWidth(shown: string): number {
  return Math.max(height, 9 + shown.length * 6)
}
