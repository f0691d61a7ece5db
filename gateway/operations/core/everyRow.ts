import type { TypedRow } from '../../../machines/rows.ts'
import type { ActorKind } from '../../../spec/core/ids.ts'
import type { RowQuery } from '../../../storage/ports/views.ts'
import type { TypedViews } from '../typedViews.ts'

const pageSize = 1_000

/** All rows of a query, however many there are, read page by page. For lists that must be complete. */
export async function everyRow<K extends ActorKind>(
  views: Pick<TypedViews, 'list'>,
  query: Omit<RowQuery<K>, 'limit' | 'after' | 'order'>,
): Promise<readonly TypedRow<K>[]> {
  const rows: TypedRow<K>[] = []
  for await (const page of pagesOfRows(views, query)) rows.push(...page)
  return rows
}

async function* pagesOfRows<K extends ActorKind>(
  views: Pick<TypedViews, 'list'>,
  query: Omit<RowQuery<K>, 'limit' | 'after' | 'order'>,
): AsyncGenerator<readonly TypedRow<K>[]> {
  for (let after: { readonly id: string } | undefined; ; ) {
    const page = await views.list({ ...query, limit: pageSize, ...(after && { after }) })
    if (page.length > 0) yield page
    after = page.at(-1)
    if (page.length < pageSize || after === undefined) return
  }
}
