/** The engine that lays charts out, in this very thread. It is 1.6 MB, so it is loaded by the first chart and not with the program. */
import type { ELK } from 'elkjs/lib/elk-api.js'

let engine: Promise<ELK> | undefined

export function bundledEngine(): Promise<ELK> {
  engine ??= import('elkjs/lib/elk.bundled.js').then(({ default: { default: Engine } }) => new Engine())
  return engine
}
