/** The effects that machines may ask for, and who carries each out. `tell` is the runtime's own. */
import type { EffectHandler } from '../outbox/dispatcher.ts'
import { type EndStreamPorts, endStream } from './endStream.ts'
import { type NotifyPorts, notify } from './notify.ts'
import { type PushPorts, push } from './push/push.ts'

export interface EffectPorts extends EndStreamPorts, NotifyPorts, PushPorts {}

export function effectHandlers(ports: EffectPorts): ReadonlyMap<string, EffectHandler> {
  return new Map([
    ['endStream', endStream(ports)],
    ['notify', notify(ports)],
    ['push', push(ports)],
  ])
}

/** Where nobody is told anything, news is not even written down. */
export function unservedEffects({ apns }: Pick<EffectPorts, 'apns'>): ReadonlySet<string> {
  return new Set(apns === undefined ? ['notify'] : [])
}
