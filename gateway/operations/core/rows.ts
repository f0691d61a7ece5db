import type { ActorRow } from '../../../spec/core/actor.ts'
import { Failure } from '../../../spec/core/failure.ts'
import { type ActorKind, kindOfId } from '../../../spec/core/ids.ts'
import type { Views } from '../../../storage/ports/views.ts'

/** @throws Failure NOT_FOUND */
export async function requireRow(views: Views, kind: ActorKind, id: string): Promise<ActorRow> {
  const row = kindOfId(id) === kind ? await views.get(id) : undefined
  if (row === undefined || row.kind !== kind) throw notFound(kind, id)
  return row
}

export function notFound(kind: ActorKind, id: string): Failure {
  return new Failure('NOT_FOUND', `There is no ${kind} ${id}.`, { details: { id } })
}
