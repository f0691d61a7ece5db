/** The parts of an actor that operators see. Keys that its kind redacts are shown without their values. */
import type { ActorRow, JournalEntry, Json } from '../../../spec/core/actor.ts'
import { redactionOf } from '../../../spec/core/kinds.ts'

type Values<T> = Readonly<Record<string, T>>

export function redactedContext({ kind, context }: ActorRow): Values<unknown> {
  const { context: keys = [], personal = [] } = redactionOf(kind)
  return redact(context, [...keys, ...personal])
}

export function redactedInit({ kind, init }: ActorRow): Values<unknown> {
  const { init: keys = [], personal = [] } = redactionOf(kind)
  return redact(init, [...keys, ...personal])
}

/** The journal has no secrets, but personal data. */
export function redactedTransition({ kind, payload, change }: JournalEntry): Pick<JournalEntry, 'payload' | 'change'> {
  const { personal = [] } = redactionOf(kind)
  const isObject = payload !== null && typeof payload === 'object' && !Array.isArray(payload)
  return { payload: isObject ? redact(payload as Values<Json>, personal) : payload, change: redact(change, personal) }
}

function redact<T>(record: Values<T>, keys: readonly string[]): Values<T | string> {
  if (keys.length === 0) return record
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, keys.includes(key) && value !== null ? '[redacted]' : value]),
  )
}
