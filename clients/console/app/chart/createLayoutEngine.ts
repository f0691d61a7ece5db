/** The layout of charts in a worker. The module is loaded on demand, so that pages without charts do not load its code. */
import elk, { type ELK } from 'elkjs/lib/elk-api.js'
import type { ChartLayout } from '../../chart/chartLayout.ts'
import { type LayoutOptions, layoutChart } from '../../chart/layoutChart.ts'
import { parseChart } from '../../chart/parseChart.ts'
import { featureChart, largeChart } from './warmUpCharts.ts'

/** Lays out the chart of a machine's definition. */
export type LayoutEngine = (definition: string, options: LayoutOptions) => Promise<ChartLayout>

export async function createLayoutEngine(worker: Worker): Promise<LayoutEngine> {
  const engine = new elk.default({ workerFactory: () => worker })
  await warmUp(engine)
  return async (definition, options) => await layoutChart(parseChart(definition), engine, options)
}

/** The first layouts take several times as long as later ones, until the browser has compiled the code. */
async function warmUp(engine: ELK): Promise<void> {
  const charts = [featureChart, largeChart].map(parseChart)
  for (const chart of [...charts, ...charts]) await layoutChart(chart, engine)
}
