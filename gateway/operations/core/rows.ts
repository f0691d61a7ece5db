import type { TypedRow } from '../../../machines/rows.ts'
import { Failure } from '../../../spec/core/failure.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { TypedViews } from '../typedViews.ts'

/** @throws Failure NOT_FOUND */
export async function requireRow<K extends ActorKind>(
  views: Pick<TypedViews, 'get'>,
  kind: K,
  id: string,
): Promise<TypedRow<K>> {
  const row = await views.get(kind, id)
  if (row === undefined) throw notFound(kind, id)
  return row
}

export function notFound(kind: ActorKind, id: string): Failure {
  return new Failure('NOT_FOUND', `There is no ${kind} ${id}.`, { details: { id } })
}
