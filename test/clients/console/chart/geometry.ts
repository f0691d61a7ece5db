import type { ChartLayout, Rect } from '../../../../clients/console/chart/chartLayout.ts'

function meets(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/** Every pair that must not lie over each other and does, in words. */
export function overlaps({ boxes, connections, width, height }: ChartLayout): string[] {
  const states = boxes.filter(({ hasChildren }) => !hasChildren).map((box) => ({ name: box.node.path, rect: box }))
  const labels = connections.map(({ label, lines }) => ({ name: `"${lines.map((line) => line.event)}"`, rect: label }))
  const all = [...labels, ...states]
  const pairs = all.flatMap((a, index) =>
    all.slice(index + 1).flatMap((b) => (meets(a.rect, b.rect) ? [`${a.name} lies over ${b.name}`] : [])),
  )
  const outside = all.filter(({ rect }) => {
    return rect.x < 0 || rect.y < 0 || rect.x + rect.width > width || rect.y + rect.height > height
  })
  return [...pairs, ...outside.map(({ name }) => `${name} lies outside`)]
}
