/** Finding the row that an operation speaks of. */
import type { ActorRow } from './actor.ts'

/** What the caller may know of a row, read as the type that its machine writes. */
export function initOf<T>(row: ActorRow): T {
  return row.init as unknown as T
}

export function contextOf<T>(row: ActorRow): T {
  return row.context as unknown as T
}
