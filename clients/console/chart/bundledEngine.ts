/** The layout engine for charts, in the same thread. It is 1.6 MB, so the first chart loads it. */
import type { ELK } from 'elkjs/lib/elk-api.js'

let engine: Promise<ELK> | undefined

export function loadBundledEngine(): Promise<ELK> {
  engine ??= import('elkjs/lib/elk.bundled.js').then(({ default: { default: Engine } }) => new Engine())
  return engine
}
