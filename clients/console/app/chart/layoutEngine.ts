/** The layout engine for charts, in its worker. It is started once for all charts of the page. */
import elk, { type ELK } from 'elkjs/lib/elk-api.js'
import { facts } from '../../browser/page.ts'
import { layoutChart } from '../../chart/layout.ts'
import { parseChart } from '../../chart/parse.ts'
import type { ConsoleFacts } from '../../pages/facts.ts'
import { Refusal } from '../data/ask.ts'
import { crowd, sample } from './sample.ts'

let engine: Promise<ELK> | undefined

/** @throws Refusal if it cannot be loaded. The next call tries again */
export function layoutEngine(): Promise<ELK> {
  engine ??= start().catch((error: unknown) => {
    engine = undefined
    throw error
  })
  return engine
}

/**
 * Starts the engine when a link to a chart is hovered or focused. Its start takes longer than the layout of a chart. It costs a
 * second of processor time, so a page without charts does not start it.
 */
export function startEngineOnInterest(): void {
  const interest = ({ target }: Event): void => {
    const href = target instanceof Element ? target.closest('a')?.getAttribute('href') : null
    if (hasChart.test(href ?? '')) void layoutEngine().catch(() => {})
  }
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, interest, { passive: true })
}

const hasChart = /^\/(runs|worktrees|actors|kinds)\/./

async function start(): Promise<ELK> {
  const began = performance.now()
  const worker = new Worker(facts<ConsoleFacts>().chartEngine)
  const started = new elk.default({ workerFactory: () => worker })
  // If its worker fails to load, the engine waits for a response forever.
  const failed = new Promise<never>((_, reject) => worker.addEventListener('error', () => reject(notLoaded())))
  await Promise.race([warmUp(started), failed])
  performance.measure('start of the layout engine', { start: began })
  return started
}

/** The first layouts take several times as long as later ones, until the browser has compiled the code. */
async function warmUp(engine: ELK): Promise<void> {
  const charts = [sample, crowd].map(parseChart)
  for (const chart of [...charts, ...charts]) await layoutChart(chart, engine)
}

function notLoaded(): Refusal {
  const message = 'What draws charts did not load. If the server has been updated, load this page anew.'
  return new Refusal('DISCONNECTED', message, { retryable: true })
}
