/** The fields that an actor's row shows. Keys that its kind redacts are shown without their values. */
import type { ActorRow } from '../../../spec/core/actor.ts'
import { redactionOf } from '../../../spec/core/kinds.ts'

export function redactedContext(row: ActorRow): Record<string, unknown> {
  return without(row.context, redactionOf(row.kind).context)
}

export function redactedInit(row: ActorRow): Record<string, unknown> {
  return without(row.init, redactionOf(row.kind).init)
}

function without(record: ActorRow['init'], keys: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, keys.includes(key) && value !== null ? '[redacted]' : value]),
  )
}
