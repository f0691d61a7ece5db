/** Draws the chart of a machine's definition: parse, lay out, render. */
import { bundledEngine } from './bundledEngine.ts'
import { layoutChart } from './layout.ts'
import { parseChart } from './parse.ts'
import { type RenderOptions, renderChart } from './render.ts'

export async function chartSvg(definition: string | object, options: RenderOptions): Promise<string> {
  return renderChart(await layoutChart(parseChart(definition), await bundledEngine()), options)
}
