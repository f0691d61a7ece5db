/** Each definition is laid out once, because the definition of a hash never changes. */
import type { LaidOutChart } from '../../chart/laidOut.ts'
import { layoutChart } from '../../chart/layout.ts'
import { parseChart } from '../../chart/parse.ts'
import { layoutEngine } from './layoutEngine.ts'

const laidOut = new Map<string, Promise<LaidOutChart>>()

/** @throws Refusal if the layout engine cannot be loaded */
export function layoutOf(hash: string, definition: string): Promise<LaidOutChart> {
  const known = laidOut.get(hash)
  if (known !== undefined) return known
  const layout = make(hash, definition)
  laidOut.set(hash, layout)
  layout.catch(() => laidOut.delete(hash))
  return layout
}

async function make(hash: string, definition: string): Promise<LaidOutChart> {
  const engine = await layoutEngine()
  const start = performance.now()
  const chart = await layoutChart(parseChart(definition), engine, { figures: true })
  // The browser's developer tools show this measure.
  performance.measure(`layout of ${hash}`, { start })
  // Rendering is a separate task. Both in one task would block the page for longer.
  await new Promise((next) => setTimeout(next))
  return chart
}
