/** Finding the row that an operation speaks of. */
import type { ActorRow } from './actor.ts'
import { Failure } from './failure.ts'
import { type ActorKind, kindOfId } from './ids.ts'
import type { Views } from './views.ts'

/** @throws Failure NOT_FOUND */
export async function requireRow(views: Views, kind: ActorKind, id: string): Promise<ActorRow> {
  const row = kindOfId(id) === kind ? await views.get(id) : undefined
  if (row === undefined || row.kind !== kind) throw notFound(kind, id)
  return row
}

export function notFound(kind: ActorKind, id: string): Failure {
  return new Failure('NOT_FOUND', `There is no ${kind} ${id}.`, { details: { id } })
}

/** What the caller may know of a row, read as the type that its machine writes. */
export function initOf<T>(row: ActorRow): T {
  return row.init as unknown as T
}

export function contextOf<T>(row: ActorRow): T {
  return row.context as unknown as T
}
