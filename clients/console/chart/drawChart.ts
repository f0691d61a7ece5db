/** Draws the chart of a machine's definition: parse, lay out, render. */
import { loadBundledEngine } from './bundledEngine.ts'
import { layoutChart } from './layoutChart.ts'
import { parseChart } from './parseChart.ts'
import { type RenderOptions, renderChart } from './renderChart.ts'

export async function drawChart(definition: string | object, options: RenderOptions): Promise<string> {
  return renderChart(await layoutChart(parseChart(definition), await loadBundledEngine()), options)
}
