/** Each definition is laid out once, because the definition of a hash never changes. */
import type { ChartLayout } from '../../chart/chartLayout.ts'
import { loadLayoutEngine } from './layoutEngine.ts'

const layouts = new Map<string, Promise<ChartLayout>>()

/** @throws ApiError if the layout engine cannot be loaded */
export function loadChartLayout(hash: string, definition: string): Promise<ChartLayout> {
  const known = layouts.get(hash)
  if (known !== undefined) return known
  const layout = computeLayout(hash, definition)
  layouts.set(hash, layout)
  layout.catch(() => layouts.delete(hash))
  return layout
}

async function computeLayout(hash: string, definition: string): Promise<ChartLayout> {
  const layOut = await loadLayoutEngine()
  const start = performance.now()
  const chart = await layOut(definition)
  // The browser's developer tools show this measure.
  performance.measure(`layout of ${hash}`, { start })
  // Rendering is a separate task. Both in one task would block the page for longer.
  await new Promise((next) => setTimeout(next))
  return chart
}
