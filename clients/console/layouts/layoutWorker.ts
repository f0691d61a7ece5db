/**
 * A worker thread that lays out charts. A layout takes up to half a second of processor time, and the main thread answers all requests.
 */
import { parentPort } from 'node:worker_threads'
import { consoleLanguageOf } from '../../../spec/messages/console/catalog.ts'
import type { ChartForm } from '../../../spec/pages/chartPath.ts'
import { type Locale, locales } from '../../../spec/pages/locales.ts'
import { loadBundledEngine } from '../chart/bundledEngine.ts'
import { type LayoutOptions, layoutChart } from '../chart/layoutChart.ts'
import { stringifyLayout } from '../chart/layoutJson.ts'
import type { ChartNode } from '../chart/model.ts'
import { parseChart } from '../chart/parseChart.ts'
import { createStateLabels } from '../labels/stateLabels.ts'
import type { LayoutRequest, LayoutResponse } from './layoutMessage.ts'

const port = parentPort
if (port === null) throw new Error('this file can run only as a worker thread')

const labels = new Map<Locale, (node: ChartNode) => string>(
  locales.map((locale) => [locale, createStateLabels(consoleLanguageOf(locale).messages)]),
)

function chooseOptions(form: ChartForm, locale: Locale): LayoutOptions {
  if (form === 'picture') return {}
  const getLabel = labels.get(locale)
  const options = { direction: form === 'right' ? 'RIGHT' : 'DOWN', figures: true } as const
  return getLabel === undefined ? options : { ...options, getLabel }
}

async function answer({ id, definition, form, locale }: LayoutRequest): Promise<LayoutResponse> {
  try {
    const layout = await layoutChart(parseChart(definition), await loadBundledEngine(), chooseOptions(form, locale))
    return { id, json: stringifyLayout(layout) }
  } catch (cause) {
    return { id, problem: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }
  }
}

port.on('message', (request: LayoutRequest) => void answer(request).then((response) => port.postMessage(response)))
// The first request need not wait for the engine.
void loadBundledEngine()
