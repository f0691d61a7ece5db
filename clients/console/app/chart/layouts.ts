/** Charts are laid out once for each definition: it never changes under its hash, and the engine is loaded for the first. */
import type { LaidOutChart } from '../../chart/laidOut.ts'

const laidOut = new Map<string, Promise<LaidOutChart>>()

export function layoutOf(hash: string, definition: string): Promise<LaidOutChart> {
  let layout = laidOut.get(hash)
  if (layout === undefined) {
    layout = make(definition)
    laidOut.set(hash, layout)
  }
  return layout
}

async function make(definition: string): Promise<LaidOutChart> {
  const [{ layoutChart }, { parseChart }] = await Promise.all([
    import('../../chart/layout.ts'),
    import('../../chart/parse.ts'),
  ])
  return await layoutChart(parseChart(definition))
}
