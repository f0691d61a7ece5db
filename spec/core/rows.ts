/** Finds the row that an operation needs. */
import type { ActorRow } from './actor.ts'

/** The part of a row that the caller may see, read as the type that its machine writes. */
export function initOf<T>(row: ActorRow): T {
  return row.init as unknown as T
}

export function contextOf<T>(row: ActorRow): T {
  return row.context as unknown as T
}
