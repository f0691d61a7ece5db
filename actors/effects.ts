/** The effects that machines may ask for, and who carries each out. `tell` is the runtime's own. */
import type { EffectHandler } from './dispatcher.ts'
import { endStream } from './effects/endStream.ts'
import type { Streams } from './ports.ts'

export interface EffectPorts {
  readonly streams: Streams
}

export function effectHandlers(ports: EffectPorts): ReadonlyMap<string, EffectHandler> {
  return new Map([['endStream', endStream(ports)]])
}
