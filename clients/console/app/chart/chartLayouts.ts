/** Each definition is laid out once for each direction, because the definition of a hash never changes. */
import type { ChartLayout } from '../../chart/chartLayout.ts'
import type { ChartDirection } from '../../chart/elkGraph.ts'
import type { LayoutOptions } from '../../chart/layoutChart.ts'
import { loadLayoutEngine } from './layoutEngine.ts'
import { getStateLabel } from './stateLabel.ts'

const layouts = new Map<string, Promise<ChartLayout>>()

/** @throws ApiError if the layout engine cannot be loaded */
export function loadChartLayout(hash: string, definition: string, direction: ChartDirection): Promise<ChartLayout> {
  const key = `${hash} ${direction}`
  const known = layouts.get(key)
  if (known !== undefined) return known
  const layout = computeLayout(hash, definition, { direction, figures: true, getLabel: getStateLabel })
  layouts.set(key, layout)
  layout.catch(() => layouts.delete(key))
  return layout
}

/** Returns the layout of a chart to export: from top to bottom, with the names that the API has. */
export async function computeExportLayout(definition: string): Promise<ChartLayout> {
  const layOut = await loadLayoutEngine()
  return await layOut(definition, {})
}

async function computeLayout(hash: string, definition: string, options: LayoutOptions): Promise<ChartLayout> {
  const layOut = await loadLayoutEngine()
  const start = performance.now()
  const chart = await layOut(definition, options)
  // The browser's developer tools show this measure.
  performance.measure(`layout of ${hash}`, { start })
  // Rendering is a separate task. Both in one task would block the page for longer.
  await new Promise((next) => setTimeout(next))
  return chart
}
