import type { ActorKind } from '../../../spec/core/ids.ts'
import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'

/** Reads one object by its ID. */
export const oneRow =
  <K extends ActorKind, T>({
    kind,
    fromRow,
  }: {
    kind: K
    fromRow(...given: Parameters<ObjectType<K>['fromRow']>): T
  }) =>
  async ({ id }: { readonly id: string }, context: RequestContext<'views' | 'presence'>): Promise<T | null> => {
    const row = await context.views.get(kind, id)
    return row === undefined ? null : fromRow(row, context)
  }
