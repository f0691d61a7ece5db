/** Charts are laid out once for each definition: it never changes under its hash, and the engine is loaded for the first. */
import type { ELK } from 'elkjs/lib/elk-api.js'
import { facts } from '../../browser/page.ts'
import type { LaidOutChart } from '../../chart/laidOut.ts'
import type { ConsoleFacts } from '../../pages/facts.ts'

const laidOut = new Map<string, Promise<LaidOutChart>>()

export function layoutOf(hash: string, definition: string): Promise<LaidOutChart> {
  let layout = laidOut.get(hash)
  if (layout === undefined) {
    layout = make(hash, definition)
    laidOut.set(hash, layout)
  }
  return layout
}

let engine: Promise<ELK> | undefined

async function startEngine(): Promise<ELK> {
  const Engine = (await import('elkjs/lib/elk-api.js')).default.default
  return new Engine({ workerFactory: () => new Worker(facts<ConsoleFacts>().chartEngine, { type: 'module' }) })
}

async function make(hash: string, definition: string): Promise<LaidOutChart> {
  engine ??= startEngine()
  const [{ layoutChart }, { parseChart }] = await Promise.all([
    import('../../chart/layout.ts'),
    import('../../chart/parse.ts'),
  ])
  const start = performance.now()
  const chart = await layoutChart(parseChart(definition), await engine)
  // Shown by the browser's own tools.
  performance.measure(`layout of ${hash}`, { start })
  return chart
}
