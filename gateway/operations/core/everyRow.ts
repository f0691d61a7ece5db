import type { ActorRow } from '../../../spec/core/actor.ts'
import type { RowQuery, Views } from '../../../storage/ports/views.ts'

const pageSize = 1_000

/** All rows of a query, however many there are, read page by page. For lists that must be complete. */
export async function everyRow(
  views: Pick<Views, 'list'>,
  query: Omit<RowQuery, 'limit' | 'after' | 'order'>,
): Promise<readonly ActorRow[]> {
  const rows: ActorRow[] = []
  for await (const page of pagesOfRows(views, query)) rows.push(...page)
  return rows
}

export async function* pagesOfRows(
  views: Pick<Views, 'list'>,
  query: Omit<RowQuery, 'limit' | 'after' | 'order'>,
): AsyncGenerator<readonly ActorRow[]> {
  for (let after: { readonly id: string } | undefined; ; ) {
    const page = await views.list({ ...query, limit: pageSize, ...(after && { after }) })
    if (page.length > 0) yield page
    after = page.at(-1)
    if (page.length < pageSize || after === undefined) return
  }
}
