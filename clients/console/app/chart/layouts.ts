/** Charts are laid out once for each definition, since it never changes under its hash. */
import type { LaidOutChart } from '../../chart/laidOut.ts'
import { layoutChart } from '../../chart/layout.ts'
import { parseChart } from '../../chart/parse.ts'
import { layoutEngine } from './layoutEngine.ts'

const laidOut = new Map<string, Promise<LaidOutChart>>()

/** @throws Refusal where what draws charts can't be loaded */
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
  // Shown by the browser's own tools.
  performance.measure(`layout of ${hash}`, { start })
  // Drawing it is another task: both in one would keep the page from answering for longer.
  await new Promise((next) => setTimeout(next))
  return chart
}
