import type { ObjectType } from '../objectType.ts'
import type { RequestContext } from '../requestContext.ts'

/** Reads one object by its ID. */
export const oneRow =
  <T>({ fromRow }: { fromRow(...given: Parameters<ObjectType['fromRow']>): T }) =>
  async ({ id }: { readonly id: string }, context: RequestContext): Promise<T | null> => {
    const row = await context.views.get(id)
    return row === undefined ? null : fromRow(row, context)
  }
