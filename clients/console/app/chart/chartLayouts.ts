/** The layouts of charts, which the server computes. A page requests each once, because the definition of a hash never changes. */
import { type ChartForm, getChartPath } from '../../../../spec/pages/chartPath.ts'
import type { ChartLayout } from '../../chart/chartLayout.ts'
import { parseLayout } from '../../chart/layoutJson.ts'
import { transferFile } from '../data/requestRest.ts'
import { locale } from '../messages.ts'

export interface ChartId {
  /** The kind as the API writes it. */
  readonly kind: string
  /** The hash of the definition. */
  readonly hash: string
}

const layouts = new Map<string, Promise<ChartLayout>>()

const timeoutMs = 30_000

/** @throws ApiError */
export function loadChartLayout(chart: ChartId, form: ChartForm): Promise<ChartLayout> {
  const path = getChartPath({ ...chart, locale, form })
  const known = layouts.get(path)
  if (known !== undefined) return known
  const layout = requestLayout(path, chart)
  layouts.set(path, layout)
  layout.catch(() => layouts.delete(path))
  return layout
}

async function requestLayout(path: string, { kind }: ChartId): Promise<ChartLayout> {
  const start = performance.now()
  const response = await transferFile(path, { signal: AbortSignal.timeout(timeoutMs) }, 'DISCONNECTED')
  const layout = parseLayout(await response.text())
  // The browser's developer tools show this measure.
  performance.measure(`layout of ${kind}`, { start })
  return layout
}
